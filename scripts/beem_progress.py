#!/usr/bin/env python3
"""Explorations of BEEM models by the measures that are found without asking; writes docs/beem-progress.md.

    scripts/beem_progress.py [--program build/release/tideline] [--most STATES] [--smallest N] [--only PREFIX]

For every instance of the reference facts up to --most states whose model is there: `tideline explore MODEL`, no option given, and breadth-first search
beside it. States and transitions must be those of the reference facts and every state must be expanded once: anything else ends the
script with an error. Then the products of the table of the LTL paper, with and without a ledger. For the --smallest largest instances the least --memory is
looked for with which the exploration ends within twice its time without a limit, and the memory of a breadth-first search with --compress stands beside it.

The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

from beem_sweep import ROOT, known_counts, percent, table

MEGABYTE = 1 << 20


def explore(program, path, *options):
    command = [str(program), "explore", str(path), "--json", "-", "--quiet", *options]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1, 3) or not done.stdout:
        sys.exit(f"{path.name} {' '.join(options)}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout), seconds


def shortened(measure):
    text = ", ".join(part if len(part) <= 40 else part[:37] + "..." for part in measure)
    return f"`{text}`" if text else "none"


def lines(heads, rows):
    return "\n".join(table(heads, rows)) + "\n"


def geometric_mean(numbers):
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))


def smallest_memory(program, path, seconds, rss):
    """The least --memory, within a tenth, with which the run is complete in twice the time."""
    low, high = 16 * MEGABYTE, rss
    while high > 1.1 * low:
        middle = int(math.sqrt(low * high))
        report, taken = explore(program, path, "--memory", str(middle // 1024) + "K", "--time", f"{2 * seconds + 1:.0f}s")
        if report["complete"] and taken <= 2 * seconds:
            high = middle
        else:
            low = middle
    return high


def instances(args, shared):
    rows, shares, predicted = [], [], []
    for instance, known in sorted(known_counts(shared).items(), key=lambda item: item[1]):
        path = shared / "beem" / f"{instance}.dve"
        if known[0] > args.most or not path.is_file() or not instance.startswith(args.only):
            continue
        swept, seconds = explore(args.program, path)
        full, full_seconds = explore(args.program, path, "--engine", "bfs")
        if (swept["states"], swept["transitions"]) != known or swept["expanded"] != known[0]:
            sys.exit(f"{instance}: {swept['states']} states, {swept['transitions']} transitions, {swept['expanded']} expanded; known are {known}")
        share = swept["peak_states"] / known[0]
        guess = swept["progress"]["predicted_share"] or 1.0
        shares.append(share)
        predicted.append(0.5 <= guess / share <= 2)
        rows.append([instance, shortened(swept["progress"]["components"]), f"{known[0]:,}", f"{swept['peak_states']:,}", percent(swept["peak_states"], known[0]),
                     f"{100 * guess:.1f} %", f"{swept['spilled']:,}", f"{swept['reread'] / known[0]:.2f}", f"{swept['sweeps']:,}", f"{seconds:.1f}",
                     f"{seconds / full_seconds:.1f}", f"{swept['peak_rss_bytes'] / MEGABYTE:.0f}", f"{full['peak_rss_bytes'] / MEGABYTE:.0f}"])
        print(f"{instance}: {100 * share:.1f} %", file=sys.stderr)
    return rows, shares, predicted


def products(args, shared):
    rows = []
    with open(shared / "reference" / "ltl-sweep-table.csv", newline="") as file:
        for row in csv.DictReader(file):
            path = shared / "beem" / f"{row['instance']}.prop{row['property']}.dve"
            if not path.is_file():
                rows.append([f"{row['instance']} {row['property']}"] + ["the model is not there"] + [""] * 8)
                continue
            exact, _ = explore(args.program, path)
            forgetful, _ = explore(args.program, path, "--ledger", "none")
            states = exact["states"]
            rows.append([f"{row['instance']} {row['property']}", shortened(exact["progress"]["components"]), f"{states:,}", f"{exact['expanded'] / states:.3f}",
                         f"{exact['peak_states'] / states:.3f}", row["sweep_stored"], f"{exact['reread'] / states:.2f}", f"{forgetful['expanded'] / states:.3f}",
                         row["sweep_visited"], f"{forgetful['peak_states'] / states:.3f}"])
            print(rows[-1][0], file=sys.stderr)
    return rows


def smallest(args, shared):
    rows, ratios = [], []
    largest = sorted(((known, instance) for instance, known in known_counts(shared).items()
                      if known[0] <= args.most and (shared / "beem" / f"{instance}.dve").is_file()), reverse=True)[:args.smallest]
    for known, instance in largest:
        path = shared / "beem" / f"{instance}.dve"
        swept, seconds = explore(args.program, path)
        compressed, _ = explore(args.program, path, "--engine", "bfs", "--compress")
        least = smallest_memory(args.program, path, seconds, swept["peak_rss_bytes"])
        ratios.append(least / compressed["peak_rss_bytes"])
        rows.append([instance, f"{known[0]:,}", f"{seconds:.1f}", f"{swept['peak_rss_bytes'] / MEGABYTE:.0f}", f"{least / MEGABYTE:.0f}",
                     f"{compressed['peak_rss_bytes'] / MEGABYTE:.0f}", f"{ratios[-1]:.2f}"])
        print(f"{instance}: {ratios[-1]:.2f}", file=sys.stderr)
    return rows, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--most", type=int, default=20_000_000)
    parser.add_argument("--smallest", type=int, default=0)
    parser.add_argument("--only", default="", help="only models whose name begins so; prints the page instead of writing it")
    args = parser.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "beem").is_dir():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    rows, shares, predicted = instances(args, shared)
    text = ("# BEEM by measures found without asking\n\n"
            f"Written by `scripts/beem_progress.py{f' --smallest {args.smallest}' if args.smallest else ''}` from runs of the program, one after the other, with no option but where said. "
            "In every run with a ledger each state was expanded exactly once, and states and transitions were those of the reference; the script would have failed otherwise. "
            "Times are those of the whole command, pilot run and compilation included.\n\n"
            f"{len(rows)} instances: geometric mean of peak / states {geometric_mean(shares):.3f}; the predicted peak is within a factor of 2 for {sum(predicted)}.\n\n")
    text += lines(["model", "measure", "states", "peak", "peak / states", "predicted", "spilled", "reread / states", "passes", "seconds", "by bfs", "MB", "MB of bfs"], rows)
    if not args.only:
        text += "\n## The products of the LTL paper\n\nBeside our figures, those of the paper's sweep.\n\n"
        text += lines(["product", "measure", "states", "expanded / states", "peak / states", "paper", "reread / states", "without a ledger: expanded / states", "paper", "peak / states"],
                      products(args, shared))
    if args.smallest:
        rows, ratios = smallest(args, shared)
        text += ("\n## The smallest memory\n\nThe least `--memory` with which the run ends within twice its time without a limit, and the memory of `--engine bfs --compress`. "
                 f"Geometric mean of the ratio: {geometric_mean(ratios):.2f}.\n\n")
        text += lines(["model", "states", "seconds", "MB without a limit", "smallest MB", "MB of bfs, compressed", "ratio"], rows)
    if args.only:
        print(text)
    else:
        (ROOT / "docs" / "beem-progress.md").write_text(text)


if __name__ == "__main__":
    main()
