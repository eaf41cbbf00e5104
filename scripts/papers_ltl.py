#!/usr/bin/env python3
"""Runs the instances of the paper on LTL and the sweep-line method and writes docs/papers/ltl-sweep-2012.md: its figures beside ours.

    scripts/papers_ltl.py [--program build/release/tideline] [--only PREFIX] [--time 600s] [--missing] [--page]

The models and the paper's table lie in a folder outside this tree: TIDELINE_SHARED, by default ../shared. Every run's figures go to
docs/papers/ltl-sweep-2012.csv, from which the page is written; --only measures the instances whose names begin so, --missing those runs
that the file does not have, --page none at all. The exit status is 0 if every figure that must be equal is, but for DIFFERENCES.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs/papers/ltl-sweep-2012.csv"
PAGE = ROOT / "docs/papers/ltl-sweep-2012.md"
FIELDS = ["instance", "property", "run", "verdict", "cycle", "states", "transitions", "stored", "visited", "persistent", "layers", "stopped", "measure"]
VARIANTS = {"": [], "5.2": ["progress-graph"], "5.3": ["progress-order"], "mpp2": ["mpp2"], "all": ["progress-graph", "progress-order", "mpp2"]}
# The projection is looked for once; the other sweeps get the same measure.
SWEEP = ("sweep", "explore", ["--engine", "sweep", "--ledger", "none"])
RUNS = [
    ("product", "explore", ["--engine", "bfs"]),
    ("ndfs", "check", ["--engine", "ndfs", "--variant", "plain"]),
    ("ndfs early", "check", ["--engine", "ndfs"]),
    ("map", "check", ["--engine", "map"]),
    SWEEP,
] + [(f"{name} {variant}".strip(), "check", ["--engine", f"ltl-sweep-{line}", *(["--variant", ",".join(names)] if names else [])])
     for name, line in (("off", "offline"), ("on", "online")) for variant, names in VARIANTS.items()]


# Where plain nested search visits another number of states than the paper says, in spite of an equal product: the paper's figure, ours, and what is known of it.
DIFFERENCES = {"lifts.6": ("1.332", "1.666", "The red search visits 664,630 states: those of the accepting location q2 and of q3 and q4, which q2 reaches. The paper's figure is that of the accepting ones alone: nested searches are begun in 331,208 states, and (998,570 + 331,208) / 998,570 = 1.332. In the other rows all states that accepting ones reach are accepting, or there are hardly any, so that both ways of counting give the same. So the paper's figures are, in all seven rows, all states once "
                           "and the accepting ones once more, as if it counted the nested searches and not what they visit. (Not explained by a state that becomes red without a visit when all its successors are: with that rule plain search visits 1.615 here, and 1.001 in rether.6.)"),
               "rether.6": ("1.001", "1.005", "Here too accepting locations reach others that are not. Nested searches are begun in 6,325 states: (6,046,531 + 6,325) / 6,046,531 = 1.001, the paper's figure.")}


def shared():
    return Path(os.environ.get("TIDELINE_SHARED") or ROOT / "../shared")


def measured(given, instance, number, name, command, options, measure):
    model = shared() / f"beem/{instance}.prop{number}.dve"
    if "sweep" in options[1]:
        options = [*options, "--progress", measure or "projection"]
    done = subprocess.run([str(given.program), command, str(model), "--quiet", "--json", "-", "--threads", "1", "--time", given.time, *options],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{instance} {name}: exit status {done.returncode}\n{done.stderr}")
    found = json.loads(done.stdout)
    property_ = found["properties"][0] if found["properties"] else {}
    stopped = found["reason"] if found["reason"] not in (None, "violation") else ""
    return {"instance": instance, "property": number, "run": name, "verdict": property_.get("verdict", ""), "cycle": property_.get("cycle", ""),
            "states": found["states"] if found["states"] is not None else "", "transitions": found["transitions"] if found["transitions"] is not None else "",
            "stored": found["peak_states"], "visited": found["expanded"], "persistent": found["persistent"], "layers": found["layers"],
            "stopped": stopped, "measure": ",".join(found["progress"]["components"])}


def load():
    if not FIGURES.exists():
        return {}
    with open(FIGURES, newline="") as file:
        return {(row["instance"], row["run"]): row for row in csv.DictReader(file)}


def save(figures):
    with open(FIGURES, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(figures[key] for key in sorted(figures))


def share(count, row):
    return f"{int(count) / int(row['states']):.3f}"


def cell(figures, paper, run, what, column):
    """The paper's figure / ours, as parts of the product's states."""
    theirs = paper[column] if column else "–"
    row = figures.get((paper["instance"], run))
    if row is None:
        return f"{theirs} / –"
    ours = share(row[what], paper)
    return f"{theirs} / {'> ' if row['stopped'] else ''}{ours}"


def table(heads, rows):
    return ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"] + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def name_of(paper):
    return f"{paper['instance']}, {paper['property']}"


def letter(row):
    return {"single-layer": "S ", "multi-layer": "M "}.get(row["cycle"], "") if row else ""


def page(figures, papers):
    good = True
    text = ["# LTL model checking with the sweep-line method, 2012", "",
            "S. Evangelista and L. M. Kristensen: *Hybrid on-the-fly LTL model checking with the sweep-line method*, Table 1, beside ours. Written by `make papers` from the figures in",
            "[`ltl-sweep-2012.csv`](ltl-sweep-2012.csv), which `scripts/papers_ltl.py` measures; how the algorithms work: [nested depth-first search and MAP](../algorithms/nested-dfs.md), [LTL by sweep](../algorithms/ltl-sweep.md).", "",
            "Cells have *the paper's figure / ours*, as parts of the number of states of the product. `>`: the run was stopped by its limit of time. `–`: not measured, or not in the paper. The measures are projections chosen by a pilot run",
            "(`--progress projection`); the paper's are chosen by other means and are not printed there, so the columns of the sweeps can be compared only roughly.", ""]
    rows = []
    for paper in papers:
        row = figures.get((paper["instance"], "product"))
        same = "–"
        if row:
            equal = (row["states"], row["transitions"]) == (paper["states"], paper["edges"])
            known = "159972 states and 723257 edges" in paper["note"] and (row["states"], row["transitions"]) == ("159972", "723257")
            same = "equal" if equal else "as noted: two tools agree" if known else "**different**"
            good = good and same != "**different**"
        rows.append([name_of(paper), f"{int(paper['states']):,}", f"{int(row['states']):,}" if row else "–", f"{int(paper['edges']):,}", f"{int(row['transitions']):,}" if row else "–", same, paper["verdict"]])
    text += ["## Products", ""] + table(["instance, property", "states", "ours", "edges", "ours", "", "verdict"], rows)
    for verdict, title in (("holds", "Properties that hold"), ("violated", "Properties that are violated")):
        rows = []
        for paper in (each for each in papers if each["verdict"] == verdict):
            for run in ("ndfs", "map"):
                row = figures.get((paper["instance"], run))
                if row and not row["stopped"] and row["verdict"] != verdict:
                    good = False
            plain = figures.get((paper["instance"], "ndfs"))
            if verdict == "holds" and plain:
                same = (share(plain["stored"], paper), share(plain["visited"], paper)) == (paper["ndfs_stored"], paper["ndfs_visited"])
                known = DIFFERENCES.get(paper["instance"], ("", "", ""))[:2] == (paper["ndfs_visited"], share(plain["visited"], paper))
                good = good and (same or known)
                says = "equal" if same else "different: see below" if known else "**different**"
            else:
                says = "–" if not plain else "equal" if (share(plain["stored"], paper), share(plain["visited"], paper)) == (paper["ndfs_stored"], paper["ndfs_visited"]) else "another order"
            rows.append([name_of(paper), cell(figures, paper, "ndfs", "stored", "ndfs_stored"), cell(figures, paper, "ndfs", "visited", "ndfs_visited"), says,
                         cell(figures, paper, "ndfs early", "visited", None), cell(figures, paper, "map", "stored", "map_stored"), cell(figures, paper, "map", "visited", "map_visited")])
        text += [f"## {title}", ""] + table(["", "plain ndfs: stored", "visited", "", "early ndfs: visited", "map: stored", "visited"], rows)
        rows = []
        for paper in (each for each in papers if each["verdict"] == verdict):
            row = [name_of(paper)]
            for run, columns in (("sweep", "sweep"), ("on", "ltlsweep_on"), ("off", "ltlsweep_off")):
                found = figures.get((paper["instance"], run))
                if found and found["verdict"] and not found["stopped"] and found["verdict"] != verdict:
                    good = False
                for what in ("stored", "visited", "persistent"):
                    prefix = letter(found) if what == "stored" and run != "sweep" else ""
                    row.append(prefix + cell(figures, paper, run, what, f"{columns}_{what}"))
            rows.append(row)
        text += table(["", *(f"{name}: {what}" if what == "stored" else what for name in ("sweep", "on-line", "off-line") for what in ("stored", "visited", "persistent"))], rows)
    text += [f"{name}: {why}" for name, (_, _, why) in DIFFERENCES.items()] + [""]
    text += ["`S`, `M`: the cycle that our sweep found lies in a single layer, or in several. Plain nested search visits every state once, and again those that accepting states reach, in whatever order: its figures must be equal where the",
             "property holds. Where it is violated they depend on the order of successors.", "", "## Sections 5.2, 5.3 and 6", "",
             "States visited, as parts of the states of the product, without and with the progress graph (5.2), the order by progress (5.3), the second way of computing mpp (6), and all three.", ""]
    rows = []
    for paper in papers:
        row = [name_of(paper)]
        for line in ("on", "off"):
            for variant in VARIANTS:
                found = figures.get((paper["instance"], f"{line} {variant}".strip()))
                row.append("–" if not found else ("> " if found["stopped"] else "") + share(found["visited"], paper))
        rows.append(row)
    heads = [f"{line} {variant}".strip() for line in ("on-line", "off-line") for variant in VARIANTS]
    text += table(["", *heads], rows)
    text += ["## The measures", ""]
    rows = []
    for paper in papers:
        row = figures.get((paper["instance"], "sweep"))
        rows.append([name_of(paper), str(row["layers"]) if row else "–", f"`{row['measure']}`" if row else "–"])
    text += table(["", "layers", "projection"], rows)
    text += ["The paper's Table 2 and its four averages are over 85 instances, which it does not list; they are not reproduced here.", ""]
    return "\n".join(text), good


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", type=Path, default=ROOT / "build/release/tideline")
    arguments.add_argument("--only", default="")
    arguments.add_argument("--runs", default="")
    arguments.add_argument("--time", default="600s")
    arguments.add_argument("--missing", action="store_true")
    arguments.add_argument("--page", action="store_true")
    given = arguments.parse_args()
    papers_file = shared() / "reference/ltl-sweep-table.csv"
    if not papers_file.exists():
        print(f"{PAGE.relative_to(ROOT)}: skipped, there is no {papers_file}")
        return
    with open(papers_file, newline="") as file:
        papers = list(csv.DictReader(file))
    figures = load()
    for paper in papers:
        if given.page or not paper["instance"].startswith(given.only):
            continue
        for name, command, options in RUNS:
            key = (paper["instance"], name)
            if (given.missing and key in figures) or (given.runs and name not in given.runs.split(",")):
                continue
            sweep = figures.get((paper["instance"], "sweep"))
            measure = sweep["measure"] if sweep and name != "sweep" else None
            figures[key] = measured(given, paper["instance"], paper["property"], name, command, options, measure)
            save(figures)
    text, good = page(figures, papers)
    PAGE.write_text(text.rstrip("\n") + "\n")
    print(f"{PAGE.relative_to(ROOT)}: {'equal, or different as the page says' if good else 'SOME FIGURES DIFFER'}")
    if not good:
        sys.exit(1)


if __name__ == "__main__":
    main()
