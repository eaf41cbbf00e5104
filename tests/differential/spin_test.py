#!/usr/bin/env python3
"""Compares Tideline with SPIN on random Promela models: states, transitions where no atomic step was taken, and whether there is an error.

spin_test.py TIDELINE RANDOM_PROMELA [--models N] [--first SEED]
Skipped (exit status 77) where spin or gcc is not installed. A model with errors is compared by the error alone.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def run(command, folder, seconds=60):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds)


def spin(folder):
    generated = run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], folder)
    if "rror" in generated.stdout or "rror" in generated.stderr:
        return None
    flags = ["-DSAFETY", "-DNOREDUCE", "-DMEMLIM=1000"]
    if run(["gcc", "-w", "-O0", *flags, "-o", "pan", "pan.c"], folder).returncode != 0:
        return None
    try:
        text = run(["./pan", "-m200000", "-c0", "-n"], folder, 20).stdout
    except subprocess.TimeoutExpired:
        return None
    if "max search depth too small" in text or "State-vector" not in text:
        return None
    number = lambda pattern: int(re.search(r"(\d+) " + pattern, text).group(1))
    return {"states": number("states, stored"), "transitions": number("transitions"), "atomic": number("atomic steps"),
            "errors": int(re.search(r"errors: (\d+)", text).group(1))}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tideline", type=pathlib.Path)
    parser.add_argument("random_promela", type=pathlib.Path)
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print("skipped: spin or gcc is not installed")
        return 77
    compared = wrong = with_errors = 0
    for seed in range(arguments.first, arguments.first + arguments.models * 2):
        if compared == arguments.models:
            break
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            text = run([arguments.random_promela.resolve(), str(seed)], folder).stdout
            (folder / "model.pml").write_text(text)
            expected = spin(folder)
            if expected is None or expected["states"] > 20000:
                continue
            compared += 1
            with_errors += expected["errors"] > 0
            explored = run([arguments.tideline.resolve(), "explore", "model.pml", "--quiet", "--json", "-"], folder)
            checked = run([arguments.tideline.resolve(), "check", "model.pml", "--quiet"], folder)
            faults = []
            try:
                found = json.loads(explored.stdout)
            except ValueError:
                faults.append(explored.stderr.strip().splitlines()[:2])
                found = {}
            if expected["errors"] == 0 and found.get("states") != expected["states"]:
                faults.append(f"states {found.get('states')}, SPIN {expected['states']}")
            if expected["errors"] == 0 and expected["atomic"] == 0 and found.get("transitions") != expected["transitions"] - 1:
                faults.append(f"transitions {found.get('transitions')}, SPIN {expected['transitions'] - 1}")
            if checked.returncode != (1 if expected["errors"] else 0):
                faults.append(f"exit status {checked.returncode}, SPIN has {expected['errors']} errors: {checked.stdout[-300:]} {checked.stderr[-300:]}")
            if "unconfirmed" in checked.stdout or "not confirmed" in checked.stdout + checked.stderr:
                faults.append("a trace is not confirmed")
            for fault in faults:
                print(f"seed {seed}: {fault}", flush=True)
            wrong += bool(faults)
    print(f"{compared} models compared, {with_errors} with errors; {wrong} differ")
    return 1 if wrong or compared < arguments.models else 0


sys.exit(main())
