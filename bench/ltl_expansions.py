#!/usr/bin/env python3
"""States that `auto` expands to find a violation, beside the best single engine: BEEM's property processes that are violated.

    bench/ltl_expansions.py [--program build/release/tideline] [--states 5000000] [--time 60s] [--only PREFIX] [--engines couvreur,graph,ndfs,...]

An engine that does not find the violation within the limits is left out of the row; a row where `auto` does not find it is listed apart, and makes the
exit status 1. The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared. All engines have one thread,
so that the figures are the same every time.
"""
import argparse
import csv
import json
import math
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINES = ("couvreur", "ndfs", "graph", "map", "sweep", "ltl-sweep-online")


def expanded(program, model, engine, states, time):
    """States expanded until the violation was found; None: it was not."""
    done = subprocess.run([str(program), "check", str(model), "--engine", engine, "--states", str(states), "--time", time, "--threads", "1",
                           "--quiet", "--json", "-"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        return None  # refused
    report = json.loads(done.stdout)
    if report["properties"][0]["verdict"] == "holds":
        sys.exit(f"{model.name}: {engine} says that it holds")
    return report["properties"][0]["expanded"] if report["properties"][0]["verdict"] == "violated" else None


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    arguments.add_argument("--states", type=int, default=5_000_000)
    arguments.add_argument("--time", default="60s")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--engines", default=",".join(ENGINES))
    arguments.add_argument("--csv", type=Path)
    given = arguments.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "reference/beem-ltl.csv").exists():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    with open(shared / "reference/beem-ltl.csv", newline="") as file:
        instances = sorted(fact["instance"] for fact in csv.DictReader(file) if fact["verdict"] == "violated" and fact["instance"].startswith(given.only))
    rows, missed = [], []
    for instance in instances:
        model = shared / "beem" / f"{instance}.dve"
        if not model.exists():
            continue
        found = {engine: expanded(given.program, model, engine, given.states, given.time) for engine in ("auto", *given.engines.split(","))}
        single = {engine: count for engine, count in found.items() if engine != "auto" and count is not None}
        if found["auto"] is None:
            if single:
                missed.append(instance)
                print(f"{instance:28} auto does not find it", flush=True)
            continue
        if not single:
            continue
        best = min(single, key=single.get)
        ratio = max(1, found["auto"]) / max(1, single[best])
        rows.append((instance, found, best, ratio))
        print(f"{instance:28} auto {found['auto']:>9,} {best:16} {single[best]:>9,} {ratio:8.2f}", flush=True)
    if given.csv:
        with open(given.csv, "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(("instance", "auto", *given.engines.split(",")))
            for instance, found, _, _ in rows:
                table.writerow((instance, *found.values()))
    if rows:
        print(f"{len(rows)} violated properties: auto expands {geometric_mean([row[3] for row in rows]):.2f} times what the best engine of each does (geometric mean)")
        for engine in given.engines.split(","):
            ratios = [max(1, row[1]["auto"]) / max(1, row[1][engine]) for row in rows if row[1][engine] is not None]
            if ratios:
                print(f"  beside {engine}: {geometric_mean(ratios):.2f} ({len(ratios)} properties)")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
