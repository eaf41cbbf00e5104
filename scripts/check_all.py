#!/usr/bin/env python3
"""Everything that `make test` leaves out: sanitizers, another compiler, headers by themselves, fuzzing. `make check-all` calls it.

    scripts/check_all.py [--jobs N] [--fuzz-seconds 60] [PART ...]

Parts, in this order; all of them unless some are named:
    asan     builds everything with Clang, warnings as errors, and runs all fast tests with the address and undefined-behaviour sanitizers
             and all assertions
    headers  compiles every header of src/ by itself
    tsan     the fast tests of what has threads, with the thread sanitizer
    fuzz     every fuzz target for some seconds; part of the build of asan

A part that fails does not keep the others from running. The last lines say what ran, for how long, and what failed.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def call(*command):
    """Whether the command succeeds; what it says goes to the terminal."""
    print("+", shlex.join(map(str, command)), flush=True)
    return subprocess.run(list(map(str, command)), cwd=ROOT).returncode == 0


def built(preset, jobs, folder=None):
    """`folder`: that of the configuration, where it has another name."""
    folder = folder or preset
    configured = (ROOT / f"build/{folder}/build.ninja").is_file() or call("cmake", "--preset", folder)
    return configured and call("cmake", "--build", "--preset", preset, "--parallel", jobs)


def tested(preset, jobs):
    return call("ctest", "--preset", preset, "--parallel", jobs, "--no-tests=error")


def compile_flags():
    """How the files of src/ are compiled by Clang, without the file itself."""
    for entry in json.loads((ROOT / "build/asan-ubsan/compile_commands.json").read_text(encoding="utf-8")):
        # The one that sees all folders and libraries.
        if entry["file"].endswith("src/cli/main.cpp"):
            words = shlex.split(entry["command"])
            words = words[next(i for i, word in enumerate(words) if "clang" in word) :]
            return [word for i, word in enumerate(words) if word not in ("-c", "-o", entry["file"]) and words[i - 1] != "-o"]
    sys.exit("build/asan-ubsan/compile_commands.json does not have src/cli/main.cpp")


def headers(args):
    if not (ROOT / "build/asan-ubsan/compile_commands.json").is_file() and not call("cmake", "--preset", "asan-ubsan"):
        return False
    # The code generator sees LLVM, which is part of one library alone.
    llvm = next((line.split("=", 1)[1] for line in (ROOT / "build/asan-ubsan/CMakeCache.txt").read_text().splitlines() if line.startswith("LLVM_INCLUDE_DIR:")), "")
    flags = compile_flags() + ["-isystem", llvm, "-fsyntax-only"]
    files = sorted((ROOT / "src").rglob("*.hpp"))

    def alone(header):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "alone.cpp"
            # Twice: a header without a guard fails.
            source.write_text(f'#include "{header.relative_to(ROOT / "src").as_posix()}"\n' * 2, encoding="utf-8")
            done = subprocess.run([*flags, str(source)], cwd=ROOT / "build/asan-ubsan", capture_output=True, text=True)
            return "" if done.returncode == 0 else f"{header.relative_to(ROOT)}:\n{done.stderr}"

    with ThreadPoolExecutor(args.jobs) as pool:
        faults = [fault for fault in pool.map(alone, files) if fault]
    print("".join(faults) + f"{len(files) - len(faults)} of {len(files)} headers compile by themselves", flush=True)
    return not faults


def asan(args):
    return built("asan-ubsan", args.jobs) and tested("asan-ubsan", args.jobs)


def tsan(args):
    return built("tsan", args.jobs) and tested("tsan", args.jobs)


def fuzz(args):
    return built("fuzz", args.jobs, "asan-ubsan") and call("tests/fuzz/run.py", "--seconds", args.fuzz_seconds, "--jobs", args.jobs)


PARTS = {part.__name__: part for part in (asan, headers, tsan, fuzz)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--fuzz-seconds", type=int, default=60, help="for each fuzz target")
    parser.add_argument("parts", nargs="*", metavar="PART")
    args = parser.parse_args()
    unknown = [part for part in args.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    results = []
    for name, part in PARTS.items():
        if args.parts and name not in args.parts:
            continue
        print(f"== {name}", flush=True)
        begin = time.monotonic()
        passed = part(args)
        results.append((passed, f"{name} {'passed' if passed else 'FAILED'} ({(time.monotonic() - begin) / 60:.1f} min)"))
    print("check-all: " + ", ".join(line for _, line in results))
    sys.exit(0 if all(passed for passed, _ in results) else 1)


if __name__ == "__main__":
    main()
