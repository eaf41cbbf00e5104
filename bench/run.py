#!/usr/bin/env -S python3 -B
"""Measures speed and memory, of SPIN too; writes docs/benchmarks.md and docs/benchmarks.csv.

    bench/run.py [--program build/release/tideline] [--only MODEL ...] [--section NAME ...] [--repeat 3] [--quick] [--again]

The five models of models.py are measured beside SPIN, twelve of BEEM by themselves. BEEM and SPIN's versions of the five lie in a folder
outside this tree: TIDELINE_SHARED, by default ../shared. What is absent is left out with a message, as are options that the program does
not have. Every run's counts are compared with the known ones. With --only, --section or --quick the page is printed instead of written, unless --write says so.
"""
import argparse
import csv
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import models
import page

ROOT = Path(__file__).resolve().parent.parent
BEEM = ["peterson.4", "bopdp.3", "leader_filters.5", "lup.3", "pgm_protocol.8", "rether.6", "iprotocol.4", "anderson.6", "at.4",
        "lamport.6", "szymanski.4", "phils.6"]
THREAD_REPEATS = 5
QUICK_STATES = 4_000_000  # larger models are left out of a quick run
SMALLEST_TABLE = 1 << 20  # bytes of memory below which the rate of random access is that of the caches

# The configurations that a section compares.
SECTIONS = {
    "spin": ["bfs", "dfs", "spin", "spin-collapse"],
    "beem": ["bfs", "dfs"],
    "sweep": ["bfs", "sweep"],
    "compress": ["bfs", "compress"],
    "threads": ["bfs", "bfs-threads", "sweep", "sweep-threads"],
}
OPTIONS = {
    "bfs": ["--engine", "bfs", "--threads", "1"],
    "dfs": ["--engine", "dfs"],
    "sweep": ["--engine", "sweep", "--ledger", "none", "--threads", "1"],
    "compress": ["--engine", "bfs", "--compress", "--threads", "1"],
    "bfs-threads": ["--engine", "bfs", "--threads", "2"],
    "sweep-threads": ["--engine", "sweep", "--ledger", "none", "--threads", "2"],
}
SPIN_FLAGS = {"spin": ["-O2", "-DSAFETY", "-DNOREDUCE"], "spin-collapse": ["-O2", "-DSAFETY", "-DNOREDUCE", "-DCOLLAPSE"]}
FIGURES = ["model", "configuration", "states", "transitions", "repetitions", "expanded", "peak_states", "sweeps", "seconds", "user_seconds",
           "compile_seconds", "states_per_second", "transitions_per_second", "peak_rss_bytes", "interpreted_rss_bytes", "baseline_rss_bytes", "bytes_per_state",
           "reads_4k", "reads_2m", "reads_one_thread", "of_random_access"]


def note(text):
    print(text, file=sys.stderr, flush=True)


def timed_run(command, folder):
    """What a run printed, its exit status, seconds by the clock and of user time, and largest resident memory."""
    # Through files: a pipe would have to be read while the program runs.
    with tempfile.TemporaryFile(dir=folder) as output, tempfile.TemporaryFile(dir=folder) as errors:
        start = time.monotonic()
        process = subprocess.Popen(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    return {"text": texts[0], "errors": texts[1], "status": process.returncode, "wall": wall, "user": usage.ru_utime,
            "peak": usage.ru_maxrss * 1024}


def must_succeed(command, folder, statuses=(0,)):
    run = timed_run(command, folder)
    if run["status"] not in statuses:
        sys.exit(f"{' '.join(map(str, command))}: exit status {run['status']}\n{run['text']}\n{run['errors']}")
    return run


def swept(configuration):
    return "sweep" in OPTIONS.get(configuration, [])


def threads(configuration):
    return 2 if "--threads" in OPTIONS.get(configuration, []) else 1


class Model:
    """One system to measure: where its DVE text is, and what is known about it; of a pair also its Promela text and parameters."""

    def __init__(self, name, path, states, transitions, measure):
        self.name = self.title = name
        self.path, self.states, self.transitions, self.measure = path, states, transitions, measure
        self.promela, self.parameters = None, []

    def is_pair(self):
        return self.promela is not None

    def repeats(self, sections, repeat, thread_repeats):
        """How often each of its configurations is to run."""
        wanted = {}
        for section in sections:
            if section != ("beem" if self.is_pair() else "spin"):
                wanted |= {c: thread_repeats if section == "threads" else repeat for c in SECTIONS[section] if self.measure or not swept(c)}
        return wanted


def measures():
    """The measure of each model that has one: the rest of its line, commas and all."""
    return dict(line.split(",", 1) for line in (ROOT / "bench/measures.csv").read_text(encoding="utf-8").splitlines()[1:])


def pairs(folder, shared):
    with open(ROOT / "bench/pairs.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["use"] == "bench"]
    for row in rows:
        name, parameters = row["model"], row["parameters"].split()
        path = folder / f"{name}.dve"
        path.write_text(models.model(name, {key: int(value) for key, value in (text.split("=") for text in parameters)}), encoding="utf-8")
        # SPIN counts its initial state as a transition.
        model = Model(name, path, int(row["spin_states"]), int(row["spin_transitions"]) - 1, measures().get(name))
        model.title = f"{name} {row['parameters']}"
        model.promela, model.parameters = shared / "spin" / f"{name}.pml", parameters
        yield model


def beem(shared):
    facts = shared / "reference/beem-states.csv"
    if not facts.is_file():
        note("BEEM is left out: TIDELINE_SHARED does not tell where it is")
        return
    with open(facts, newline="", encoding="utf-8") as file:
        known = {row["instance"]: (int(row["states"]), int(row["transitions"])) for row in csv.DictReader(file)}
    for name in BEEM:
        path = shared / "beem" / f"{name}.dve"
        if path.is_file():
            yield Model(name, path, *known[name], measures().get(name))
        else:
            note(f"{name} is left out: {path} is absent")


class Tideline:
    """The program in one configuration on one model."""

    def __init__(self, bench, model, configuration):
        self.bench, self.model, self.configuration = bench, model, configuration
        measure = ["--progress", model.measure] if swept(configuration) else []
        self.command = [bench.program, "explore", model.path, *OPTIONS[configuration], *measure,
                        "--successors", "native", "--json", "-", "--quiet"]
        self.baseline = None  # its memory before there are states
        self.interpreted_peak = None

    def prepare(self):
        """Memory is that of an interpreted run: the compiler's, most of which is free again when the search begins, would hide the states."""
        if self.bench.has_option("--states"):
            command = ["interpret" if part == "native" else part for part in self.command]
            # As the program reports it: what the system reports of a child may be the memory of this script, which it was forked from.
            stopped = must_succeed([*command, "--states", "1000"], self.bench.folder, statuses=(0, 3))
            self.baseline = json.loads(stopped["text"])["peak_rss_bytes"]
            self.interpreted_peak = json.loads(must_succeed(command, self.bench.folder)["text"])["peak_rss_bytes"]

    def measure(self):
        run = must_succeed(self.command, self.bench.folder)
        figures = json.loads(run["text"])
        counts, known = (figures["states"], figures["transitions"]), (self.model.states, self.model.transitions)
        # Of several sweeps the program reports no counts of distinct states.
        if counts != known and figures["sweeps"] < 2:
            sys.exit(f"{self.model.name}, {self.configuration}: {counts} states and transitions, but {known} are known")
        compiling = figures.get("compile_seconds", 0)
        return {"seconds": run["wall"] - compiling, "user_seconds": run["user"] - compiling, "compile_seconds": compiling,
                "peak_rss_bytes": run["peak"], "interpreted_rss_bytes": self.interpreted_peak, **{name: figures[name] for name in ("expanded", "peak_states", "sweeps")}}


class Spin:
    """SPIN's verifier of one model, with a place in its hash table for every state, and a stack no deeper than needed."""

    def __init__(self, bench, model, configuration):
        self.model, self.configuration = model, configuration
        self.folder = bench.folder / f"{model.name}-{configuration}"
        self.baseline = 0
        self.compiling, self.command = None, None

    def prepare(self):
        self.folder.mkdir()
        shutil.copyfile(self.model.promela, self.folder / "model.pml")
        generate = ["spin", "-a", "-o1", "-o2", "-o3", *(f"-D{text}" for text in self.model.parameters), "model.pml"]
        build = ["gcc", "-w", *SPIN_FLAGS[self.configuration], "-DMEMLIM=65536", "-o", "pan", "pan.c"]
        self.compiling = must_succeed(generate, self.folder)["wall"] + must_succeed(build, self.folder)["wall"]
        bits = max(math.ceil(math.log2(self.model.states)), 10)
        depth = self.confirmed_depth(must_succeed([self.folder / "pan", f"-w{bits}", "-m20000000"], self.folder)["text"])
        self.command = [self.folder / "pan", f"-w{bits}", f"-m{depth + 10}"]

    def confirmed_depth(self, text):
        """The depth that a search reached; its counts must be the known ones."""
        patterns = {"states": r"(\d+) states, stored", "transitions": r"(\d+) transitions \(= ", "errors": r"errors: (\d+)",
                    "depth": r"depth reached (\d+)"}
        found = {name: re.search(pattern, text) for name, pattern in patterns.items()}
        counts = {name: int(match.group(1)) for name, match in found.items() if match}
        known = {"states": self.model.states, "transitions": self.model.transitions + 1, "errors": 0, "depth": counts.get("depth")}
        if counts != known or "too small" in text:
            sys.exit(f"{self.model.name}, {self.configuration}: not the search that was expected\n{text}")
        return counts["depth"]

    def measure(self):
        run = must_succeed(self.command, self.folder)
        self.confirmed_depth(run["text"])
        return {"seconds": run["wall"], "user_seconds": run["user"], "compile_seconds": self.compiling, "peak_rss_bytes": run["peak"],
                "expanded": self.model.states, "peak_states": self.model.states, "sweeps": 0}


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program.resolve(), folder
        if not self.program.is_file():
            sys.exit(f"{program} is absent; `make bench` builds it")
        self.help = subprocess.run([self.program, "explore", "--help"], capture_output=True, text=True, check=True).stdout
        self.random_access = self.program.parent / "bench/random_access"
        if not self.random_access.is_file():
            note(f"random access is left out: {self.random_access} is absent")
            self.random_access = None
        if not self.has_option("--states"):
            note("bytes per state are left out: the program has no --states")

    def has_option(self, option):
        return re.search(rf"^  {option}\b", self.help, re.M) is not None

    def can(self, model, configuration):
        """Whether it can be measured here; says so where not."""
        reason = None
        if configuration in SPIN_FLAGS:
            needed = [name for name in ("spin", "gcc") if shutil.which(name) is None]
            reason = f"{', '.join(needed)} not installed" if needed else None if model.promela.is_file() else f"{model.promela} is absent"
        else:
            lacking = [option for option in ("--compress", "--threads") if option in OPTIONS[configuration] and not self.has_option(option)]
            reason = f"the program has no {lacking[0]}" if lacking else None
        if reason:
            note(f"{model.title}: {configuration} is left out, {reason}")
        return reason is None

    def rows(self, model, repeats):
        """A row of figures for each configuration. The runs take turns, so that a slow minute of the machine meets all configurations."""
        runners = {c: (Spin if c in SPIN_FLAGS else Tideline)(self, model, c) for c in repeats}
        for runner in runners.values():
            runner.prepare()
        runs = {c: [] for c in repeats}
        for turn in range(max(repeats.values())):
            for c in (c for c, times in repeats.items() if turn < times):
                runs[c].append(runners[c].measure())
        return {c: self.row(model, c, runners[c].baseline, runs[c]) for c in repeats}

    def row(self, model, configuration, baseline, runs):
        row = {"model": model.title, "configuration": configuration, "states": model.states, "transitions": model.transitions,
               "repetitions": len(runs), "baseline_rss_bytes": baseline}
        row |= {name: statistics.median(run[name] for run in runs) for name in runs[0] if runs[0][name] is not None}
        # The user time of two threads together says little about speed.
        seconds = row["user_seconds" if threads(configuration) == 1 else "seconds"]
        row["states_per_second"] = row["expanded"] / seconds
        # Of several sweeps the steps are not counted; a state that comes again is taken to have as many as the others.
        row["transitions_per_second"] = model.transitions / model.states * row["states_per_second"]
        if baseline is not None:
            row["search_bytes"] = max(row.get("interpreted_rss_bytes", row["peak_rss_bytes"]) - baseline, 0)
            row["bytes_per_state"] = row["search_bytes"] / model.states
            if self.random_access and configuration not in SPIN_FLAGS:
                self.add_random_access(row, threads(configuration))
        return row

    def add_random_access(self, row, readers):
        """What the machine can do, with a table as large as the memory of the search and as many threads as it has."""
        def reads(of_threads, pages):
            table = int(max(row["search_bytes"], SMALLEST_TABLE))
            return float(must_succeed([self.random_access, table, "--pages", pages, "--threads", of_threads], self.folder)["text"])
        row["reads_4k"], row["reads_2m"] = reads(readers, "4k"), reads(readers, "2m")
        row["of_random_access"] = row["transitions_per_second"] / row["reads_4k"]  # the tables of a search are on such pages
        if readers > 1:
            row["reads_one_thread"] = max(reads(1, "4k"), reads(1, "2m"))


def write_csv(results, path):
    def plain(value):
        return value if isinstance(value, str) or value is None else f"{value:.4f}" if abs(value) < 1000 and value % 1 else f"{value:.0f}"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIGURES, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for _, rows in results:
            writer.writerows({name: plain(value) for name, value in row.items()} for row in rows.values())


def read_csv(models_by_title, path):
    """What write_csv has written."""
    results = {}
    with open(path, newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            row = {name: value if name in ("model", "configuration") else float(value) for name, value in line.items() if value}
            if "reads_4k" in row:
                row["of_random_access"] = row["transitions_per_second"] / row["reads_4k"]
            if "bytes_per_state" in row:
                row["search_bytes"] = row["bytes_per_state"] * row["states"]
            results.setdefault(row["model"], {})[row["configuration"]] = row
    return [(models_by_title[title], rows) for title, rows in results.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--only", action="append", metavar="MODEL", help="only this model; may be repeated")
    parser.add_argument("--section", action="append", choices=SECTIONS, help="only this section; may be repeated")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the median is taken")
    parser.add_argument("--quick", action="store_true", help="one run each, of the smaller models")
    parser.add_argument("--write", action="store_true", help="write the page also where only a part is measured")
    parser.add_argument("--again", action="store_true", help="measure nothing: write the page anew from docs/benchmarks.csv")
    args = parser.parse_args()
    sections = args.section or list(SECTIONS)
    repeat, thread_repeats = (1, 1) if args.quick else (args.repeat, max(args.repeat, THREAD_REPEATS) if args.repeat > 1 else 1)
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared").resolve()
    results = []
    with tempfile.TemporaryDirectory(prefix="tideline-bench-") as name:
        bench = Bench(args.program, Path(name))
        measured = [*pairs(bench.folder, shared), *beem(shared)]
        if args.again:
            results = read_csv({model.title: model for model in measured}, ROOT / "docs/benchmarks.csv")
            text = page.page(results, sections, repeat, thread_repeats)
            (ROOT / "docs/benchmarks.md").write_text(text, encoding="utf-8")
            return
        for model in measured:
            if (args.only and model.name not in args.only) or (args.quick and model.states > QUICK_STATES):
                continue
            repeats = {c: times for c, times in model.repeats(sections, repeat, thread_repeats).items() if bench.can(model, c)}
            if repeats:
                note(f"{model.title}: {', '.join(repeats)}")
                results.append((model, bench.rows(model, repeats)))
    text = page.page(results, sections, repeat, thread_repeats)
    if (args.only or args.section or args.quick) and not args.write:
        print(text)
    else:
        write_csv(results, ROOT / "docs/benchmarks.csv")
        (ROOT / "docs/benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
