#!/usr/bin/env python3
"""Explorations of BEEM models by the measures that are found without asking; writes docs/beem-progress.md.

    scripts/beem_progress.py [--program build/release/tideline] [--most STATES] [--largest N] [--only PREFIX] [--go-on]

For every instance of the reference facts up to --most states whose model is there: `tideline explore MODEL`, no option given, and breadth-first search
beside it. States and transitions must be those of the reference facts and every state must be expanded once: anything else ends the
script with an error. Then, among powers of two, the least --memory with which the exploration ends within twice its time without a limit. Times are those of the
processor, so that other work on the machine does not count. For the ten
largest instances the memory of a breadth-first search with --compress stands beside it, and the page says whether the bars are met: no more than that for
each, half of it as the geometric mean. The same is told of the products of the table of the LTL paper, which are swept without a ledger too, and of the
stop-and-wait protocol, both beside the figures of the papers.

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
from papers import STOP_AND_WAIT

MEGABYTE = 1 << 20
RUN_HEADS = ["measure", "states", "expanded", "peak", "peak / states", "predicted", "spilled", "reread / states", "passes", "seconds", "by bfs", "MB", "MB of bfs", "smallest MB"]
HEADS = ["model", *RUN_HEADS, "MB of bfs, compressed"]
PRODUCT_HEADS = ["product", *RUN_HEADS, "paper's peak / states", "without a ledger: expanded / states", "peak / states", "paper's expanded / states"]
PROTOCOL_HEADS = ["packets-capacity", *RUN_HEADS, "paper's peak"]
STATES, PEAK, PREDICTED, SMALLEST = (1 + RUN_HEADS.index(head) for head in ("states", "peak", "predicted", "smallest MB"))
LARGEST = 10


def explore(program, path, *options, most=None):
    """The report of a run and the seconds of the processor that it took; no report where those are more than `most`."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/tmp")) as folder:  # a run that is stopped leaves its ledger
        report = Path(folder) / "report.json"
        limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(most), math.ceil(most) + 1))) if most else None
        process = subprocess.Popen([str(program), "explore", str(path), "--threads", "1", "--json", str(report), "--quiet", *options], stdout=subprocess.DEVNULL,
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
        report, taken = explore(program, path, "--engine", "sweep", "--memory", f"{2 ** middle}M", most=2 * seconds)
        is_enough = report is not None and report["complete"]
        print(f"{path.stem} {2 ** middle}M: {taken:.1f} s {'enough' if is_enough else 'too little'}", file=sys.stderr, flush=True)
        if is_enough and (report["states"], report["transitions"], report["expanded"]) != (*known, known[0]):
            sys.exit(f"{path.name} with {2 ** middle} MB: {report['states']} states, {report['transitions']} transitions, {report['expanded']} expanded; known are {known}")
        if is_enough:
            high = middle
        else:
            low = middle
    return 2 ** high


def run_cells(program, path, known):
    """A sweep by the measure that is found, beside a breadth-first search: the cells of RUN_HEADS. What is known: states and transitions, or nothing."""
    swept, seconds = explore(program, path, "--engine", "sweep")
    full, full_seconds = explore(program, path, "--engine", "bfs")
    known = known or (full["states"], full["transitions"])
    for report in (swept, full):
        if (report["states"], report["transitions"], report["expanded"]) != (*known, known[0]):
            sys.exit(f"{path.name}: {report['states']} states, {report['transitions']} transitions, {report['expanded']} expanded; known are {known}")
    least = smallest_memory(program, path, known, seconds, swept["peak_rss_bytes"])
    return [shortened(swept["progress"]["components"]), f"{known[0]:,}", f"{swept['expanded']:,}", f"{swept['peak_states']:,}", percent(swept["peak_states"], known[0]),
            f"{100 * (swept['progress']['predicted_share'] or 1.0):.1f} %", f"{swept['spilled']:,}", f"{swept['reread'] / known[0]:.2f}", f"{swept['sweeps']:,}", f"{seconds:.1f}",
            f"{seconds / full_seconds:.1f}", f"{swept['peak_rss_bytes'] / MEGABYTE:.0f}", f"{full['peak_rss_bytes'] / MEGABYTE:.0f}", f"{least}"]


def instance_row(program, path, known, is_large):
    compressed = explore(program, path, "--engine", "bfs", "--compress")[0]["peak_rss_bytes"] if is_large else None
    return [path.stem, *run_cells(program, path, known), f"{compressed / MEGABYTE:.0f}" if is_large else ""]


def product_row(program, shared, row):
    name = f"{row['instance']} {row['property']}"
    path = shared / "beem" / f"{row['instance']}.prop{row['property']}.dve"
    if not path.is_file():
        return [name, "the model is not there"] + [""] * (len(PRODUCT_HEADS) - 2)
    cells = run_cells(program, path, None)
    forgetful, _ = explore(program, path, "--engine", "sweep", "--ledger", "none")
    states = number(cells[STATES - 1])
    return [name, *cells, row["sweep_stored"], f"{forgetful['expanded'] / states:.3f}", f"{forgetful['peak_states'] / states:.3f}", row["sweep_visited"]]


def protocol_row(program, packets, capacity):
    states, transitions, peak = STOP_AND_WAIT[packets, capacity][:3]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"stop_and_wait_{packets}_{capacity}.dve"
        path.write_text(subprocess.run([sys.executable, str(ROOT / "examples/stop_and_wait.py"), str(packets), str(capacity)], capture_output=True, text=True, check=True).stdout)
        return [f"{packets}-{capacity}", *run_cells(program, path, (states, transitions)), f"{peak:,}"]


def rows_of(page, heads):
    """The rows of one of the tables of a page that was written before, by their first cells. Columns that it did not have are empty."""
    found, within = {}, False
    for line in page.read_text().splitlines() if page.is_file() else []:
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("| ") else []
        if not cells or cells[0] in (HEADS[0], PRODUCT_HEADS[0], PROTOCOL_HEADS[0]):
            within = bool(cells) and cells[0] == heads[0]
        elif within and cells[0] != "---":
            found[cells[0]] = cells + [""] * (len(heads) - len(cells))
    return found


def bars(rows):
    """What the rows with both columns say about the bars."""
    ratios = [number(row[SMALLEST]) / number(row[-1]) for row in rows if row[SMALLEST] and row[-1]]
    if not ratios:
        return ""
    mean, met = geometric_mean(ratios), sum(ratio <= 1 for ratio in ratios)
    verdict = "the others are missing" if len(ratios) < LARGEST else "both bars are met" if mean <= 0.5 and met == LARGEST else "NOT BOTH BARS ARE MET"
    return (f"\nFor {len(ratios)} of the {LARGEST} largest instances the memory of `--engine bfs --compress`, the whole program's, stands beside it: the smallest `--memory` is at most as "
            f"much in {met} (the bar: all), and {mean:.2f} of it as the geometric mean (the bar: 0.5); {verdict}.\n")


def product_bars(products):
    known = [row for row in products if row[SMALLEST]]
    if not known:
        return ""
    peaks = [number(row[PEAK]) / number(row[STATES]) / number(row[-4]) for row in known]
    expanded = [number(row[-3]) / number(row[-1]) for row in known]
    return (f"With a ledger, peak / states is at most the paper's in {sum(peak <= 1 for peak in peaks)} of {len(known)} (the bar: 10) and at most {max(peaks):.2f} times it in all (the bar: 1.5). "
            f"Without one, expanded / states is at most the paper's in {sum(ratio <= 1 for ratio in expanded)} (the bar: 10).\n\n")


def protocol_bar(protocols):
    met = sum(number(row[PEAK]) <= number(row[-1]) for row in protocols)
    return f"The peak is at most the paper's in {met} of {len(protocols)} (the bar: all).\n\n" if protocols else ""


def page_text(rows, products, protocols):
    shares = [number(row[PEAK]) / number(row[STATES]) for row in rows]
    near = sum(0.5 <= number(row[PREDICTED]) / 100 / share <= 2 for row, share in zip(rows, shares))
    return ("# BEEM by measures found without asking\n\n"
            "Written by `scripts/beem_progress.py` from runs of the program with no option but where said. "
            "In every run with a ledger each state was expanded exactly once, and states and transitions were those of the reference (of a breadth-first search, for the products); "
            "the script would have failed otherwise. "
            "Times are seconds of the processor for the whole command, pilot run, compilation and the ledger's thread included. *By bfs*: divided by those of a breadth-first search.\n\n"
            f"{len(rows)} instances: geometric mean of peak / states {geometric_mean(shares):.3f} (the bar: 0.2); the predicted peak is within a factor of 2 for {near}, "
            f"{percent(near, len(rows))} (the bar: 80 %).\n\n"
            "The smallest memory is the least `--memory`, in MB and among powers of two, with which the run ends within twice its time without a limit; it does not count the program's own memory. "
            f"It was looked for in {sum(bool(row[SMALLEST]) for row in rows)} of the instances.\n" + bars(rows) + "\n" + "\n".join(table(HEADS, rows)) + "\n"
            "\n## The products of the LTL paper\n\nBeside our figures, those of the paper's sweep. " + product_bars(products) + "\n".join(table(PRODUCT_HEADS, products)) + "\n"
            "\n## The stop-and-wait protocol\n\nAs `examples/stop_and_wait.py` writes it, beside the peak of the sweep of the CTL paper, whose measure was given by hand. "
            + protocol_bar(protocols) + "\n".join(table(PROTOCOL_HEADS, protocols)) + "\n")


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
    protocols = rows_of(page, PROTOCOL_HEADS) if keeps else {}

    def write():
        text = page_text(sorted(rows.values(), key=lambda row: number(row[2])), list(products.values()), list(protocols.values()))
        if args.only:
            print(text)
        else:
            page.write_text(text)

    instances = sorted((known, name) for name, known in known_counts(shared).items() if known[0] <= args.most and (shared / "beem" / f"{name}.dve").is_file())
    large = {name for _, name in instances[-LARGEST:]}
    for known, name in instances[-args.largest:]:
        is_done = args.go_on and name in rows and rows[name][SMALLEST] and (rows[name][-1] or name not in large)
        if is_done or not name.startswith(args.only):
            continue
        rows[name] = instance_row(args.program, shared / "beem" / f"{name}.dve", known, name in large)
        print(", ".join(f"{head} {cell}" for head, cell in zip(HEADS, rows[name]) if head != "measure"), file=sys.stderr, flush=True)
        if not args.only:
            write()
    if not args.only and not args.largest:
        for packets, capacity in STOP_AND_WAIT:
            name = f"{packets}-{capacity}"
            if not args.go_on or name not in protocols:
                protocols[name] = protocol_row(args.program, packets, capacity)
                print(name, file=sys.stderr, flush=True)
                write()
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
