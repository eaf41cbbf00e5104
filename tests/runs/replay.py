#!/usr/bin/env python3
"""Executes sequences that were kept as files: tests/runs/replay.py [--binary B] FILE...

Exit status 0 if every sequence passes, 1 if one fails. What the runs answered is printed for those that fail, and for all with --verbose.
"""

import argparse
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import execution  # noqa: E402
from oracle import Failure, World  # noqa: E402


def main():
    build = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "release")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=os.path.join(build, "tideline"))
    parser.add_argument("--cpp")
    parser.add_argument("--library")
    parser.add_argument("--slack", type=float, default=1.0)
    parser.add_argument("--times", type=int, default=1, help="repeat each; for signals at moments of real time")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    beside = os.path.dirname(binary)
    programs = {"tideline": binary, "cpp": os.path.abspath(options.cpp or os.path.join(beside, "examples", "stop_and_wait"))}
    library = os.path.abspath(options.library or os.path.join(beside, "tests", "runs", "failing_calls.so"))
    files = [os.path.abspath(name) for name in options.files]
    folder, disk = execution.folders("tideline-replay-")
    os.makedirs(folder, exist_ok=True)
    failed = 0
    try:
        for name in files:
            with open(name, encoding="utf-8") as file:
                sequence = json.load(file)
            for _ in range(options.times):
                world = World(programs, library, folder, os.path.join(disk, "t"), slack=options.slack)
                failure = None
                try:
                    world.run_sequence(sequence)
                except Failure as error:
                    failure = error
                if failure is not None or options.verbose:
                    print(json.dumps(world.log, indent=1))
                if failure is not None:
                    failed += 1
                    print(f"{os.path.basename(name)}: {failure}")
                    break
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(disk, ignore_errors=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
