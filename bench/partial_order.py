#!/usr/bin/env -S python3 -B
"""Compares stubborn sets with SPIN's partial-order reduction on the five pairs of models; prints a table.

    bench/partial_order.py [--program build/release/tideline] [--parameters test|bench] [--only MODEL ...]

Three searches of each model for deadlocks: SPIN's reduced one of its Promela file, Tideline's with --stubborn auto of the same Promela
file and of the DVE model (models.py), which takes the same steps. The Promela files lie in TIDELINE_SHARED/spin (by default ../shared).
"""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import models

ROOT = Path(__file__).resolve().parent.parent


def run(command, folder):
    start = time.monotonic()
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    return done, time.monotonic() - start


def spin(promela, parameters, folder):
    generate = ["spin", "-a", "-o1", "-o2", "-o3", *(f"-D{p}" for p in parameters), promela]
    compile_it = ["gcc", "-O2", "-DSAFETY", "-w", "-o", "pan", "pan.c"]
    for command in (generate, compile_it):
        done, _ = run(command, folder)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
    done, seconds = run(["./pan", "-m1000000", "-w20", "-c0"], folder)
    return int(float(re.search(r"([0-9.e+]+) states, stored", done.stdout)[1])), seconds


def tideline(program, model, more, stubborn, folder):
    command = [program, "explore", model, "--engine", "bfs", "--threads", "1", "--stubborn", stubborn, "--quiet", "--json", "-", *more]
    done, seconds = run(command, folder)
    if done.returncode > 1:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    report = json.loads(done.stdout)
    return report["states"], seconds, report["deadlocks"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--parameters", choices=["test", "bench"], default="test")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    options.program = options.program.resolve()
    shared = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared")).resolve()
    if not (shared / "spin").is_dir():
        print(f"skipped: {shared / 'spin'} is absent")
        return 77
    rows = [row for row in csv.DictReader((ROOT / "bench/pairs.csv").open()) if row["use"] == options.parameters]
    ratios = []
    print("| model | states | SPIN, reduced | `--stubborn auto` | of SPIN's | in DVE | SPIN s | Tideline s | whole, s |")
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for row in rows:
        if options.only and row["model"] not in options.only:
            continue
        parameters = row["parameters"].split()
        with tempfile.TemporaryDirectory() as folder:
            promela = shared / "spin" / f"{row['model']}.pml"
            dve = Path(folder) / "model.dve"
            dve.write_text(models.model(row["model"], {n: int(v) for n, v in (p.split("=") for p in parameters)}))
            theirs, their_seconds = spin(promela, parameters, folder)
            defines = [text for p in parameters for text in ("-D", p)]
            whole, whole_seconds, deadlocks = tideline(options.program, promela, defines, "none", folder)
            ours, our_seconds, kept = tideline(options.program, promela, defines, "auto", folder)
            in_dve, _, _ = tideline(options.program, dve, [], "auto", folder)
        if deadlocks != kept:
            sys.exit(f"{row['model']}: {kept} deadlocks of {deadlocks}")
        ratios.append(ours / theirs)
        print(f"| {row['model']} {row['parameters']} | {whole:,} | {theirs:,} | {ours:,} | {ours / theirs:.2f} | {in_dve:,} | {their_seconds:.2f} "
              f"| {our_seconds:.2f} | {whole_seconds:.2f} |", flush=True)
    print(f"\ngeometric mean of Tideline's states over SPIN's: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
