#!/usr/bin/env python3
"""Explorations of BEEM models by the measures that are found without asking; writes docs/beem-progress.md.

    scripts/beem_progress.py [--program build/release/tideline] [--most STATES] [--largest N] [--only PREFIX] [--go-on]

For every instance of the reference facts up to --most states whose model is there: `tideline explore MODEL`, no option given, and breadth-first search
beside it. States and transitions must be those of the reference facts and every state must be expanded once: anything else ends the
script with an error. Then, among powers of two, the least --memory with which the exploration ends within twice its time without a limit. Times are those of the
processor, so that other work on the machine does not count. For the ten
largest instances the memory of a breadth-first search with --compress stands beside it, and the page says whether the bars are met: no more than that for
each, half of it as the geometric mean. Last come the products of the table of the LTL paper, with and without a ledger.

The page is written after every row, since all of them take hours. --go-on keeps the rows that have all columns and runs the others; --largest runs the
largest N instances and keeps all other rows that the page has.

The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from beem_sweep import ROOT, known_counts, percent, table

MEGABYTE = 1 << 20
HEADS = ["model", "measure", "states", "peak", "peak / states", "predicted", "spilled", "reread / states", "passes", "seconds", "by bfs", "MB", "MB of bfs", "smallest MB",
         "MB of bfs, compressed"]
PRODUCT_HEADS = ["product", "measure", "states", "expanded / states", "peak / states", "paper", "reread / states", "without a ledger: expanded / states", "paper", "peak / states"]
LARGEST = 10


def explore(program, path, *options, most=None):
    """The report of a run and the seconds of the processor that it took; no report where those are more than `most`."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as folder:  # a run that is stopped leaves its ledger
        report = Path(folder) / "report.json"
        limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(most), math.ceil(most) + 1))) if most else None
        process = subprocess.Popen([str(program), "explore", str(path), "--json", str(report), "--quiet", *options], stdout=subprocess.DEVNULL,
                                   env={**os.environ, "TMPDIR": folder}, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        if most and (seconds > most or process.returncode < 0):
            return None, seconds
        if process.returncode not in (0, 1, 3):
            sys.exit(f"{path.name} {' '.join(options)}: exit status {process.returncode}")
        return json.loads(report.read_text()), seconds


def shortened(measure):
    text = ", ".join(part if len(part) <= 40 else part[:37] + "..." for part in measure)
    return f"`{text}`" if text else "none"


def geometric_mean(numbers):
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))


def number(cell):
    return float(cell.replace(",", "").rstrip(" %"))


def smallest_memory(program, path, known, seconds, rss):
    """The least power of two, in MB from 2 on, that is enough for a run in twice the time; without a limit it took `rss` bytes."""
    low, high = 0, max(1, math.ceil(math.log2(rss / MEGABYTE)))  # 2 ** low is too little, or was not tried; 2 ** high is enough
    while high - low > 1:
        middle = (low + high) // 2
        report, taken = explore(program, path, "--memory", f"{2 ** middle}M", most=2 * seconds)
        is_enough = report is not None and report["complete"]
        print(f"{path.stem} {2 ** middle}M: {taken:.1f} s {'enough' if is_enough else 'too little'}", file=sys.stderr, flush=True)
        if is_enough and (report["states"], report["transitions"], report["expanded"]) != (*known, known[0]):
            sys.exit(f"{path.name} with {2 ** middle} MB: {report['states']} states, {report['transitions']} transitions, {report['expanded']} expanded; known are {known}")
        if is_enough:
            high = middle
        else:
            low = middle
    return 2 ** high


def instance_row(program, path, known, is_large):
    swept, seconds = explore(program, path)
    full, full_seconds = explore(program, path, "--engine", "bfs")
    if (swept["states"], swept["transitions"], swept["expanded"]) != (*known, known[0]):
        sys.exit(f"{path.name}: {swept['states']} states, {swept['transitions']} transitions, {swept['expanded']} expanded; known are {known}")
    least = smallest_memory(program, path, known, seconds, swept["peak_rss_bytes"])
    compressed = explore(program, path, "--engine", "bfs", "--compress")[0]["peak_rss_bytes"] if is_large else None
    return [path.stem, shortened(swept["progress"]["components"]), f"{known[0]:,}", f"{swept['peak_states']:,}", percent(swept["peak_states"], known[0]),
            f"{100 * (swept['progress']['predicted_share'] or 1.0):.1f} %", f"{swept['spilled']:,}", f"{swept['reread'] / known[0]:.2f}", f"{swept['sweeps']:,}", f"{seconds:.1f}",
            f"{seconds / full_seconds:.1f}", f"{swept['peak_rss_bytes'] / MEGABYTE:.0f}", f"{full['peak_rss_bytes'] / MEGABYTE:.0f}", f"{least}",
            f"{compressed / MEGABYTE:.0f}" if is_large else ""]


def product_row(program, shared, row):
    name = f"{row['instance']} {row['property']}"
    path = shared / "beem" / f"{row['instance']}.prop{row['property']}.dve"
    if not path.is_file():
        return [name, "the model is not there"] + [""] * 8
    exact, _ = explore(program, path)
    forgetful, _ = explore(program, path, "--ledger", "none")
    states = exact["states"]
    return [name, shortened(exact["progress"]["components"]), f"{states:,}", f"{exact['expanded'] / states:.3f}", f"{exact['peak_states'] / states:.3f}", row["sweep_stored"],
            f"{exact['reread'] / states:.2f}", f"{forgetful['expanded'] / states:.3f}", row["sweep_visited"], f"{forgetful['peak_states'] / states:.3f}"]


def rows_of(page, heads):
    """The rows of one of the tables of a page that was written before, by their first cells. Columns that it did not have are empty."""
    found, within = {}, False
    for line in page.read_text().splitlines() if page.is_file() else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("| ") else []
        if not cells or cells[0] in ("model", "product"):
            within = bool(cells) and cells[0] == heads[0]
        elif within and cells[0] != "---":
            found[cells[0]] = cells + [""] * (len(heads) - len(cells))
    return found


def bars(rows):
    """What the rows with both columns say about the bars."""
    ratios = [number(row[-2]) / number(row[-1]) for row in rows if row[-2] and row[-1]]
    if not ratios:
        return ""
    mean, met = geometric_mean(ratios), sum(ratio <= 1 for ratio in ratios)
    verdict = "the others are missing" if len(ratios) < LARGEST else "both bars are met" if mean <= 0.5 and met == LARGEST else "NOT BOTH BARS ARE MET"
    return (f"\nFor {len(ratios)} of the {LARGEST} largest instances the memory of `--engine bfs --compress`, the whole program's, stands beside it: the smallest `--memory` is at most as "
            f"much in {met} (the bar: all), and {mean:.2f} of it as the geometric mean (the bar: 0.5); {verdict}.\n")


def page_text(rows, products):
    shares = [number(row[3]) / number(row[2]) for row in rows]
    near = sum(0.5 <= number(row[5]) / 100 / share <= 2 for row, share in zip(rows, shares))
    return ("# BEEM by measures found without asking\n\n"
            "Written by `scripts/beem_progress.py` from runs of the program, one after the other, with no option but where said. "
            "In every run with a ledger each state was expanded exactly once, and states and transitions were those of the reference; the script would have failed otherwise. "
            "Times are seconds of the processor for the whole command, pilot run, compilation and the ledger's thread included; where no smallest memory is given, they are from "
            "an earlier run and tell the time that passed.\n\n"
            f"{len(rows)} instances: geometric mean of peak / states {geometric_mean(shares):.3f}; the predicted peak is within a factor of 2 for {near}.\n\n"
            "The smallest memory is the least `--memory`, among powers of two, with which the run ends within twice its time without a limit; it leaves the program's own memory aside. "
            f"It was looked for in {sum(bool(row[-2]) for row in rows)} of the instances.\n" + bars(rows) + "\n" + "\n".join(table(HEADS, rows)) + "\n"
            "\n## The products of the LTL paper\n\nBeside our figures, those of the paper's sweep.\n\n" + "\n".join(table(PRODUCT_HEADS, products)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--most", type=int, default=20_000_000)
    parser.add_argument("--largest", type=int, default=0, help="only this many, the largest ones")
    parser.add_argument("--only", default="", help="only models whose name begins so; prints the page instead of writing it")
    parser.add_argument("--go-on", action="store_true", help="keep the rows that the page has")
    args = parser.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "beem").is_dir():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    page = ROOT / "docs" / "beem-progress.md"
    keeps = (args.go_on or args.largest) and not args.only
    rows = rows_of(page, HEADS) if keeps else {}
    products = rows_of(page, PRODUCT_HEADS) if keeps else {}

    def write():
        text = page_text(sorted(rows.values(), key=lambda row: number(row[2])), list(products.values()))
        if args.only:
            print(text)
        else:
            page.write_text(text)

    instances = sorted((known, name) for name, known in known_counts(shared).items() if known[0] <= args.most and (shared / "beem" / f"{name}.dve").is_file())
    large = {name for _, name in instances[-LARGEST:]}
    for known, name in instances[-args.largest:]:
        is_done = args.go_on and name in rows and rows[name][-2] and (rows[name][-1] or name not in large)
        if is_done or not name.startswith(args.only):
            continue
        rows[name] = instance_row(args.program, shared / "beem" / f"{name}.dve", known, name in large)
        print(", ".join(f"{head} {cell}" for head, cell in zip(HEADS, rows[name]) if head != "measure"), file=sys.stderr, flush=True)
        if not args.only:
            write()
    if not args.only and not args.largest:
        with open(shared / "reference" / "ltl-sweep-table.csv", newline="") as file:
            for row in csv.DictReader(file):
                name = f"{row['instance']} {row['property']}"
                if not args.go_on or name not in products:
                    products[name] = product_row(args.program, shared, row)
                    print(name, file=sys.stderr, flush=True)
                    write()
    write()


if __name__ == "__main__":
    main()
