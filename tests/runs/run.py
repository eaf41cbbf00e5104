#!/usr/bin/env python3
"""Random sequences of runs, interruptions and resumed runs, each compared with an undisturbed run and with brute force.

  tests/runs/run.py --binary build/release/tideline --sequences 2000 --seed 7 --jobs 2

A sequence is drawn from the seed and its number alone; signals at moments of real time are the only thing that is not determined by them.
Sequences that fail are made smaller and written to the folder given by --keep as files for replay.py. README.md tells more.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import execution  # noqa: E402
import sequences  # noqa: E402
import systems  # noqa: E402
from oracle import Failure, World  # noqa: E402

PER_SYSTEM = 8  # sequences that share a system, and what is known of it
AGAIN = {"time limit", "memory limit", "hang"}  # a busy machine can cause these: they must happen three times


def arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(here, "..", "..", "build", "release")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", default=os.path.join(build, "tideline"), help="the program under test")
    parser.add_argument("--cpp", help="the example written in C++ (default: examples/stop_and_wait beside the program)")
    parser.add_argument("--library", help="failing_calls.so (default: tests/runs/ beside the program)")
    parser.add_argument("--sequences", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="number of the first sequence")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="begin no more sequences after this time")
    parser.add_argument("--slack", type=float, default=1.0, help="limits are multiplied by this: for slow builds and sanitizers")
    parser.add_argument("--keep", default="build/failing-runs", help="folder for sequences that fail")
    parser.add_argument("--shrink", type=float, default=20, help="seconds to make a failing sequence smaller")
    parser.add_argument("--no-shrink", action="store_true", help="write failing sequences as they are")
    parser.add_argument("--stop-after", type=int, default=10**9, help="end after this many failures")
    parser.add_argument("--ignore", default="", help="classes of failures that do not count, with commas: known and not yet mended")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


class Worker:
    def __init__(self, options):
        self.options = options
        binary = os.path.abspath(options.binary)
        beside = os.path.dirname(binary)
        self.programs = {"tideline": binary, "cpp": os.path.abspath(options.cpp or os.path.join(beside, "examples", "stop_and_wait"))}
        self.library = os.path.abspath(options.library or os.path.join(beside, "tests", "runs", "failing_calls.so"))
        self.folder, self.disk = execution.folders("tideline-runs-")
        os.makedirs(self.folder, exist_ok=True)
        self.seen = collections.Counter()

    def clean(self):
        os.chdir("/")
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.disk, ignore_errors=True)

    def attempt(self, sequence, cache):
        """The Failure of a sequence, or None; and the log of its runs."""
        world = World(self.programs, self.library, self.folder, os.path.join(self.disk, "t"), cache=cache, system=sequence.system if sequence.system.text() is not None else None,
                      slack=self.options.slack)
        try:
            world.run_sequence(sequence.resolved())
        except Failure as failure:
            return failure, world
        return None, world

    def confirmed(self, sequence, failure, cache):
        """Whether it is no accident of a busy machine."""
        if failure.kind not in AGAIN or failure.is_certain:
            return True
        for _ in range(2):
            again, _ = self.attempt(sequence, cache)
            if again is None or again.kind != failure.kind:
                return False
        return True

    def shrunk(self, sequence, failure):
        """A smaller sequence with the same class of failure."""
        end = time.monotonic() + self.options.shrink
        best, best_failure = sequence, failure
        progress = True
        while progress and time.monotonic() < end:
            progress = False
            for candidate in sequences.smaller_sequences(best):
                if time.monotonic() > end:
                    break
                try:
                    found, _ = self.attempt(candidate, {})
                except Exception:  # an invalid shrinking step
                    continue
                if found is not None and found.kind == best_failure.kind:
                    best, best_failure = candidate, found
                    progress = True
                    break
        return best, best_failure

    def block(self, number):
        """All sequences of one system: (passed, [(index, kind, text)], runs)."""
        options = self.options
        r = random.Random(f"{options.seed} {number} system")
        system = systems.random_system(r)
        cache = {}
        passed, failed, runs = 0, [], 0
        first = options.first + number * PER_SYSTEM
        for index in range(first, min(first + PER_SYSTEM, options.first + options.sequences)):
            sequence = sequences.draw(random.Random(f"{options.seed} {index}"), system)
            failure, world = self.attempt(sequence, cache)
            runs += world.runs
            if failure is None or not self.confirmed(sequence, failure, cache):
                passed += 1
                continue
            if failure.kind in options.ignore.split(","):
                passed += 1
                continue
            log = world.log
            # Of many that look alike two are enough to be made smaller.
            looks = failure.kind + re.sub(r"[^a-z]+", "", failure.text.lower())[:24]
            self.seen[looks] += 1
            if not options.no_shrink and self.seen[looks] <= 2:
                sequence, failure = self.shrunk(sequence, failure)
                again, world = self.attempt(sequence, {})
                if again is not None:
                    log = world.log
            self.save(index, sequence, failure, log)
            failed.append((index, failure.kind, failure.text))
        return passed, failed, runs

    def save(self, index, sequence, failure, log):
        os.makedirs(self.options.keep, exist_ok=True)
        data = {"found": f"--seed {self.options.seed} --first {index} --sequences 1", "failure": [failure.kind, failure.text], **sequence.resolved(), "log": log}
        with open(os.path.join(self.options.keep, f"{self.options.seed}-{index}.json"), "w", encoding="utf-8") as file:
            json.dump(data, file, indent=1)
            file.write("\n")


def leave(*_):
    sys.exit(1)


def work(options, counter, until, results):
    signal.signal(signal.SIGTERM, leave)  # nothing is left behind
    worker = Worker(options)
    try:
        while True:
            with counter.get_lock():
                number = counter.value
                counter.value += 1
            if number * PER_SYSTEM >= options.sequences or (until is not None and time.monotonic() > until):
                break
            results.put(("done",) + worker.block(number))
    except Exception:
        results.put(("broken", traceback.format_exc()))
    finally:
        worker.clean()
        results.put(("end",))


def main():
    options = arguments()
    options.keep = os.path.abspath(options.keep)
    options.first -= options.first % PER_SYSTEM if options.sequences > 1 else 0
    begin = time.monotonic()
    until = begin + options.seconds if options.seconds else None
    counter = multiprocessing.Value("l", 0)
    results = multiprocessing.Queue()
    if options.sequences == 1:  # one sequence by its number, over the system of its block
        number = options.first // PER_SYSTEM
        worker = Worker(options)
        system = systems.random_system(random.Random(f"{options.seed} {number} system"))
        sequence = sequences.draw(random.Random(f"{options.seed} {options.first}"), system)
        failure, world = worker.attempt(sequence, {})
        print(json.dumps(world.log, indent=1))
        print(f"{int(failure is None)} passed, {int(failure is not None)} failed")
        if failure is not None:
            print(failure)
            sequence, failure = (sequence, failure) if options.no_shrink else worker.shrunk(sequence, failure)
            again, world = worker.attempt(sequence, {})
            worker.save(options.first, sequence, failure, world.log)
            print(failure)
        worker.clean()
        return int(failure is not None)
    if options.first:
        sys.exit("--first is for one sequence: use it with --sequences 1")
    workers = [multiprocessing.Process(target=work, args=(options, counter, until, results)) for _ in range(options.jobs)]
    for process in workers:
        process.start()

    def end(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for process in workers:
            process.terminate()
        sys.exit(1)
    signal.signal(signal.SIGTERM, end)
    passed, runs, failed = 0, 0, []
    ended = 0
    broken = None
    while ended < len(workers):
        message = results.get()
        if message[0] == "end":
            ended += 1
        elif message[0] == "broken":
            broken = message[1]
        else:
            passed += message[1]
            runs += message[3]
            for index, kind, text in message[2]:
                failed.append((index, kind, text))
                print(f"sequence {index}: {kind}: {text}", flush=True)
            if len(failed) >= options.stop_after:
                with counter.get_lock():
                    counter.value = 1 << 40
    for process in workers:
        process.join()
    if broken:
        print(broken, file=sys.stderr)
        return 2
    seconds = time.monotonic() - begin
    for kind, count in collections.Counter(kind for _, kind, _ in failed).most_common():
        print(f"  {count:5}  {kind}")
    print(f"{passed} passed, {len(failed)} failed ({runs} runs, {seconds:.0f} s, {(passed + len(failed)) / seconds:.1f} sequences per second)")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
