#!/usr/bin/env python3
"""Runs the systems of the papers and writes docs/papers: the papers' figures beside ours.

    scripts/papers.py [--build build/release] [--larger]

--larger adds the run with 50 packets, from C++ only (seconds; from DVE it takes minutes).
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WRITTEN = "Written by `make papers` from runs of the programs; every figure of ours is measured."

# Configuration: states, edges, peak (of the system as reconstructed; the paper has only the percentage), peak in percent, E-Time in ms of its two rows.
STOP_AND_WAIT = {
    (22, 2): (7944, 22419, 524, "6.6", "7, 7"), (30, 2): (14672, 41611, 716, "4.9", "14, 15"),
    (10, 3): (24052, 98671, 4766, "19.8", "35, 35"), (15, 3): (78027, 326906, 10746, "13.8", "152, 147"),
    (16, 3): (94226, 395825, 12230, "13.0", "236, 182"), (17, 3): (112525, 473808, 13810, "12.3", "306, 237"),
    (18, 3): (133052, 561415, 15486, "11.6", "287, 284"), (19, 3): (155935, 659206, 17258, "11.1", "348, 357"),
    (20, 3): (181302, 767741, 19126, "10.5", "437, 449"),
}
# Not in the paper: what the polynomials through its rows give.
LARGER = {(50, 3): (2732252, 11797351, 119806, "", "")}

# Workers: states, states per layer, expanded, sweeps, persistent, peak of each sweep. The paper draws two workers.
COMMIT = {2: (19, [1, 9, 9], 38, 2, 1, [13, 14]), 3: (55, [1, 27, 27], 110, 2, 1, [35, 36])}


class Programs:
    def __init__(self, build, folder):
        self.build = build
        self.folder = Path(folder)

    def run(self, program, *arguments):
        done = subprocess.run([str(self.build / program), "explore", *map(str, arguments), "--json", "-", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{program} {' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def check(self, program, *arguments):
        done = subprocess.run([str(self.build / program), "check", *map(str, arguments), "--json", "-", "--quiet"], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{program} {' '.join(map(str, arguments))}: exit status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def model(self, script, *arguments):
        path = self.folder / ("_".join([script, *map(str, arguments)]) + ".dve")
        path.write_text(subprocess.run([sys.executable, str(ROOT / "examples" / f"{script}.py"), *map(str, arguments)],
                                       capture_output=True, text=True, check=True).stdout)
        return path


def table(heads, rows):
    text = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return text + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows] + [""]


def says(ours, theirs):
    return "equal" if ours == theirs else "**different**"


def number(n):
    return f"{n:,}"


def stop_and_wait_row(programs, configuration, theirs, source):
    packets, capacity = configuration
    if source == "C++":
        found = programs.run("examples/stop_and_wait", "--packets", packets, "--capacity", capacity, "--engine", "sweep-basic")
    else:
        found = programs.run("tideline", programs.model("stop_and_wait", packets, capacity), "--engine", "sweep-basic", "--progress", "n,k")
    states, edges, peak, percent, e_time = theirs
    ours = (found["states"], found["transitions"], found["peak_states"])
    share = f"{100 * ours[2] / ours[0]:.1f}"
    same = ours == (states, edges, peak) and share == (percent or share)
    figures = [f"{packets}-{capacity}", source, number(states), number(ours[0]), number(edges), number(ours[1]), number(peak), number(ours[2]),
               percent or "-", share, "equal" if same else "**different**"]
    return figures, [f"{packets}-{capacity}", source, e_time or "-", f"{1000 * found['seconds']:.0f}"], same


# The paper's properties, by the labels of the system written in C++; verdicts in the first and in the second variant.
PROPERTIES = {
    "P1": ("AG EF all_received", "holds", "violated"),
    "P2": ("AG AF (data_on_the_way | all_received)", "holds", "holds"),
    "P3": ("AG AF acknowledgement_on_the_way", "violated", "violated"),
}


def property_row(programs, configuration, theirs, second):
    """All three properties by one sweep that looks at the components of each layer, and by labelling the whole graph."""
    packets, capacity = configuration
    call = ["examples/stop_and_wait", "--packets", packets, "--capacity", capacity, *(["--second"] if second else [])]
    for formula, _, _ in PROPERTIES.values():
        call += ["--ctl", formula]
    swept = programs.check(*call, "--engine", "scc-ctl")
    labelled = programs.check(*call, "--engine", "labelling")
    verdicts = [p["verdict"] for p in swept["properties"]]
    expected = [p[2 if second else 1] for p in PROPERTIES.values()]
    shown = all(p["verdict"] == "holds" or p["evidence"]["root"]["kind"] == "path" for p in swept["properties"])
    counts = (swept["states"], swept["transitions"], swept["peak_states"])
    same = verdicts == expected == [p["verdict"] for p in labelled["properties"]] and shown and (theirs is None or counts == theirs[:3])
    return [f"{packets}-{capacity}", "second" if second else "first", *verdicts, *map(number, counts), "yes" if shown else "**no**", "equal" if same else "**different**"], same


def ctl_sweep_page(programs, larger):
    rows = {**STOP_AND_WAIT, **(LARGER if larger else {})}
    measured = [stop_and_wait_row(programs, configuration, theirs, source)
                for configuration, theirs in rows.items() for source in ("C++", "DVE") if source == "C++" or configuration not in LARGER]
    second = []
    for packets, capacity in ((22, 2), (10, 3)):
        model = programs.model("stop_and_wait", packets, capacity, "--second")
        for source, call in (("C++", ["examples/stop_and_wait", "--packets", packets, "--capacity", capacity, "--second"]), ("DVE", ["tideline", model])):
            full = programs.run(*call, "--engine", "bfs")
            swept = programs.run(*call, "--engine", "sweep-basic", "--progress", "n,k" if source == "DVE" else "auto")
            second.append([f"{packets}-{capacity}", source, number(full["states"]), number(full["transitions"]), number(swept["peak_states"]),
                           says((swept["states"], swept["transitions"]), (full["states"], full["transitions"]))])
    properties = [property_row(programs, configuration, theirs, False) for configuration, theirs in STOP_AND_WAIT.items()]
    properties += [property_row(programs, configuration, None, True) for configuration in STOP_AND_WAIT]
    good = all(same for _, _, same in measured) and all(row[-1] == "equal" for row in second) and all(same for _, same in properties)
    text = ["# CTL model checking with the sweep-line method (2017)", "",
            "A. Lilleskare, L. M. Kristensen, S.-O. Høyland, *CTL Model Checking with the Sweep-line State Space Exploration Method*, NIK 2017.", "", WRITTEN, "",
            "The system: a sender repeats each of N data packets until it is acknowledged, over a network that holds C messages and may lose or reorder",
            "them; the progress is the pair (packet being sent, packet expected). It is described twice: `examples/cpp/stop_and_wait.cpp` and the DVE model",
            "that `examples/stop_and_wait.py` writes.", "",
            "## States, edges and peak", "",
            "The paper describes the system in words and gives the peak in percent only. The system has been reconstructed so that all figures agree; the",
            "expected number of states at the peak is that of the reconstruction, and rounds to the paper's percentage."]
    text += ["The row 50-3 is not in the paper: what is expected there are the polynomials through the other rows."] if larger else []
    text += [""]
    text += table(["N-C", "from", "states: paper", "ours", "edges: paper", "ours", "peak: expected", "ours", "peak %: paper", "ours", ""],
                  [figures for figures, _, _ in measured])
    text += ["## The second variant", "",
             "The receiver answers expected packets only. The paper lists no figures; these are what breadth-first search counts, and the sweep counts the same.", ""]
    text += table(["N-C", "from", "states", "edges", "peak of the sweep", "sweep and bfs"], second)
    text += ["## The properties", "",
             "P1: `AG EF all_received`. P2: `AG AF (data_on_the_way | all_received)`. P3: `AG AF acknowledgement_on_the_way`. By `check --engine scc-ctl` on the system",
             "written in C++, all three in one sweep; `labelling` gives the same verdicts. Each violation comes with a run that is replayed. The paper's text says which",
             "of them hold; states, edges and peak of the first variant are those of the table above, now of the sweep that checks.", ""]
    text += table(["N-C", "variant", *PROPERTIES, "states", "edges", "peak", "violations are shown", ""], [row for row, _ in properties])
    text += ["## What of the paper is built", ""]
    text += table(["section", "what", "built"],
                  [["2", "the running example, Figure 1", "`examples/layers.json`, completed as the text demands: layers of 1, 5 and 6 states, peak 7 of 12 (`tests/cli/behaviour/ctl_test.py`)"],
                   ["3", "the sweep with a monotonic measure", "`--engine sweep-basic`; a step against the measure stops the run and is shown"],
                   ["3, 4", "AG EF and AG AF by strongly connected components of a layer", "`--engine scc-ctl`; the last layer is checked too"],
                   ["5", "the protocol, both variants", "yes, twice"],
                   ["5", "error traces from a spanning tree on disk", "not by `scc-ctl`: `labelling` finds the evidence of a violation afterwards. `sweep` and `ledger` have them from the ledger"],
                   ["6", "a larger subset of CTL", "`--engine ledger`: every formula of CTL and CTL*, any measure"]])
    text += ["## Times of one run", "",
             "Milliseconds on one machine with other work on it, beside the paper's E-Time (one for each of the two properties that it checks in a",
             "configuration). The machines are years apart. The DVE models are interpreted, and have a transition for every packet number.", ""]
    text += table(["N-C", "from", "paper's E-Time", "ours"], [times for _, times, _ in measured])
    return "\n".join(text), good


def commit_calls(programs, workers):
    return {"C++": (["examples/two_phase_commit", "--workers", workers], "coordinator"),
            "DVE": (["tideline", programs.model("two_phase_commit", workers)], "Coordinator")}


def states_per_layer(programs, call, phase, workers):
    """A measure that distinguishes only the states of one phase has one key more than that phase has states."""
    code = "1"
    for i in range(workers):
        code = f"({code}) * 8 + worker[{i}]"
    return [programs.run(*call, "--engine", "sweep", "--ledger", "none", "--progress", f"({phase} == {p}) * ({code})")["layers"] - 1 for p in range(3)]


def commit_rows(programs):
    rows = []
    for workers, theirs in COMMIT.items():
        for source, (call, phase) in commit_calls(programs, workers).items():
            full = programs.run(*call, "--engine", "bfs")
            swept = programs.run(*call, "--engine", "sweep", "--ledger", "none", "--progress", phase)
            ours = (full["states"], states_per_layer(programs, call, phase, workers), swept["expanded"], swept["sweeps"], swept["persistent"],
                    [sweep["peak_states"] for sweep in swept["sweep_details"]])
            names = ("states", "states per layer", "expanded", "sweeps", "persistent", "peak of each sweep")
            plain = lambda figure: ", ".join(map(str, figure)) if isinstance(figure, list) else str(figure)
            rows += [[workers, source, name, plain(expected), plain(found), says(found, expected)] for name, expected, found in zip(names, theirs, ours)]
    return rows


# The same with --symmetry auto: classes, classes per layer, peak of each sweep.
CLASSES = {2: (13, [1, 6, 6], [9, 10]), 3: (21, [1, 10, 10], [14, 15])}
SYMMETRIC = "--symmetry", "auto"


def class_rows(programs):
    rows = []
    plain = lambda figure: ", ".join(map(str, figure)) if isinstance(figure, list) else str(figure)
    for workers, theirs in CLASSES.items():
        for source, (call, phase) in commit_calls(programs, workers).items():
            call = [*call, *SYMMETRIC]
            full = programs.run(*call, "--engine", "bfs")
            swept = programs.run(*call, "--engine", "sweep", "--ledger", "none", "--progress", phase)
            ours = (full["states"], states_per_layer(programs, call, phase, workers), [sweep["peak_states"] for sweep in swept["sweep_details"]])
            rows += [[workers, source, name, plain(expected), plain(found), says(found, expected)]
                     for name, expected, found in zip(("classes", "classes per layer", "peak of each sweep"), theirs, ours)]
    for workers in range(1, 9):
        expected = 1 + (workers + 1) * (workers + 2)
        for source, (call, _) in commit_calls(programs, workers).items():
            found = programs.run(*call, *SYMMETRIC, "--engine", "bfs")["states"]
            rows.append([workers, source, "classes: 1 + (n+1)(n+2)", expected, found, says(found, expected)])
    return rows


def lock_rows(programs):
    """Sweep, symmetry and both, relative to a search of all states, as Table 3 has them."""
    rows = []
    for devices in range(3, 7):
        model = programs.model("lock_manager", devices)
        sweep = "--engine", "sweep", "--ledger", "none", "--progress", "now"
        full, swept, reduced, both = (programs.run("tideline", model, "--threads", 1, *options)
                                      for options in (("--engine", "bfs"), sweep, ("--engine", "bfs", *SYMMETRIC), (*sweep, *SYMMETRIC)))
        share = lambda found: f"{100 * found['peak_states'] / full['states']:.1f}"
        time = lambda found: f"{100 * found['seconds'] / full['seconds']:.0f}"
        same = both["states"] == reduced["states"] and swept["states"] == full["states"] and both["deadlocks"] == reduced["deadlocks"] and both["symmetry"]["states_are_classes"]
        rows.append([devices, number(full["states"]), number(reduced["states"]), share(swept), share(reduced), share(both), time(swept), time(reduced), time(both),
                     "equal" if same else "**different**"])
    return rows


def bound_rows(programs):
    systems = [(f"two-phase commit, {w} workers", *commit_calls(programs, w)["DVE"]) for w in (2, 4, 6, 8)]
    systems += [(name, ["tideline", ROOT / "examples" / f"{name}.dve"], measure)
                for name, measure in (("philosophers", "Philosopher0"), ("philosophers", "fork[0]+fork[1]+fork[2]+fork[3]+fork[4]"),
                                      ("lossy_channel", "Sender.payload"), ("lossy_channel", "Sender,Receiver"))]
    systems.append(("stop-and-wait 10-3", ["tideline", programs.model("stop_and_wait", 10, 3)], "n,k"))
    systems.append(("stop-and-wait 10-3, against its progress", ["tideline", programs.model("stop_and_wait", 10, 3)], "11-n"))
    rows = []
    for name, call, measure in systems:
        states = programs.run(*call, "--engine", "bfs")["states"]
        swept = programs.run(*call, "--engine", "sweep", "--ledger", "none", "--progress", measure)
        first = (swept["persistent"] + 1) * states
        second = swept["sweeps"] * states
        kept = swept["expanded"] <= min(first, second) and swept["sweeps"] <= swept["persistent"] + 1
        rows.append([name, f"`{measure}`", number(states), number(swept["persistent"]), number(swept["sweeps"]), number(swept["expanded"]),
                     number(first), number(second), "kept" if kept else "**broken**"])
    return rows


def survey_page(programs):
    commit = commit_rows(programs)
    bounds = bound_rows(programs)
    classes = class_rows(programs)
    locks = lock_rows(programs)
    good = all(row[-1] == "equal" for row in classes + locks) and all(row[-1] == "equal" for row in commit) and all(row[-1] == "kept" for row in bounds)
    text = ["# The sweep-line state space exploration method (2012)", "",
            "K. Jensen, L. M. Kristensen, T. Mailund, *The sweep-line state space exploration method*, Theoretical Computer Science 429, 2012.", "", WRITTEN, "",
            "The system: a coordinator asks all workers whether they can commit, decides when all votes are in, and begins again when the decision is",
            "acknowledged; its phase is the progress, which falls back at the end of a round. It is described twice: `examples/cpp/two_phase_commit.cpp` and the",
            "DVE model that `examples/two_phase_commit.py` writes.", "",
            "## The commit protocol", "",
            "The paper draws the states of two workers, layer by layer, and counts 13 in memory at the end of the second layer. The figures of the second sweep and",
            "of three workers are not in it: those expected are reference figures for its algorithm; the layers of three workers were counted by hand (3³ votes).", ""]
    text += table(["workers", "from", "figure", "expected", "ours", ""], commit)
    text += ["## Its classes", "",
             "Workers are copies of each other, and the phase is the same for all states of a class: the measure and the equivalence are compatible (section 3.3). The",
             "paper gives no figures; those expected were counted by hand: the workers that are in each of two or three states decide the class.", ""]
    text += table(["workers", "from", "figure", "expected", "ours", ""], classes)
    text += ["## Sweep, symmetry and both (Table 3)", "",
             "`examples/lock_manager.py` is a model of ours in the style of the lock management protocol: a master, a clock that never goes back, and devices that are copies of each other. The",
             "columns are those of the paper's table: states in memory at the peak, and time (one thread), in percent of a search of all states. The paper's combined peak for an audio master and",
             "6 devices is 0.4 %, of another model.", ""]
    text += table(["devices", "states", "classes", "sweep: peak %", "symmetry: peak %", "both: peak %", "sweep: time %", "symmetry: time %", "both: time %", "counts"], locks)
    text += ["## The bounds of Theorems 1 and 2", "",
             "V are the states, B the targets of regress edges: those that the sweep keeps as persistent. Theorem 1 allows (|B| + 1)·|V| expanded states.",
             "If every state can be reached over at most n regress edges, there are at most n + 2 sweeps, and Theorem 2 allows (n + 2)·|V| expanded states.",
             "n is not measured here; since sweeps ≤ n + 2, the column",
             "sweeps·|V| is at most the bound of Theorem 2, and staying below it is staying below that bound. (That sweeps ≤ n + 2 is tested on random systems,",
             "`tests/differential/sweep_test.cpp`.)", ""]
    text += table(["system", "measure", "states", "persistent", "sweeps", "expanded", "(persistent + 1)·states", "sweeps·states", ""], bounds)
    text += ["For the commit protocol n is 0: no regress edge is needed to reach a state. Both bounds are met exactly.", "",
             "## What of the paper is built", ""]
    text += table(["section", "what", "built"],
                  [["2", "the algorithm of figure 3, any measure", "`--engine sweep --ledger none`"],
                   ["2", "monotonic measures: every state once", "`--engine sweep-basic`, which refuses a step against the measure"],
                   ["2", "progress measures given by the user", "`--progress`, lexicographic; a system in C++ may bring its own"],
                   ["3.1", "paths from a spanning tree on disk", "`--ledger`: the exact sweep records the tree, and runs are read from it; without a ledger a breadth-first search looks for the run"],
                   ["3.2", "partial orders of progress, compositional sweeps", "`--progress 'product(...)'`, by a linear extension; sweeps nested in what is "
                    "certified never to decrease ([composed measures](../algorithms/composition.md))"],
                   ["3.2", "measures from component graphs and spanning trees", "among those that are [found](../algorithms/finding-progress.md)"],
                   ["3.2", "safety properties as automata", "`check` decides a DVE property process and automata (`--automaton`) in the product; safety formulas by a monitor"],
                   ["3.3", "equivalence reduction (symmetry)", "`--symmetry auto`, with measures that are compatible and others ([symmetry](../algorithms/symmetry.md))"],
                   ["3.3", "cut-off predicates", "`--cut-off EXPR`, with a second search that finds out whether anything is lost ([cut-off](../algorithms/cut-off.md))"],
                   ["3.4", "Kripke structures for CTL* from a sweep", "`convert --to kripke --compact FILE`, from the exact sweep; the unfolding of Theorem 4: not yet"],
                   ["4", "the case studies (WTP, DCCP, LMP)", "a model in the style of LMP; the others not yet. Their models are not in the paper"]])
    return "\n".join(text), good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--larger", action="store_true")
    parser.add_argument("--only", choices=("ctl-sweep-2017", "sweep-line-survey-2012"), help="write this page alone")
    args = parser.parse_args()
    (ROOT / "docs/papers").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(args.build.resolve(), folder)
        makers = {"ctl-sweep-2017": lambda: ctl_sweep_page(programs, args.larger), "sweep-line-survey-2012": lambda: survey_page(programs)}
        pages = {name: make() for name, make in makers.items() if args.only in (None, name)}
    for name, (text, good) in pages.items():
        (ROOT / f"docs/papers/{name}.md").write_text(text.rstrip("\n") + "\n")
        print(f"docs/papers/{name}.md: {'every figure equal' if good else 'SOME FIGURES DIFFER'}")
    if not all(good for _, good in pages.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
