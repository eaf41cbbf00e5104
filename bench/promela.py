#!/usr/bin/env python3
"""Transitions per second of Tideline and SPIN on Promela models, read as they are.

promela.py TIDELINE [--shared DIR] [--large] [--only GLOB] [--repeat N]
The five systems of DIR/spin at the parameters of pairs.csv; with --large the models of DIR/promela that have more than 100,000 states and no errors but invalid end states.
Both programs use one processor and no reduction (`spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOREDUCE -DNOCLAIM`; `explore --threads 1`). They run alternately; the best of N times counts.
Times are user times of the search: compiling is left out and shown apart. Tideline compiles in memory as it begins: what a run of a few states takes is subtracted.
"""
import argparse
import csv
import fnmatch
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LEAST = 0.02  # seconds; a shorter search is not measured


def user_time(command, folder):
    """What it prints, and its user time with that of its children."""
    before = os.times().children_user
    finished = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, errors="replace")
    return finished.stdout, os.times().children_user - before


def compile_pan(model, definitions, folder):
    spent = user_time(["spin", "-a", "-o1", "-o2", "-o3", *definitions, model.name], folder)[1]
    spent += user_time(["gcc", "-w", "-O2", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=65536", "-o", "pan", "pan.c"], folder)[1]
    return spent if (folder / "pan").exists() else None


def figures_of_pan(text):
    number = lambda pattern: int(re.search(pattern, text).group(1))
    return {"states": number(r"(\d+) states, stored"), "transitions": number(r"(\d+) transitions") - 1, "depth": number(r"depth reached (\d+)")}


def measure(tideline, model, definitions, repeat):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in model.parent.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        cc = compile_pan(model, definitions, folder)
        if cc is None:
            return "pan does not compile"
        pan = ["./pan", "-m10000000", "-c0", "-n", "-w24"]
        explore = [tideline, "explore", model.name, *definitions, "--threads", "1", "--successors", "native", "--quiet", "--json", "-"]
        expected = figures_of_pan(user_time(pan, folder)[0])
        pan[1] = f"-m{expected['depth'] + 10}"
        begin, spin_times, times = [], [], []
        for _ in range(repeat):
            begin.append(user_time([*explore, "--states", "10"], folder)[1])
            spin_times.append(user_time(pan, folder)[1])
            text, spent = user_time(explore, folder)
            times.append(spent)
        found = json.loads(text)
        if found["states"] != expected["states"]:
            return f"{found['states']} states, SPIN {expected['states']}"
        ours, theirs = min(times) - min(begin), min(spin_times)
        if ours < LEAST or theirs < LEAST:
            return "too fast to be measured"
        return {"states": expected["states"], "transitions": expected["transitions"], "spin": theirs, "tideline": ours, "ratio": theirs / ours,
                "spin_compile": cc, "tideline_compile": min(begin)}


def five(shared):
    for row in csv.DictReader((HERE / "pairs.csv").open()):
        if row["use"] == "bench":
            yield shared / "spin" / f"{row['model']}.pml", [f"-D{text}" for text in row["parameters"].split()]


def large(shared):
    for row in csv.DictReader((shared / "reference" / "promela.csv").open()):
        if int(row["states"]) > 100000 and row["error_kinds"] in ("", "end-state"):
            yield shared / "promela" / row["file"], []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tideline", type=pathlib.Path)
    parser.add_argument("--shared", type=pathlib.Path, default=pathlib.Path(os.environ.get("TIDELINE_SHARED", HERE.parent.parent / "shared")))
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    if shutil.which("spin") is None or shutil.which("gcc") is None or not arguments.shared.is_dir():
        print("skipped: spin, gcc or the models are missing")
        return 77
    ratios = []
    print(f"{'model':32} {'states':>10} {'transitions':>12} {'spin':>8} {'tideline':>8} {'ratio':>6}   compile: spin tideline")
    for model, definitions in (large if arguments.large else five)(arguments.shared):
        if not fnmatch.fnmatch(model.name, arguments.only):
            continue
        row = measure(arguments.tideline.resolve(), model, definitions, arguments.repeat)
        if isinstance(row, str):
            print(f"{model.name:32} {row}", flush=True)
            continue
        ratios.append(row["ratio"])
        print(f"{model.name:32} {row['states']:10} {row['transitions']:12} {row['spin']:8.2f} {row['tideline']:8.2f} {row['ratio']:6.1f}            {row['spin_compile']:5.2f} {row['tideline_compile']:8.2f}", flush=True)
    if ratios:
        print(f"{len(ratios)} models: geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f}, least {min(ratios):.1f}")
    return 0


sys.exit(main())
