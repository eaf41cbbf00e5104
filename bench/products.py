#!/usr/bin/env -S python3 -B
"""Compares products with property processes, and with automata of formulas, with the models alone: processor time per transition.

    bench/products.py [--program build/release/tideline] [--only MODEL ...] [--repeat 3] [--write]

The instances are those of a table of linear-time properties outside this tree (TIDELINE_SHARED, by default ../shared). Breadth-first searches with machine code, one thread,
no sleep sets (products have none); compiling is left out, and so is what the program takes before the search (loading, the pilot of the packing), measured by runs of one state.
The runs of a model and of its products alternate, and the smallest time of each counts. Counts are compared with the known ones. --write puts the table into docs/algorithms/couvreur.md.
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
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/algorithms/couvreur.md"
BEGIN, END = "<!-- figures: bench/products.py -->", "<!-- end of figures -->"
# It fits every model: the automaton of its negation has an atom to be read in every state, two states, and a product of the size of the model.
FORMULA = "G F {1 == 1}"


def run(program, model, *options):
    command = [str(program), "explore", str(model), "--engine", "bfs", "--sleep", "none", "--successors", "native", "--threads", "1", "--quiet", "--json", "-", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if not text:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    report = json.loads(text)
    return {"seconds": usage.ru_utime + usage.ru_stime - report["compile_seconds"], "states": report["states"], "transitions": report["transitions"]}


def alone(model, product, folder):
    """The model without its property process, which is the last one, where only the product is there."""
    if model.is_file():
        return model
    text = product.read_text(encoding="utf-8")
    name = re.search(r"system\s+async\s+property\s+(\w+)\s*;", text)
    start = re.search(rf"process\s+{name.group(1)}\s*\{{", text)
    path = folder / model.name
    path.write_text(text[:start.start()] + "system async;\n", encoding="utf-8")
    return path


class Measured:
    def __init__(self, program, model, *options):
        self.arguments = (program, model, *options)
        self.best = self.before = math.inf
        self.counts = None

    def again(self):
        self.before = min(self.before, run(*self.arguments, "--states", "1")["seconds"])
        found = run(*self.arguments)
        self.best = min(self.best, found["seconds"])
        self.counts = (found["states"], found["transitions"])

    def nanoseconds(self):
        return 1e9 * (self.best - self.before) / self.counts[1]


def main():
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder))


def measure(folder):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    shared = Path(os.environ.get("TIDELINE_SHARED", ROOT.parent / "shared"))
    facts = shared / "reference/ltl-sweep-table.csv"
    if not facts.is_file():
        sys.exit("the instances are not there: TIDELINE_SHARED does not tell where they are")
    with open(facts, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not arguments.only or row["instance"] in arguments.only]
    lines = ["| model | property | product | ns per transition, model | product with the process | ratio | product with an automaton | ratio |",
             "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |"]
    ratios = ([], [])
    for row in rows:
        name = row["instance"]
        model = shared / f"beem/{name}.dve"
        product = shared / f"beem/{name}.prop{row['property']}.dve"
        model = alone(model, product, folder)
        plain = Measured(arguments.program, model)
        process = Measured(arguments.program, product)
        automaton = Measured(arguments.program, model, "--ltl", FORMULA)
        for _ in range(arguments.repeat):
            for measured in (plain, process, automaton):
                measured.again()
        if process.counts != (int(row["states"]), int(row["edges"])) and not row["note"]:
            sys.exit(f"{name}: the product has {process.counts} states and transitions, expected {row['states']}, {row['edges']}")
        cells = [name, row["property"], f"{process.counts[0]:,} states, {process.counts[1]:,} transitions", f"{plain.nanoseconds():.1f}"]
        for measured, kind in ((process, ratios[0]), (automaton, ratios[1])):
            kind.append(measured.nanoseconds() / plain.nanoseconds())
            cells += [f"{measured.nanoseconds():.1f}", f"{kind[-1]:.2f}"]
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)
    means = [math.exp(sum(map(math.log, kind)) / len(kind)) for kind in ratios]
    lines.append(f"| geometric mean | | | | | {means[0]:.2f} | | {means[1]:.2f} |")
    print(lines[-1])
    if arguments.write:
        before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
        PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + "\n\n" + END + rest.split(END)[1], encoding="utf-8")


if __name__ == "__main__":
    main()
