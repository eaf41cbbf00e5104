#!/usr/bin/env python3
"""BEEM's property processes against what is known of them: sizes of products, and verdicts; writes docs/beem-products.md.

    scripts/beem_products.py [--program build/release/tideline] [--states 5000000] [--time 60s] [--only PREFIX]

Properties that hold, with products of up to that many states, are explored breadth-first and checked: both must see the known numbers of
states and transitions. Properties that are violated are checked within the time. The models and the facts about them lie in a folder
outside this tree: TIDELINE_SHARED, by default ../shared. The exit status is 0 if nothing differs.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def report(program, command, model, *options):
    done = subprocess.run([str(program), command, str(model), "--quiet", "--json", "-", *options], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command} {model.name}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def sizes(found):
    return found["states"], found["transitions"]


def size_row(program, model, fact):
    """Cells of the table and whether they agree with what is known."""
    known = (int(fact["product_states"]), int(fact["product_transitions"]) if fact["product_transitions"] else None)
    explored = report(program, "explore", model)
    checked = report(program, "check", model)
    verdict = checked["properties"][0]["verdict"]
    same = all(k is None or k == f for k, f in zip(known, sizes(explored))) and sizes(explored) == sizes(checked) and verdict == fact["verdict"]
    cells = (fact["instance"], f"{explored['states']:,}", f"{explored['transitions']:,}", verdict,
             "equal" if same else f"DIFFERENT: {known[0]:,} and {known[1]}, {fact['verdict']}")
    return cells, same


def violated(program, model, time):
    found = report(program, "check", model, "--time", time)["properties"][0]
    return found["verdict"], found["trace"] is not None


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    arguments.add_argument("--states", type=int, default=5_000_000)
    arguments.add_argument("--time", default="60s")
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    with open(shared / "reference/beem-ltl.csv", newline="") as file:
        facts = [fact for fact in csv.DictReader(file) if fact["instance"].startswith(given.only)]
    rows = []
    differing = []
    shown = undecided = 0
    for fact in facts:
        model = shared / "beem" / f"{fact['instance']}.dve"
        if not model.exists():
            continue
        if fact["verdict"] == "holds" and fact["product_states"] and int(fact["product_states"]) <= given.states:
            cells, same = size_row(given.program, model, fact)
            rows.append(cells)
            if not same:
                differing.append(fact["instance"])
            print(" ".join(cells), flush=True)
        elif fact["verdict"] == "violated":
            verdict, has_run = violated(given.program, model, given.time)
            shown += verdict == "violated" and has_run
            undecided += verdict == "unknown"
            if verdict == "holds" or (verdict == "violated" and not has_run):
                differing.append(fact["instance"])
                print(fact["instance"], "is violated, found:", verdict, flush=True)
    text = ["# BEEM's property processes", "",
            f"Made by `scripts/beem_products.py --states {given.states} --time {given.time}`. Known numbers come from a folder of reference facts outside this tree.", "",
            f"**Violated properties**: {shown} were found violated, each with a run that a second implementation has walked again; "
            f"{undecided} were not decided within {given.time}; none was found to hold.", "",
            f"**Properties that hold**, with products of up to {given.states:,} states: {len(rows)}, of which {len(rows) - sum(r[0] in differing for r in rows)} have the known "
            "verdict and, both by breadth-first search and by the engine `couvreur`, the known numbers of states and transitions.", "",
            "| instance | states | transitions | verdict | known numbers |", "| --- | --- | --- | --- | --- |"]
    text += ["| " + " | ".join(cells) + " |" for cells in rows]
    if not given.only:
        (ROOT / "docs/beem-products.md").write_text("\n".join(text) + "\n")
    print(f"{len(rows)} products, {shown} violations, {undecided} undecided, {len(differing)} differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
