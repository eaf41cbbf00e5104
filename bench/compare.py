#!/usr/bin/env -S python3 -B
"""Two builds of the program beside each other: times of alternating runs, or instructions.

    bench/compare.py OLD NEW [--only MODEL ...] [--configuration bfs sweep ...] [--repeat 10] [--instructions] [--bar 1.02]

The models are the five of models.py and twelve of BEEM (TIDELINE_SHARED, by default ../shared). A row has the smallest time that each build needed, less what it says to have spent on compiling (processor time, of
several threads elapsed time), and the ratio. With --instructions it has the instructions of whole runs instead, as `valgrind --tool=callgrind` counts them: the same in every run of a build, however busy the
machine is; that takes some fifty times as long as the runs. States and transitions must be the known ones. The exit status is 1 where a geometric mean is above the bar.
"""
import argparse
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from run import OPTIONS, ROOT, beem, pairs, swept, threads, timed_run


def options_of(model, configuration):
    return OPTIONS[configuration] + (["--progress", model.measure] if swept(configuration) else [])


def seconds(program, model, configuration, folder):
    run = timed_run([program, "explore", model.path, "--quiet", "--json", "-", *options_of(model, configuration)], folder)
    report = json.loads(run["text"])
    known = {"states": model.states, "transitions": model.transitions}
    for name, value in known.items():
        # A sweep that forgets states may not know.
        if report[name] not in (value, None if swept(configuration) else value):
            sys.exit(f"{program}: {model.name} has {report[name]} {name}, {value} are known")
    compiling = report.get("compile_seconds") or 0
    return (run["wall"] if threads(configuration) > 1 else run["user"]) - compiling


def instructions(program, model, configuration, folder):
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", program, "explore", model.path, "--quiet", *options_of(model, configuration)]
    finished = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", finished.stderr)
    if not found:
        sys.exit(f"{model.name}: {finished.stderr[-500:]}")
    return int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--configuration", nargs="+", default=["bfs"], choices=[name for name in OPTIONS if "spin" not in name])
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--bar", type=float, default=1.02)
    arguments = parser.parse_args()
    programs = [arguments.old.resolve(), arguments.new.resolve()]
    shared = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared"))
    is_above = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = [model for model in itertools.chain(pairs(folder, shared), beem(shared)) if not arguments.only or model.name in arguments.only]
        for configuration in arguments.configuration:
            print(f"| {configuration} | old | new | new / old |\n| --- | ---: | ---: | ---: |")
            ratios = []
            for model in models:
                if swept(configuration) and not model.measure:
                    continue
                if arguments.instructions:
                    values = [instructions(program, model, configuration, folder) / 1e6 for program in programs]
                else:
                    runs = [[seconds(program, model, configuration, folder) for program in programs] for _ in range(arguments.repeat)]
                    values = [min(each) for each in zip(*runs)]
                ratios.append(values[1] / values[0])
                print(f"| {model.title} | {values[0]:,.3f} | {values[1]:,.3f} | {ratios[-1]:.3f} |", flush=True)
            if ratios:
                mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
                print(f"| geometric mean | | | {mean:.3f} |\n", flush=True)
                is_above |= mean > arguments.bar
    return 1 if is_above else 0


if __name__ == "__main__":
    sys.exit(main())
