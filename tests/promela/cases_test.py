#!/usr/bin/env python3
"""Runs the small models of tests/promela/cases: each is a rule of docs/promela.md, with SPIN's figures in its first line.

    // spin: states=N transitions=M errors=K      transitions=- where SPIN takes atomic steps; both - where it goes on behind an error

cases_test.py TIDELINE [--spin [--write]] [NAME...]
--spin compares the first lines with SPIN (`spin -a -o1 -o2 -o3`, `-DSAFETY -DNOREDUCE`, `pan -c0`); --write sets them. Figures are of the whole state space.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "cases"


def run(command, folder, seconds=120):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=seconds)


def spin(model):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in model.parent.iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        generated = run(["spin", "-a", "-o1", "-o2", "-o3", model.name], folder)
        if run(["gcc", "-w", "-O0", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"], folder).returncode != 0:
            raise SystemExit(f"{model.name}: {generated.stdout}{generated.stderr}")
        text = run(["./pan", "-m200000", "-c0", "-n"], folder).stdout
    number = lambda pattern: int(re.search(pattern, text).group(1))
    atomic = number(r"(\d+) atomic steps")
    kinds = re.findall(r"^pan:\d+: ([a-z _-]+)", text, re.MULTILINE)
    # Behind other errors SPIN goes on.
    goes_on = any("invalid end state" not in kind for kind in kinds)
    return {"states": "-" if goes_on else number(r"(\d+) states, stored"),
            "transitions": "-" if goes_on or atomic else number(r"(\d+) transitions") - 1, "errors": number(r"errors: (\d+)")}


def stated(model):
    line = model.read_text().splitlines()[0]
    return {key: value if value == "-" else int(value) for key, value in re.findall(r"(\w+)=(\d+|-)", line)}


def faults_of(tideline, model):
    expected = stated(model)
    explored = run([tideline, "explore", model.name, "--quiet", "--json", "-"], model.parent)
    checked = run([tideline, "check", model.name], model.parent)
    try:
        found = json.loads(explored.stdout)
    except ValueError:
        return [explored.stderr.strip()]
    faults = []
    for key in ("states", "transitions"):
        if expected[key] != "-" and found.get(key) != expected[key]:
            faults.append(f"{key} {found.get(key)}, SPIN {expected[key]}")
    if checked.returncode != (1 if expected["errors"] else 0):
        faults.append(f"exit status {checked.returncode} with {expected['errors']} errors of SPIN: {checked.stdout[-300:]} {checked.stderr[-300:]}")
    if "not confirmed" in checked.stdout + checked.stderr:
        faults.append("a trace is not confirmed")
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tideline", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--spin", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    models = [m for m in sorted(FOLDER.glob("*.pml")) if not arguments.names or m.stem in arguments.names]
    wrong = 0
    for model in models:
        faults = []
        if arguments.spin:
            figures = spin(model)
            if arguments.write:
                line = "// spin: " + " ".join(f"{key}={value}" for key, value in figures.items())
                model.write_text("\n".join([line, *model.read_text().splitlines()[1:]]) + "\n")
            elif figures != stated(model):
                faults.append(f"SPIN has {figures}")
        faults += faults_of(arguments.tideline.resolve(), model)
        for fault in faults:
            print(f"{model.name}: {fault}", flush=True)
        wrong += bool(faults)
    print(f"{len(models)} models, {wrong} differ")
    return 1 if wrong or not models else 0


sys.exit(main())
