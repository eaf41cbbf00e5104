#!/usr/bin/env -S python3 -B
"""What a user gets who gives no options, beside the best that could have been asked for.

    bench/default_options.py [--program build/release/tideline] [--only MODEL ...] [--repeat 5] [--part time|memory|moments|kills|busy ...] [--count 20]

time     wall time of `explore MODEL` beside the faster of `--engine bfs --threads 1` and `--threads 2`: the twelve BEEM models of the benchmark page and twelve others of 100,000 to 5,000,000 states. Runs
         alternate; medians. Bars: 1.05 as geometric mean, none above 1.2 where the faster one takes 0.3 s or more.
memory   the twelve of the page with --memory at a fifth of what breadth-first search needs (never below 4 MB): complete, exact, every state expanded once; time beside `--engine sweep` with the same limit.
         Bar: 1.5 as geometric mean.
moments  the change to the sweep forced at 20 random numbers of states: the same figures every time.
kills    20 runs that change to the sweep, each killed at a random moment from the beginning of the change on, and resumed, several times where it is killed again: the figures of a run in memory. Five models in turn.
busy     beside a process that keeps a processor busy: `explore MODEL` against `--threads 1`. Bar: 1.1.

BEEM lies outside this tree: TIDELINE_SHARED, by default ../shared. Counts are compared with those of reference/beem-states.csv there.
"""
import argparse
import csv
import json
import math
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run import BEEM as PAGE

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared"))
OTHERS = ["lamport.5", "mcs.6", "elevator.4", "cambridge.6", "lifts.6", "synapse.4", "protocols.5", "extinction.4", "fischer.4", "leader_election.4", "reader_writer.3", "public_subscribe.3"]
MEGABYTE = 1 << 20


def note(text):
    print(text, file=sys.stderr, flush=True)


def known_counts():
    with open(SHARED / "reference" / "beem-states.csv", newline="", encoding="utf-8") as file:
        return {row[0]: int(row[1]) for row in csv.reader(file) if len(row) > 1 and row[1].isdigit()}


class Bench:
    def __init__(self, program, repeat, count):
        self.program = str(Path(program).resolve())
        self.repeat = repeat
        self.count = count
        self.known = known_counts()
        self.failures = []

    def path(self, model):
        return SHARED / "beem" / f"{model}.dve"

    def run(self, model, *options, is_partial=False):
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            finished = subprocess.run([self.program, "explore", str(self.path(model)), "--quiet", "--json", "-", *options], cwd=folder,
                                      env={**os.environ, "TMPDIR": folder}, capture_output=True, check=False)
            wall = time.monotonic() - start
        if finished.returncode != (3 if is_partial else 0):
            self.fail(f"{model} {' '.join(options)}: exit status {finished.returncode}: {finished.stderr.decode()[:300]}")
            return None
        report = json.loads(finished.stdout)
        report["wall"] = wall
        if model in self.known and not is_partial and report["states"] != self.known[model]:
            self.fail(f"{model} {' '.join(options)}: {report['states']} states, {self.known[model]} are known")
        return report

    def fail(self, text):
        note("FAILED: " + text)
        self.failures.append(text)

    def medians(self, model, configurations):
        """Wall times of alternating runs, by configuration."""
        times = {name: [] for name in configurations}
        for _ in range(self.repeat):
            for name, options in configurations.items():
                report = self.run(model, *options)
                if report:
                    times[name].append(report["wall"])
        return {name: statistics.median(values) if values else math.nan for name, values in times.items()}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def judge(bench, title, ratio, bar):
    print(f"{title}: {ratio:.3f} (bar {bar})")
    if not ratio <= bar:
        bench.fail(f"{title}: {ratio:.3f} above {bar}")


def part_time(bench, models):
    print("| model | default | 1 thread | 2 threads | default / best |\n| --- | --- | --- | --- | --- |")
    ratios = []
    for model in models:
        times = bench.medians(model, {"default": [], "one": ["--engine", "bfs", "--threads", "1"], "two": ["--engine", "bfs", "--threads", "2"]})
        best = min(times["one"], times["two"])
        ratios.append(times["default"] / best)
        print(f"| {model} | {times['default']:.2f} | {times['one']:.2f} | {times['two']:.2f} | {ratios[-1]:.2f} |", flush=True)
        if best >= 0.3 and ratios[-1] > 1.2:
            bench.fail(f"{model}: {ratios[-1]:.2f} times the best")
    judge(bench, "default / best, geometric mean", geometric_mean(ratios), 1.05)


def part_memory(bench, models):
    print("| model | limit, MB | changed at | default, s | sweep, s | ratio | peak, MB |\n| --- | --- | --- | --- | --- | --- | --- |")
    ratios = []
    for model in models:
        full = bench.run(model, "--engine", "bfs")
        small = bench.run(model, "--engine", "bfs", "--states", "1", is_partial=True)  # the program itself
        if full is None:
            continue
        own = 30 * MEGABYTE if small is None else small["peak_rss_bytes"]
        limit = max(4 * MEGABYTE, (full["peak_rss_bytes"] - own) // 5)
        options = ["--memory", f"{limit // 1024}K"]
        times = {"default": [], "sweep": []}
        last = None
        for _ in range(bench.repeat):
            last = bench.run(model, *options)
            swept = bench.run(model, "--engine", "sweep", *options)
            if last:
                times["default"].append(last["wall"])
            if swept:
                times["sweep"].append(swept["wall"])
        if last is None or not times["sweep"]:
            continue
        for name in ("states", "transitions", "deadlocks", "complete"):
            if last[name] != full[name]:
                bench.fail(f"{model}: {name} is {last[name]}, and {full[name]} without a limit")
        if last["expanded"] != last["states"]:
            bench.fail(f"{model}: {last['expanded']} expanded of {last['states']} states")
        medians = {name: statistics.median(values) for name, values in times.items()}
        ratios.append(medians["default"] / medians["sweep"])
        changed = last["changed_over"]["states"] if last["changed_over"] else "never"
        print(f"| {model} | {limit / MEGABYTE:.0f} | {changed} | {medians['default']:.2f} | {medians['sweep']:.2f} | {ratios[-1]:.2f} | {last['peak_rss_bytes'] / MEGABYTE:.0f} |", flush=True)
    judge(bench, "default / sweep with the same limit, geometric mean", geometric_mean(ratios), 1.5)


def part_moments(bench, models):
    chance = random.Random(1)
    for model in models:
        full = bench.run(model, "--engine", "bfs")
        if full is None:
            continue
        changes = 0
        for _ in range(bench.count):
            at = chance.randrange(1, full["states"])
            changed = bench.run(model, "--change-at", str(at))
            if changed is None:
                continue
            changes += changed["changed_over"] is not None
            for name in ("states", "transitions", "deadlocks", "complete"):
                if changed[name] != full[name]:
                    bench.fail(f"{model} changed at {at}: {name} is {changed[name]}, not {full[name]}")
            if changed["expanded"] != full["states"]:
                bench.fail(f"{model} changed at {at}: {changed['expanded']} expanded")
        print(f"{model}: {changes} changes of {bench.count}", flush=True)


def part_kills(bench, models):
    chance = random.Random(2)
    full = {model: bench.run(model, "--engine", "bfs") for model in models}
    killed = {"while it changed": 0, "afterwards": 0, "never": 0}
    for number in range(bench.count):
        model = models[number % len(models)]
        if full[model] is None:
            continue
        at = chance.randrange(full[model]["states"] // 4, full[model]["states"])
        with tempfile.TemporaryDirectory() as folder:
            report, when = run_with_kills(bench, model, at, folder, chance)
        killed[when] += 1
        if report is None:
            bench.fail(f"{model} changed at {at}, killed {when}: no report")
            continue
        for name in ("states", "transitions", "deadlocks", "complete"):
            if report[name] != full[model][name]:
                bench.fail(f"{model} changed at {at}, killed {when}: {name} is {report[name]}, not {full[model][name]}")
        if report["expanded"] != full[model]["states"]:
            bench.fail(f"{model} changed at {at}, killed {when}: {report['expanded']} expanded")
    print("killed " + ", ".join(f"{count} {when}" for when, count in killed.items()), flush=True)


def run_with_kills(bench, model, at, folder, chance):
    """The last report of a run that is killed, once or twice, and resumed; and when it was killed first."""
    arguments = ["explore", str(bench.path(model)), "--change-at", str(at)]
    when = None
    for attempt in range(3):
        process = subprocess.Popen([bench.program, *arguments, "--quiet", "--json", "-"], cwd=folder, env={**os.environ, "TMPDIR": folder}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        kills = attempt == 0 or (attempt == 1 and chance.random() < 0.3)
        ledger = None
        while kills and process.poll() is None and ledger is None:
            ledger = next((each for each in Path(folder).glob("tideline-*") if (each / "header.json").exists()), None)
            time.sleep(0.001)
        if kills and ledger is not None:
            # Two of three while states are written, which takes some hundredths of a second or more.
            time.sleep(chance.random() * chance.choice((0, 0.05, 2)))
            is_changed = has_checkpoint(ledger)
            process.kill()
        output = process.communicate()[0]
        if process.returncode == 0:
            return json.loads(output), when or "never"
        if ledger is None:
            return None, when or "never"
        when = when or ("afterwards" if is_changed else "while it changed")
        arguments = ["resume", str(ledger)]
    return None, when


def has_checkpoint(ledger):
    """Whether a slot of `latest` knows of a commit (docs/ledger-format.md)."""
    try:
        slots = (ledger / "latest").read_bytes()
    except OSError:
        return False
    return any(int.from_bytes(slots[begin + 16:begin + 24], "little") > 0 for begin in (0, 64))


def spin():
    while True:
        pass


def part_busy(bench, models):
    other = multiprocessing.Process(target=spin, daemon=True)
    other.start()
    try:
        ratios = []
        for model in models:
            times = bench.medians(model, {"default": [], "one": ["--threads", "1"]})
            ratios.append(times["default"] / times["one"])
            print(f"{model}: {times['default']:.2f} s, {times['one']:.2f} s with one thread: {ratios[-1]:.2f}", flush=True)
        judge(bench, "default / one thread beside a busy process, geometric mean", geometric_mean(ratios), 1.1)
    finally:
        other.terminate()


PARTS = {"time": (part_time, PAGE + OTHERS), "memory": (part_memory, PAGE), "moments": (part_moments, PAGE), "kills": (part_kills, ["bopdp.3", "peterson.4", "lup.3", "iprotocol.4", "szymanski.4"]), "busy": (part_busy, PAGE)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/release/tideline")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--count", type=int, default=20, help="changes per model, and kills")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args()
    if not (SHARED / "beem").is_dir():
        note(f"{SHARED / 'beem'} is not there: nothing is measured")
        return 0
    bench = Bench(arguments.program, arguments.repeat, arguments.count)
    for name in arguments.part:
        run, models = PARTS[name]
        chosen = [model for model in (arguments.only or models) if bench.path(model).exists()]
        print(f"\n## {name}\n")
        run(bench, chosen)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
