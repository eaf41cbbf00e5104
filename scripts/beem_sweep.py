#!/usr/bin/env python3
"""Sweeps through BEEM models with the measures of beem_measures.csv beside a breadth-first search; writes docs/beem-sweep.md.

    scripts/beem_sweep.py [--program build/release/tideline] [--only PREFIX]

The models and the facts about them lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def measures():
    """Rows (model, states, monotonic, measure); the measure is the rest of its line, commas and all."""
    lines = (ROOT / "scripts/beem_measures.csv").read_text().splitlines()[1:]
    for line in lines:
        model, states, monotonic, measure = line.split(",", 3)
        yield model, int(states), monotonic == "yes", measure


def known_counts(shared):
    with open(shared / "reference/beem-states.csv", newline="") as file:
        return {row["instance"]: (int(row["states"]), int(row["transitions"])) for row in csv.DictReader(file)}


def explore(program, model, engine, measure):
    command = [str(program), "explore", str(model), "--threads", "1", "--engine", engine, "--progress", measure, "--ledger", "none", "--json", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{model.name} by {measure}: exit status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %"


def agreement(full, swept, known):
    """How the row agrees with what is known; for several sweeps the count of distinct states is not reported."""
    counts = (full["states"], full["transitions"])
    against = "bfs" if known is None else "bfs and the reference"
    if known is not None and counts != known:
        return "bfs differs from the reference"
    if swept["states"] is None:
        return "set compared by the test"
    return f"equal to {against}" if (swept["states"], swept["transitions"]) == counts else "DIFFERENT"


def row(program, shared, known, model, states, monotonic, measure):
    path = shared / "beem" / f"{model}.dve"
    full = explore(program, path, "bfs", "none")
    swept = explore(program, path, "sweep-basic" if monotonic else "sweep", measure)
    if full["states"] != states:
        sys.exit(f"{model}: {full['states']} states, the table says {states}")
    factor = swept["expanded"] / states
    speed = swept["seconds"] / max(full["seconds"], 1e-9)
    return {
        "model": model, "measure": measure, "monotonic": monotonic, "timed": full["seconds"] >= 0.1, "faster": speed < 1, "agreement": agreement(full, swept, known.get(model)),
        "figures": [f"{states:,}", f"{swept['layers']:,}", f"{swept['sweeps']:,}", f"{swept['expanded']:,}", f"{factor:.2f}",
                    f"{swept['peak_states']:,}", percent(swept["peak_states"], states), f"{swept['persistent']:,}"],
        "times": [f"{full['seconds']:.2f}", f"{swept['seconds']:.2f}", f"{speed:.2f}"],
    }


def table(heads, rows):
    text = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return text + ["| " + " | ".join(cells) + " |" for cells in rows]


def page(rows):
    text = ["# BEEM by sweep", "",
            "Written by `scripts/beem_sweep.py` from runs of the program; the measures are those of `scripts/beem_measures.csv`. A process's name stands for the",
            "number of its location; several components are compared lexicographically.", "",
            "With a monotonic measure (`sweep-basic`) every state is expanded once, and states and transitions must be those of breadth-first search. With",
            "any other measure (`sweep`) states come again in later sweeps, and the number of distinct ones is not known to the sweep; a test compares the set of",
            "states that it discovers with that of breadth-first search, one by one, for every row of this page (`tests/conformance/sweep_beem*_test.cpp`).", "",
            "The measures are a choice, not a sample. Monotonic ones were looked for: every variable and location of some forty models was tried, and of those that",
            "never decrease, combinations with a low peak were kept; many models have none. The others were picked by hand without comparing alternatives. The",
            "peaks of the first table are what a good measure gives, not what a model gives on average.", ""]
    for monotonic, title in ((True, "Monotonic measures"), (False, "Measures that are not monotonic")):
        chosen = [r for r in rows if r["monotonic"] == monotonic]
        text += [f"## {title}", ""]
        text += table(["model", "measure", "states", "layers", "sweeps", "expanded", "expanded / states", "peak", "peak / states", "persistent",
                       "states and transitions"],
                      [[r["model"], f"`{r['measure']}`", *r["figures"], r["agreement"]] for r in chosen]) + [""]
    timed = [r for r in rows if r["timed"]]
    faster = [r["model"] for r in timed if r["faster"]]
    text += ["## Times of one run", "",
             "Seconds of the search itself, both in the same run of this script, on one machine with other work on it: only the ratio says something, and of runs",
             "below a tenth of a second not even that.", ""]
    text += table(["model", "measure", "bfs", "sweep", "sweep / bfs"], [[r["model"], f"`{r['measure']}`", *r["times"]] for r in rows])
    return "\n".join(text + ["", f"Of the {len(timed)} rows that take breadth-first search a tenth of a second or more, the sweep was faster in {len(faster)}: "
                             f"{', '.join(faster) or 'none'}.", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--only", default="", help="only models whose name begins so; prints the page instead of writing it")
    args = parser.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")
    if not (shared / "beem").is_dir():
        sys.exit("the folder of reference facts is absent; TIDELINE_SHARED tells where it is")
    known = known_counts(shared)
    rows = []
    for entry in measures():
        if entry[0].startswith(args.only):
            print(f"{entry[0]} by {entry[3]}", file=sys.stderr)
            rows.append(row(args.program, shared, known, *entry))
    if args.only:
        print(page(rows))
    else:
        (ROOT / "docs/beem-sweep.md").write_text(page(rows))
    if any(r["agreement"] in ("DIFFERENT", "bfs differs from the reference") for r in rows):
        sys.exit("a row is different")


if __name__ == "__main__":
    main()
