#!/usr/bin/env python3
"""Exact sweeps through BEEM models, with the paper's generalised sweep beside them; writes docs/beem-exact.md.

    scripts/beem_exact.py [--program build/release/tideline] [--most STATES] [--random N] [--only PREFIX] [--go-on]

For every instance up to --most states: the measure of beem_measures.csv or, where there is none, the sum of all locations; that measure negated; and a
constant. For --random instances of at most 500,000 states also a random measure of 64 keys. In every run each state must be expanded exactly once,
and states and transitions must be those of the reference facts: anything else ends the script with an error. The page is written after every row, since
all of them take hours; --go-on keeps the rows that it has and runs the others.

The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from beem_sweep import ROOT, known_counts, measures, percent, table


def processes(path):
    return re.findall(r"^\s*process\s+(\w+)", path.read_text(), re.MULTILINE)


def negated(measure):
    return ",".join(f"0-({part})" for part in measure.split(","))


def random_measure(path, seed):
    rng = random.Random(seed)
    return "(" + "+".join(f"{rng.randrange(1, 64)}*{name}" for name in processes(path)) + ")%64"


def sweep(program, path, measure, ledger):
    command = [str(program), "explore", str(path), "--threads", "1", "--engine", "sweep", "--progress", measure, "--ledger", ledger, "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"{path.name} by {measure}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def row(program, path, kind, measure, known):
    exact = sweep(program, path, measure, "auto")
    if (exact["states"], exact["transitions"]) != known:
        sys.exit(f"{path.name} by {measure}: {exact['states']} states and {exact['transitions']} transitions, known are {known}")
    if exact["expanded"] != exact["states"]:
        sys.exit(f"{path.name} by {measure}: {exact['expanded']} states were expanded, there are {exact['states']}")
    forgetful = sweep(program, path, measure, "none")
    states = exact["states"]
    return [path.stem, kind, f"`{measure}`", f"{states:,}", f"{exact['layers']:,}", f"{exact['sweeps']:,}", f"{exact['expanded']:,}", f"{exact['reread']:,}",
            f"{exact['peak_states']:,}", percent(exact["peak_states"], states), f"{exact['spilled']:,}", f"{forgetful['sweeps']:,}", f"{forgetful['expanded'] / states:.2f}",
            percent(forgetful["peak_states"], states)]


def rows_of(page):
    """The rows of a page that was written before, by model, kind and measure."""
    lines = page.read_text().splitlines() if page.is_file() else []
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {tuple(row[:3]): row for row in cells[2:]}


def page_text(most, rows):
    text = ["# BEEM by exact sweep", "",
            f"Written by `scripts/beem_exact.py --most {most}` from runs of the program, one after the other: instances of the reference facts up to {most:,} states, each by a given",
            "measure (or the sum of all locations), by the same negated, by a constant, and some by a random measure of 64 keys. In each run every state was expanded exactly once, and states",
            "and transitions were those of the reference; the script would have failed otherwise. Beside them: sweeps, expansions and peak of the paper's generalised sweep (`--ledger none`).", ""]
    return "\n".join(text + table(["model", "kind", "measure", "states", "layers", "passes", "expanded", "reread", "peak", "peak / states", "spilled", "paper: sweeps",
                                   "paper: expanded / states", "paper: peak / states"], rows)) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--most", type=int, default=5_000_000)
    parser.add_argument("--random", type=int, default=30)
    parser.add_argument("--only", default="", help="only models whose name begins so; prints the page instead of writing it")
    parser.add_argument("--go-on", action="store_true", help="keep the rows that the page has")
    args = parser.parse_args()
    page = ROOT / "docs/beem-exact.md"
    written = rows_of(page) if args.go_on else {}
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "beem").is_dir():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    given = {model: measure for model, _, _, measure in measures()}
    rows = []
    left = args.random
    for instance, known in sorted(known_counts(shared).items()):
        path = shared / "beem" / f"{instance}.dve"
        if known[0] > args.most or not path.is_file() or not instance.startswith(args.only):
            continue
        measure = given.get(instance) or "+".join(processes(path))
        chosen = [("given" if instance in given else "locations", measure), ("negated", negated(measure)), ("constant", "0")]
        if left > 0 and known[0] <= 500_000:
            chosen.append(("random", random_measure(path, instance)))
            left -= 1
        for kind, expression in chosen:
            before = written.get((instance, kind, f"`{expression}`"))
            if not before:
                print(instance, kind, file=sys.stderr, flush=True)
            rows.append(before or row(args.program, path, kind, expression, known))
            if not before and not args.only:
                done = {tuple(cells[:3]) for cells in rows}
                page.write_text(page_text(args.most, rows + [cells for key, cells in written.items() if key not in done]))
    if args.only:
        print(page_text(args.most, rows), end="")


if __name__ == "__main__":
    main()
