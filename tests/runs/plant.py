#!/usr/bin/env python3
"""Plants known errors, one at a time, in a copy of the sources, and says how many sequences find each of them.

  tests/runs/plant.py --sequences 2000 --seed 1
  tests/runs/plant.py --only commit
  tests/runs/plant.py --check          whether every place to plant an error is still there, once; nothing is built

The errors are in planted.json: file, text, and what takes its place. The copy is built as the release build is.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sequences", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="errors whose name has this word")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--place", help="folder of the copy (default: a temporary one)")
    options = parser.parse_args()
    errors = {name: error for name, error in json.loads((HERE / "planted.json").read_text()).items() if options.only in name}
    missing = [name for name, (file, text, _) in errors.items() if (ROOT / file).read_text().count(text) != 1]
    for name in missing:
        print(f"{name}: its place in the sources is gone")
    if options.check or missing:
        print(f"{len(errors) - len(missing)} passed, {len(missing)} failed")
        return 1 if missing else 0
    place = Path(options.place or tempfile.mkdtemp(prefix="tideline-planted-"))
    if not (place / "CMakeLists.txt").exists():
        subprocess.run(["git", "clone", "-q", str(ROOT), str(place)], check=True)
    found = 0
    for name, (file, text, other) in errors.items():
        path = place / file
        original = path.read_text()
        path.write_text(original.replace(text, other))
        try:
            found += is_found(name, place, options)
        finally:
            path.write_text(original)
    print(f"{found} passed, {len(errors) - found} failed")
    return 0 if found == len(errors) else 1


def is_found(name, place, options):
    build = place / "build" / "release"
    quiet = {"cwd": place, "check": True, "stdout": subprocess.DEVNULL}
    if not (build / "build.ninja").exists():
        launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={os.environ['LAUNCHER']}"] if "LAUNCHER" in os.environ else []
        subprocess.run(["cmake", "--preset", "release", *launcher], **quiet)
    subprocess.run(["ninja", "-C", str(build), "tideline", "example_stop_and_wait", "failing_calls"], **quiet)
    run = subprocess.run([sys.executable, str(place / "tests" / "runs" / "run.py"), "--binary", str(build / "tideline"), "--sequences", str(options.sequences),
                          "--seed", str(options.seed), "--jobs", "2", "--stop-after", "1", "--shrink", "0"], capture_output=True, text=True)
    failure = re.search(r"^sequence (\d+): (.*)$", run.stdout, re.M)
    print(f"{name}: " + (f"found by sequence {failure[1]}: {failure[2][:120]}" if failure else f"not found by {options.sequences} sequences"), flush=True)
    return failure is not None


if __name__ == "__main__":
    sys.exit(main())
