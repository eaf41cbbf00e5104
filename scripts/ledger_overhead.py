#!/usr/bin/env python3
"""What keeping a ledger costs a sweep: time beside `--ledger none`, and bytes beside the packed states; writes docs/ledger-overhead.md.

    scripts/ledger_overhead.py [--build build/release] [--rounds 3] [--only PREFIX | --edges]

The systems: stop-and-wait with 100 packets and a network of 3, written in C++; and BEEM models, chosen by a rule that looks at no result. Of every family for which
beem_measures.csv has a measure, the smallest instance above a million states is taken, with the instance's own measure or else that of the family's largest instance
there (of several, the first). The ten smallest of these are the ten; those after them whose measure is monotonic in the table, up to 10 million states,
are measured too and stand apart.

In every round each system runs once without and once with a ledger. Two times are taken, both less that of compiling, and the medians of the rounds are shown: elapsed time, which
is what a user waits, and user plus system time of all threads. A ledger is compressed and written by a thread of its own: where a second processor is free, only the second of them
has it in full.

What recording edges costs is measured on three of the systems (`--edges`: only that, and only that section of the page is written again).

The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from beem_sweep import ROOT, known_counts, measures, table

LEAST, MOST = 1_000_000, 10_000_000
MOST_OVERHEAD_ALONE, MOST_OVERHEAD, MOST_SIZE = 0.25, 0.30, 0.5
EDGE_SYSTEMS = ("iprotocol.3", "peterson.4", "lifts.7")
EDGE_TITLE = "## Recorded edges"


def overhead(ratio):
    return f"{round(100 * (ratio - 1)):+d} %"


class System:
    def __init__(self, name, command, measure, known=None):
        self.name, self.command, self.measure, self.known = name, command, measure, known
        self.times = {"none": [], "auto": []}    # of all processors
        self.elapsed = {"none": [], "auto": []}
        self.compiling = []
        self.shares = []  # of a processor that the runs without a ledger had
        self.report = {}

    def run(self, ledger):
        """Runs it once and keeps its time and its report."""
        start = time.monotonic()
        process = subprocess.Popen([*self.command, "--threads", "1", "--engine", "sweep", "--progress", self.measure, "--ledger", ledger, "--json", "-", "--quiet"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{self.name} by {self.measure}: exit status {process.returncode}")
        report = json.loads(text)
        self.report[ledger] = report
        spent = usage.ru_utime + usage.ru_stime
        elapsed = time.monotonic() - start
        self.times[ledger].append(spent)
        self.elapsed[ledger].append(elapsed)
        if ledger == "none":
            self.shares.append(min(1, spent / elapsed))
            self.compiling.append(report["compile_seconds"])

    def check(self):
        exact = self.report["auto"]
        if exact["expanded"] != exact["states"]:
            sys.exit(f"{self.name}: {exact['expanded']} states were expanded, there are {exact['states']}")
        if self.known and (exact["states"], exact["transitions"]) != self.known:
            sys.exit(f"{self.name}: {exact['states']} states and {exact['transitions']} transitions, known are {self.known}")

    def monotonic(self):
        return self.report["auto"]["regress_edges"] == 0

    def seconds(self, ledger):
        return statistics.median(self.elapsed[ledger]) - statistics.median(self.compiling)

    def ratio(self):
        return self.seconds("auto") / self.seconds("none")

    def processor_ratio(self):
        compiling = statistics.median(self.compiling)
        return (statistics.median(self.times["auto"]) - compiling) / (statistics.median(self.times["none"]) - compiling)

    def round_ratios(self):
        """Of single rounds, from the lowest to the highest: how far the median can be trusted."""
        compiling = statistics.median(self.compiling)
        return sorted((with_ledger - compiling) / (without - compiling) for without, with_ledger in zip(self.elapsed["none"], self.elapsed["auto"]))

    def spread(self):
        ratios = self.round_ratios()
        return f"{overhead(ratios[0])} to {overhead(ratios[-1])}"

    def size(self):
        exact = self.report["auto"]
        return exact["ledger_bytes"] / (exact["states"] * exact["state_bytes"])

    def row(self):
        exact, forgetful = self.report["auto"], self.report["none"]
        nanoseconds = lambda ledger: f"{1e9 * self.seconds(ledger) / exact['transitions']:.0f}"
        return [self.name, f"`{self.measure}`", f"{exact['states']:,}", f"{exact['transitions']:,}", "yes" if self.monotonic() else "no", f"{forgetful['expanded'] / exact['states']:.2f}",
                f"{exact['reread'] / exact['states']:.2f}", f"{statistics.median(self.compiling):.2f}", f"{self.seconds('none'):.2f}", f"{self.seconds('auto'):.2f}", nanoseconds("none"), nanoseconds("auto"),
                overhead(self.ratio()), self.spread(), overhead(self.processor_ratio()), str(exact["state_bytes"]), f"{exact['ledger_bytes'] / exact['states']:.2f}", f"{self.size():.2f}"]


class EdgeRuns:
    """Runs of a system that record the tree, and ones that record edges."""

    def __init__(self, system):
        self.system, self.times, self.report, self.bytes = system, {"tree": [], "edges": []}, {}, {}

    def run(self, record):
        with tempfile.TemporaryDirectory() as folder:
            ledger = Path(folder) / "ledger"
            process = subprocess.Popen([*self.system.command, "--threads", "1", "--engine", "sweep", "--progress", self.system.measure, "--ledger", str(ledger), "--record", record,
                                        "--json", "-", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            start = time.monotonic()
            text = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in (0, 1):
                sys.exit(f"{self.system.name}: exit status {process.returncode}")
            self.report[record] = report = json.loads(text)
            spent = usage.ru_utime + usage.ru_stime
            self.times[record].append(spent - report["compile_seconds"])
            self.bytes[record] = {name: (ledger / name).stat().st_size for name in ("edges", "numbers") if (ledger / name).exists()}
        if self.system.known and (report["states"], report["transitions"]) != self.system.known:
            sys.exit(f"{self.system.name}: {report['states']} states and {report['transitions']} transitions, known are {self.system.known}")

    def row(self):
        report = self.report["edges"]
        seconds = {record: statistics.median(times) for record, times in self.times.items()}
        a_transition = lambda value: f"{value / report['transitions']:.2f}"
        return [self.system.name, f"`{self.system.measure}`", f"{report['states']:,}", f"{report['transitions']:,}", f"{seconds['tree']:.2f}", f"{seconds['edges']:.2f}",
                overhead(seconds["edges"] / seconds["tree"]), a_transition(self.bytes["edges"]["edges"]), a_transition(self.bytes["edges"]["numbers"]),
                f"{self.report['tree']['ledger_bytes'] / report['states']:.2f}", f"{report['ledger_bytes'] / report['states']:.2f}"]


def edge_section(systems, rounds):
    runs = [EdgeRuns(system) for system in systems if system.name in EDGE_SYSTEMS]
    for i in range(rounds):
        for each in runs:
            print(f"edges, round {i + 1}: {each.system.name}", file=sys.stderr)
            for record in ("tree", "edges"):
                each.run(record)
    return [EDGE_TITLE, "",
            f"Medians of {rounds} rounds, in each of which every system runs with `--record tree` (what is written unless more is asked for) and with `--record edges`: all steps, as numbers of states",
            "with their transitions, and the map from temporary ids to final numbers. With edges nothing sleeps, and layers are held in another table, with a number for each state. Seconds as above.", "",
            *table(["system", "measure", "states", "edges", "tree: s", "edges: s", "more time", "bytes per edge", "of the map, bytes per edge", "tree: ledger bytes per state", "edges: ledger bytes per state"],
                   [each.row() for each in runs])]


def choose(program, shared):
    """The ten BEEM models, and the further monotonic ones."""
    families = {}
    for model, states, monotonic, measure in measures():
        families.setdefault(model.split(".")[0], []).append((model, states, monotonic, measure))
    smallest = {}
    for instance, known in known_counts(shared).items():
        family = instance.split(".")[0]
        if known[0] > LEAST and family in families and (shared / "beem" / f"{instance}.dve").is_file():
            smallest[family] = min(smallest.get(family, (known, instance)), (known, instance))
    systems = []
    for known, instance in sorted(smallest.values()):
        rows = families[instance.split(".")[0]]
        own = [row for row in rows if row[0] == instance] or [row for row in rows if row[1] == max(other[1] for other in rows)]
        _, _, monotonic, measure = own[0]
        system = System(instance, [str(program), "explore", str(shared / "beem" / f"{instance}.dve"), "--successors", "native"], measure, known)
        systems.append((system, monotonic))
    ten = [system for system, _ in systems[:10]]
    return ten, [system for system, monotonic in systems[10:] if monotonic and system.known[0] <= MOST]


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def mean_row(name, systems):
    if not systems:
        return [name, "0", "-", "-", "-"]
    return [name, str(len(systems)), overhead(mean([s.ratio() for s in systems])), overhead(mean([s.processor_ratio() for s in systems])), f"{mean([s.size() for s in systems]):.2f}"]


def bar_row(what, found, most, text):
    return [what, text(found), text(most), "yes" if found <= most else "**no**"]


def protocol_row(protocol, percent):
    """As bar_row; but a bar that lies among the results of single rounds is not called met."""
    row = bar_row(f"overhead, stop-and-wait 100-3 (in single rounds {protocol.spread()})", protocol.ratio() - 1, MOST_OVERHEAD_ALONE, percent)
    lowest, *_, highest = protocol.round_ratios()
    if lowest - 1 <= MOST_OVERHEAD_ALONE < highest - 1:
        row[-1] = "**not settled**"
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=3, help="at least 2")
    parser.add_argument("--only", default="", help="only systems whose name begins so; prints their rows instead of writing the page")
    parser.add_argument("--edges", action="store_true", help="only what recording edges costs, and write that section again")
    args = parser.parse_args()
    page = ROOT / "docs/ledger-overhead.md"
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "beem").is_dir():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    protocol = System("stop-and-wait 100-3", [str(args.build / "examples/stop_and_wait"), "explore", "--packets", "100", "--capacity", "3"], "auto")
    ten, further = choose(args.build / "tideline", shared)
    if args.edges:
        before = page.read_text().split(EDGE_TITLE)[0].rstrip("\n")
        page.write_text("\n".join([before, "", *edge_section(ten + further, args.rounds)]) + "\n")
        return
    chosen = [system for system in [protocol, *ten, *further] if system.name.startswith(args.only)]
    for i in range(args.rounds):
        for system in chosen:
            print(f"round {i + 1}: {system.name}", file=sys.stderr)
            for ledger in ("none", "auto"):
                system.run(ledger)
            system.check()
    heads = ["system", "measure", "states", "edges", "monotonic", "none: expanded / states", "ledger: reread / states", "compiling: s", "none: s", "ledger: s", "none: ns per edge", "ledger: ns per edge",
             "overhead", "in single rounds", "processor time", "packed bytes per state", "ledger bytes per state", "ledger / packed"]
    if args.only:
        print("\n".join(table(heads, [system.row() for system in chosen])))
        return
    everything = ten + further
    share = statistics.median(share for system in chosen for share in system.shares)
    percent = lambda part: f"{100 * part:.0f} %"
    plain = lambda size: f"{size:.2f}"
    text = ["# What the ledger costs", "",
            f"Written by `scripts/ledger_overhead.py`: medians of {args.rounds} rounds, in each of which every system runs without a ledger (`--ledger none`, the paper's algorithm) and with one",
            "(`--ledger auto`: states, predecessors and transitions, and what is needed to continue after a stop). Seconds are elapsed time, less compiling; beside them what the processors did, all threads together. Models are machine code.",
            "How the models are chosen is in the script: by size and by the measures that are there, not by results. " +
            f"Half of the runs without a ledger had less than {percent(share)} of a processor: where that is far below 100 %, other work", "was on the machine, and the figures are rougher.", "",
            "The two do the same work only where the measure is monotonic. Elsewhere the sweep without a ledger expands states again and never knows how many there are, and the",
            "sweep with one reads states back; what is compared there is two ways to an answer, not what writing costs. So these are also averaged apart.", "",
            "## Bars", ""]
    text += table(["what", "found", "at most", "met"],
                  [protocol_row(protocol, percent),
                   bar_row("overhead, ten BEEM models, geometric mean", mean([s.ratio() for s in ten]) - 1, MOST_OVERHEAD, percent),
                   bar_row("ledger / packed states, ten BEEM models, geometric mean", mean([s.size() for s in ten]), MOST_SIZE, plain)])
    text += ["", "## Geometric means", ""]
    text += table(["models", "number", "overhead", "processor time", "ledger / packed"],
                  [mean_row("the ten", ten), mean_row("of the ten, monotonic", [s for s in ten if s.monotonic()]), mean_row("of the ten, not monotonic", [s for s in ten if not s.monotonic()]),
                   mean_row("all monotonic", [s for s in everything if s.monotonic()])])
    text += ["", "## Systems", ""] + table(heads, [protocol.row()])
    text += ["", "## The ten", ""] + table(heads, [system.row() for system in ten])
    text += ["", "## Further monotonic measures", ""] + table(heads, [system.row() for system in further])
    text += ["", *edge_section(everything, args.rounds)]
    page.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
