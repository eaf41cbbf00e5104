#!/usr/bin/env -S python3 -B
"""Measures the numbered graph in memory on the twelve BEEM models of the benchmarks; writes the table of docs/algorithms/numbered-graph.md.

    bench/graph.py [--program build/release/bench/graph_figures] [--only MODEL ...] [--repeat 5] [--write]

The models lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared. Counts are compared with the known ones. Without --write the table is printed only.
For each model and one and two threads, breadth-first searches without sleep sets and searches that build the graph alternate in one process, and the smallest
time of each counts; processor time as well as time by the clock, since a busy machine spoils the latter.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

from run import BEEM, ROOT

PAGE = ROOT / "docs/algorithms/numbered-graph.md"
BEGIN, END = "<!-- figures: bench/graph.py -->", "<!-- end of figures -->"
CACHE = 16 << 20  # bytes: a node array of this size is in the cache most of the time


def known(shared):
    with open(shared / "reference/beem-states.csv", newline="", encoding="utf-8") as file:
        return {row["instance"]: (int(row["states"]), int(row["transitions"])) for row in csv.DictReader(file)}


def figures(program, model, threads, repeat):
    finished = subprocess.run([program, model, "--threads", str(threads), "--repeat", str(repeat)], capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        sys.exit(f"{model}: {finished.stderr}")
    return json.loads(finished.stdout)


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def table(rows):
    lines = ["| model | states | edges | bytes per edge | time, 1 thread | processor, 1 thread | time, 2 threads | processor, 2 threads | components | edges/s, arrays | edges/s, compressed |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    ratios = {}
    for name, (one, two) in rows.items():
        cells = [name, f"{one['states']:,}", f"{one['edges']:,}", f"{one['bytes'] / one['edges']:.2f}"]
        for threads, run in ((1, one), (2, two)):
            for clock in ("wall", "processor"):
                ratio = run[f"build_{clock}"] / run[f"search_{clock}"]
                ratios.setdefault((threads, clock), []).append(ratio)
                cells.append(f"{ratio:.2f}")
        cells += [f"{one['components']:,}", f"{one['array_rate']:.0f} M" + (" *" if 4 * one["states"] <= CACHE else ""), f"{one['compressed_rate']:.0f} M"]
        lines.append("| " + " | ".join(cells) + " |")
    means = [f"{mean(ratios[threads, clock]):.2f}" for threads in (1, 2) for clock in ("wall", "processor")]
    lines.append("| geometric mean | | | | " + " | ".join(means) + " | | | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/bench/graph_figures")
    parser.add_argument("--only", nargs="+", default=BEEM)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared"))
    if not (shared / "reference/beem-states.csv").is_file():
        sys.exit("BEEM is not there: TIDELINE_SHARED does not tell where it is")
    counts, rows = known(shared), {}
    for name in arguments.only:
        runs = [figures(arguments.program, shared / f"beem/{name}.dve", threads, arguments.repeat) for threads in (1, 2)]
        for run in runs:
            if (run["states"], run["edges"]) != counts[name]:
                sys.exit(f"{name}: {run['states']} states and {run['edges']} edges, expected {counts[name]}")
        rows[name] = runs
        print(name, *map(json.dumps, runs), file=sys.stderr, flush=True)
    text = table(rows)
    print(text)
    if arguments.write:
        before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        PAGE.write_text(before + BEGIN + "\n\n" + text + "\n\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
