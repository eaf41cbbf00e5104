#!/usr/bin/env -S python3 -B
"""Large BEEM models by default options in little memory: the sections of docs/large-models.md that show it.

    bench/large_models.py [--program build/release/tideline] [--folder DIR] [--only MODEL=MEMORY ...] [--out FILE]

Runs `tideline explore MODEL --memory MEMORY`, by default lifts.9 and leader_election.7 with 2G each; `--only lamport.9=20G` runs another one. The run must be complete, with the states and transitions of
reference/beem-states.csv, every state expanded once, its memory within the limit and the program's own 100 MB, and must have changed to the sweep. Each takes from minutes to hours and some GB of disk in
--folder (TMPDIR, or else the current folder), which is looked at first. A run that is interrupted leaves a ledger there, and says how to resume it. Logs go to --out as Markdown (default: standard output), with the times and the number
of processors, and whether the machine had other work.

BEEM lies outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared"))
DEFAULT = ["lifts.9=2G", "leader_election.7=2G"]
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
PROGRAM_MEMORY = 100 << 20
BYTES_PER_STATE = 30  # of disk, more than any of these has needed


def known_counts():
    with open(SHARED / "reference" / "beem-states.csv", newline="", encoding="utf-8") as file:
        return {row[0]: (int(row[1]), int(row[2])) for row in csv.reader(file) if len(row) > 2 and row[1].isdigit() and row[2].isdigit()}


def size(text):
    match = re.fullmatch(r"(\d+)([KMG])", text)
    if not match:
        sys.exit(f"{text}: a size is a number with K, M or G")
    return int(match[1]) * UNITS[match[2]]


def anonymous_memory(process, stop, peak):
    """Keeps the most anonymous memory that the process has had: what --memory limits."""
    while not stop.wait(0.2):
        try:
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        except OSError:
            return
        found = re.search(r"RssAnon:\s+(\d+) kB", status)
        if found:
            peak[0] = max(peak[0], int(found[1]) * 1024)


def run(program, model, memory, folder, known):
    """The section of the page, and what is wrong with the run."""
    path = SHARED / "beem" / f"{model}.dve"
    report_file = Path(folder) / "report.json"
    load = os.getloadavg()[0]
    start = time.monotonic()
    process = subprocess.Popen([program, "explore", str(path), "--memory", memory, "--json", str(report_file)], env={**os.environ, "TMPDIR": str(folder)}, stdout=subprocess.PIPE, encoding="utf-8")
    stop, peak = threading.Event(), [0]
    watch = threading.Thread(target=anonymous_memory, args=(process, stop, peak))
    watch.start()
    try:
        text = process.communicate()[0]
    finally:
        stop.set()
        watch.join()
    wall = time.monotonic() - start
    wrong = []
    if process.returncode != 0:
        wrong.append(f"exit status {process.returncode}")
    report = json.loads(report_file.read_text(encoding="utf-8")) if report_file.exists() and report_file.stat().st_size > 0 else None
    if report is not None:
        states, transitions = known[model]
        for name, expected in (("complete", True), ("states", states), ("transitions", transitions), ("expanded", states)):
            if report[name] != expected:
                wrong.append(f"{name} is {report[name]}, not {expected}")
        if report["changed_over"] is None:
            wrong.append("it did not change to the sweep")
    if peak[0] > size(memory) + PROGRAM_MEMORY:
        wrong.append(f"{peak[0] >> 20} MB of memory")
    section = (f"{model}, `--memory {memory}`: {wall:.0f} s of wall time, at most {peak[0] / (1 << 20):.0f} MB of anonymous memory, {os.cpu_count()} processors, load {load:.1f} at the beginning.\n\n"
               f"```\n$ tideline explore {model}.dve --memory {memory}\n{text}```\n")
    return section, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=ROOT / "build/release/tideline")
    parser.add_argument("--folder", default=os.environ.get("TMPDIR", "."))
    parser.add_argument("--only", nargs="+", default=DEFAULT, metavar="MODEL=MEMORY")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    if not (SHARED / "beem").is_dir():
        print(f"{SHARED / 'beem'} is not there: nothing is run", file=sys.stderr)
        return 0
    known = known_counts()
    out = open(arguments.out, "a", encoding="utf-8") if arguments.out else sys.stdout
    failed = False
    for each in arguments.only:
        model, _, memory = each.partition("=")
        if model not in known:
            sys.exit(f"{model}: its counts are not known")
        size(memory)
        free = shutil.disk_usage(arguments.folder).free
        if free < known[model][0] * BYTES_PER_STATE:
            sys.exit(f"{arguments.folder} has {free >> 30} GB, and {model} may need {known[model][0] * BYTES_PER_STATE >> 30}")
        folder = tempfile.mkdtemp(prefix=f"{model}-", dir=arguments.folder)
        section, wrong = run(str(Path(arguments.program).resolve()), model, memory, folder, known)
        print(section, file=out, flush=True)
        for text in wrong:
            print(f"FAILED: {model}: {text}", file=sys.stderr, flush=True)
        if wrong:
            failed = True
            print(f"{folder} is kept", file=sys.stderr)
        else:
            shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
