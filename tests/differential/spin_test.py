#!/usr/bin/env python3
"""Compares Tideline with SPIN on random Promela models: states, transitions where no atomic step was taken, and which errors there are;
of a third each the verdict of an ltl block, cycles without progress (-DNP, pan -l), and acceptance cycles of weakly fair runs (pan -a -f).

spin_test.py TIDELINE RANDOM_PROMELA [--models N] [--first SEED] [--keep DIR]
Skipped (exit status 77) where spin or gcc is not installed. Where an assertion fails (or an index is out of range) SPIN goes on as if it had held, so only the error is compared.
--keep DIR keeps the models that differ.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MOST_STATES = 20000


def run(command, folder, seconds=60):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=seconds)


def spin(folder):
    """SPIN's figures, or why there are none."""
    generated = run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], folder)
    said = generated.stdout + generated.stderr
    refusals = [line for line in said.splitlines() if "rror" in line and "dubious use of 'else'" not in line]
    if refusals:
        return "refused: " + refusals[0]
    flags = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=1000"]
    if run(["gcc", "-w", "-O0", *flags, "-o", "pan", "pan.c"], folder).returncode != 0:
        return "pan.c does not compile"
    try:
        text = run(["./pan", "-m200000", "-c0", "-n"], folder, 20).stdout
    except subprocess.TimeoutExpired:
        return "pan takes too long"
    if "max search depth too small" in text or "State-vector" not in text:
        return "pan does not end"
    number = lambda pattern: int(re.search(pattern, text).group(1))
    kinds = set(re.findall(r"^pan:\d+: ([a-z ]+)", text, re.MULTILINE))
    return {"states": number(r"(\d+) states, stored"), "transitions": number(r"(\d+) transitions") - 1, "atomic": number(r"(\d+) atomic steps"),
            "errors": number(r"errors: (\d+)"), "end": any("invalid end state" in kind for kind in kinds),
            "other": any("invalid end state" not in kind for kind in kinds)}


def compare(tideline, folder, expected):
    """What differs."""
    explored = run([tideline, "explore", "model.pml", "--quiet", "--json", "-"], folder)
    checked = run([tideline, "check", "model.pml", "--property", "end-state"], folder)
    try:
        found = json.loads(explored.stdout)
    except ValueError:
        return [" ".join(explored.stderr.strip().splitlines()[:2])]
    faults = []
    if not expected["other"]:
        if found.get("states") != expected["states"]:
            faults.append(f"states {found.get('states')}, SPIN {expected['states']}")
        if expected["atomic"] == 0 and found.get("transitions") != expected["transitions"]:
            faults.append(f"transitions {found.get('transitions')}, SPIN {expected['transitions']}")
    if checked.returncode != (1 if expected["errors"] else 0):
        faults.append(f"exit status {checked.returncode}, SPIN has {expected['errors']} errors: {checked.stdout[-300:]} {checked.stderr[-300:]}")
    if "not confirmed" in checked.stdout + checked.stderr:
        faults.append("a trace is not confirmed")
    return faults


# By seed: options of gcc, of pan, of tideline.
CYCLES = [([], ["-a", "-N", "p"], ["--property", "p"]),
          (["-DNP"], ["-l"], ["--non-progress"]),
          (["-DNFAIR=3"], ["-a", "-f"], ["--acceptance", "--fair", "weak"])]


def compare_cycles(tideline, folder, which):
    """What differs in the verdict on infinite runs; None: not compared."""
    flags, pan, options = CYCLES[which]
    if which == 0:
        # SPIN counts accept labels of processes beside the claim's: a cycle through one is no run that violates the formula.
        without = re.sub(r"\baccept(\w)", r"label_\1", (folder / "model.pml").read_text())
        (folder / "without_labels.pml").write_text(without)
        run(["spin", "-a", "-o1", "-o2", "-o3", "without_labels.pml"], folder)
    if run(["gcc", "-w", "-O0", "-DNOREDUCE", "-DMEMLIM=1000", *flags, "-o", "pan", "pan.c"], folder).returncode != 0:
        return None
    try:
        text = run(["./pan", "-m200000", "-E", "-A", "-n", *pan], folder, 20).stdout
    except subprocess.TimeoutExpired:
        return None
    if "max search depth too small" in text or "State-vector" not in text:
        return None
    errors = int(re.search(r"errors: (\d+)", text).group(1))
    checked = run([tideline, "check", "model.pml", *options], folder)
    if "where atomic sequences contain a rendezvous" in checked.stderr:
        return None
    if checked.returncode != (1 if errors else 0):
        return [f"{' '.join(options)}: exit status {checked.returncode}, SPIN has {errors} errors: {checked.stdout[-300:]} {checked.stderr[-300:]}"]
    return []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tideline", type=pathlib.Path)
    parser.add_argument("random_promela", type=pathlib.Path)
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        print("skipped: spin or gcc is not installed")
        return 77
    compared = wrong = with_errors = 0
    cycles = [0, 0, 0]
    left_out = {}
    for seed in range(arguments.first, arguments.first + arguments.models * 2):
        if compared == arguments.models:
            break
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            which = seed % 3
            text = run([arguments.random_promela.resolve(), seed, *(["--formula"] if which == 0 else [])], folder).stdout
            (folder / "model.pml").write_text(text)
            expected = spin(folder)
            if not isinstance(expected, str) and expected["states"] > MOST_STATES:
                expected = "too many states"
            if isinstance(expected, str):
                left_out[expected.split(":")[0]] = left_out.get(expected.split(":")[0], 0) + 1
                continue
            compared += 1
            with_errors += expected["errors"] > 0
            faults = compare(arguments.tideline.resolve(), folder, expected)
            if not expected["other"]:
                of_cycles = compare_cycles(arguments.tideline.resolve(), folder, which)
                cycles[which] += of_cycles is not None
                faults += of_cycles or []
            for fault in faults:
                print(f"seed {seed}: {fault}", flush=True)
            if faults and arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{seed}.pml").write_text(text)
            wrong += bool(faults)
    print(f"{compared} models compared, {with_errors} with errors, {cycles[0]} formulas, {cycles[1]} for progress, {cycles[2]} fair; {wrong} differ; left out: {left_out}")
    return 1 if wrong or compared < arguments.models else 0


sys.exit(main())
