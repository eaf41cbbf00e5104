"""Writes docs/benchmarks.md from the figures that run.py has measured.

A table's cells come from rows of figures, by configuration; a figure that was not measured is a dash.
"""
import math
import re
import statistics
import subprocess
from pathlib import Path

OPENING = """# Benchmarks

Written by `make bench` (`bench/run.py`) from runs of the programs; every figure is measured, and `docs/benchmarks.csv` has all of them.
Memory and time of sweeps by measures that are found without asking, for 143 instances of BEEM: [BEEM by measures found without asking](beem-progress.md); with given measures and ledgers:
[exact sweeps](beem-exact.md), [what a ledger costs](ledger-overhead.md), [large models in little memory](large-models.md), with the logs.

{machine} {versions}.

## How it is measured

```
tideline explore MODEL --engine bfs|dfs --successors native --json - --quiet [--compress] [--threads 2]
tideline explore MODEL --engine sweep --ledger none --progress MEASURE --successors native --json - --quiet
spin -a -o1 -o2 -o3 -DNAME=VALUE... MODEL.pml
gcc -O2 -DSAFETY -DNOREDUCE [-DCOLLAPSE] -o pan pan.c
pan -wBITS -mDEPTH
```

- **Runs.** Medians of {repeat} (of {thread_repeats} where threads are measured); the configurations of a model take turns. The
  states and transitions of every run are compared with the known ones; where they differ there is no page.
- **Time** is user time of the whole process; where threads are compared, its wall-clock time. The making of machine code, by LLVM
  or GCC, is left out and reported separately. System time, such as for clearing pages, is in neither tool's user time.
- **Bytes a state**: the largest resident memory of a run with `--successors interpret`, less that of the same command stopped after
  1000 states (`--states 1000`); divided by the states. The compiler's memory, most of which is free again when the search begins,
  would hide that of the states. Of SPIN nothing is subtracted. Its hash
  table (`-w`) has the next power of two above the number of states, its stack (`-m`) the depth that a first run reports.
- **Random access**: `random_access` reads cache lines at random in a table as large as the memory of the search, 64 at a time
  with prefetch, on pages of 4 KB, as the tables of a search are. A search that looks up the target of each transition needs at
  least one such read for it; here the targets of some are known without (`docs/algorithms/sleep-sets.md`). For two threads
  pages of 2 MB are tried too, and the faster counts.

The five models beside SPIN are written by `bench/models.py`, which says how they correspond to the Promela ones: the states are
one to one, and the steps are the same. SPIN counts its initial state as a transition, and so reports one more; `bench/pairs.csv`
has its counts. SPIN runs without merging of statements, without setting dead variables to 0 (`-o1 -o2 -o3`) and without
partial-order reduction (`-DNOREDUCE`), so that both tools visit the same states.
"""


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def show(row, name, form, scale=1):
    return "–" if row.get(name) is None else form.format(row[name] / scale)


def ratio(over, under, name):
    return over[name] / under[name] if over.get(name) and under.get(name) else None


def table(heads, results, entry):
    """`entry` gives of a model and its rows the cells and the ratios after them, whose geometric means are the last line; None where the
    model is not in the table."""
    lines, ratios = [], []
    for model, rows in results:
        made = entry(model, rows)
        if made is not None:
            cells, values = made
            lines.append([*cells, *("–" if value is None else f"{value:.2f}" for value in values)])
            ratios.append(values)
    if not lines:
        return ["Not measured.", ""]
    means = []
    for column in zip(*ratios):
        known = [value for value in column if value is not None]
        means.append(f"*{geometric_mean(known):.2f}*" if known else "–")
    lines.append(["*geometric mean*", *[""] * (len(heads) - 1 - len(means)), *means])
    return [f"| {' | '.join(cells)} |" for cells in [heads, ["---"] + ["---:"] * (len(heads) - 1), *lines]] + [""]


def speed_table(results, of_pairs):
    def entry(model, rows):
        if model.is_pair() != of_pairs or "bfs" not in rows:
            return None
        row, deep = rows["bfs"], rows.get("dfs", {})
        cells = [model.title, f"{model.states:,}", f"{model.transitions:,}", show(row, "user_seconds", "{:.2f}"),
                 show(row, "compile_seconds", "{:.2f}"), show(row, "states_per_second", "{:.2f}", 1e6),
                 show(row, "transitions_per_second", "{:.2f}", 1e6), show(deep, "transitions_per_second", "{:.2f}", 1e6),
                 show(row, "bytes_per_state", "{:.1f}"), show(row, "peak_rss_bytes", "{:.0f}", 1e6), show(row, "reads_4k", "{:.0f}", 1e6)]
        return cells, [row.get("of_random_access"), deep.get("of_random_access")]
    return ["Breadth-first search, and depth-first where it says so. Millions per second; bytes per state; MB at most; millions of random",
            "reads a second in a table as large as the memory of the search; transitions a second divided by these reads a second.", "",
            *table(["model", "states", "transitions", "seconds", "compiling", "states/s", "transitions/s", "transitions/s, dfs",
                    "bytes per state", "MB", "reads/s", "transitions / reads", "transitions / reads, dfs"], results, entry)]


def spin_section(results):
    names = ["bfs", "dfs", "compress", "spin", "spin-collapse"]

    def times(model, rows):
        if "spin" not in rows:
            return None
        cells = [model.title, *(show(rows.get(name, {}), "user_seconds", "{:.2f}") for name in names)]
        return cells, [ratio(rows["spin"], rows["bfs"], "user_seconds"), ratio(rows["spin"], rows["dfs"], "user_seconds"),
                       ratio(rows["spin-collapse"], rows.get("compress", {}), "user_seconds")]

    def memory(model, rows):
        if "spin" not in rows:
            return None
        cells = [model.title, *(show(rows.get(name, {}), "bytes_per_state", "{:.1f}") for name in names)]
        return cells, [ratio(rows["spin"], rows["bfs"], "bytes_per_state"), ratio(rows["spin"], rows["dfs"], "bytes_per_state"),
                       ratio(rows["spin-collapse"], rows.get("compress", {}), "bytes_per_state")]
    heads = ["model", "bfs", "dfs", "bfs, compressed", "SPIN", "SPIN, collapse", "SPIN / bfs", "SPIN / dfs",
             "SPIN, collapse / bfs, compressed"]
    compiling = [f"{model.name} {rows['bfs']['compile_seconds']:.2f} and {rows['spin']['compile_seconds']:.2f}"
                 for model, rows in results if "spin" in rows]
    return ["## Beside SPIN", "", "User seconds of the search, and how many times as long SPIN takes.", "", *table(heads, results, times),
            "Bytes a state, and how many times as many SPIN takes.", "", *table(heads, results, memory),
            f"Seconds of making machine code, ours and SPIN's with GCC: {'; '.join(compiling) or 'not measured'}.", "",
            *speed_table(results, of_pairs=True)]


def beem_section(results):
    return ["## BEEM", "", *speed_table(results, of_pairs=False)]


def sweep_table(results, monotonic):
    def entry(model, rows):
        if "sweep" not in rows or (rows["sweep"]["sweeps"] == 1) != monotonic:
            return None
        full, swept = rows["bfs"], rows["sweep"]
        cells = [model.title, f"`{model.measure}`", f"{swept['sweeps']:.0f}", f"{100 * swept['peak_states'] / model.states:.1f} %",
                 show(full, "user_seconds", "{:.2f}"), show(swept, "user_seconds", "{:.2f}"), show(full, "search_bytes", "{:.1f}", 1e6),
                 show(swept, "search_bytes", "{:.1f}", 1e6)]
        return cells, [swept["expanded"] / model.states, ratio(swept, full, "user_seconds"), ratio(swept, full, "search_bytes")]
    return table(["model", "measure", "sweeps", "peak of states", "bfs, seconds", "sweep, seconds", "bfs, MB", "sweep, MB",
                  "expanded / states", "time, sweep / bfs", "memory, sweep / bfs"], results, entry)


def sweep_section(results):
    return ["## Sweep beside breadth-first search", "",
            "The measures are those of `bench/measures.csv`, chosen by hand as those of [the sweeps through BEEM](beem-sweep.md); models",
            "without a good one are not here. With a monotonic measure every state is expanded once.", "",
            *sweep_table(results, monotonic=True), "With measures that are not monotonic, states come again in later sweeps.", "",
            *sweep_table(results, monotonic=False)]


def compress_section(results):
    def entry(model, rows):
        if "compress" not in rows:
            return None
        plain, small = rows["bfs"], rows["compress"]
        cells = [model.title, *(show(row, "user_seconds", "{:.2f}") for row in (plain, small)),
                 *(show(row, "bytes_per_state", "{:.1f}") for row in (plain, small))]
        return cells, [ratio(small, plain, "user_seconds"), ratio(small, plain, "bytes_per_state")]
    return ["## Compression", "", "Breadth-first search without and with `--compress`: seconds, bytes per state, and the ratios of both.", "",
            *table(["model", "seconds", "seconds, compressed", "bytes per state", "bytes per state, compressed", "time, compressed / plain",
                    "memory, compressed / plain"], results, entry)]


def threads_table(results, engine):
    def entry(model, rows):
        if f"{engine}-threads" not in rows:
            return None
        one, two = rows[engine], rows[f"{engine}-threads"]
        cells = [model.title, *(show(row, "seconds", "{:.2f}") for row in (one, two)),
                 *(show(row, "bytes_per_state", "{:.1f}") for row in (one, two))]
        scaling = max(two["reads_4k"], two["reads_2m"]) / two["reads_one_thread"] if two.get("reads_one_thread") else None
        return cells, [ratio(one, two, "seconds"), scaling]
    heads = ["model", "1 thread", "2 threads", "bytes per state, 1", "bytes per state, 2", "times as fast", "random reads"]
    return table(heads, results, entry)


def threads_section(results):
    return ["## Two threads", "",
            "One thread and two: wall-clock seconds, bytes per state, how many times as fast two threads are, and how many times as many",
            "random reads two threads do in a table as large as the memory of the search. Breadth-first search:", "",
            *threads_table(results, "bfs"), "Sweeps, with the measures above:", "", *threads_table(results, "sweep")]


def machine():
    said = subprocess.run(["lscpu"], capture_output=True, text=True, check=True, env={"LC_ALL": "C"}).stdout
    facts = dict(re.findall(r"^\s*([^:]+):\s*(.*)$", said, re.M))
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text(encoding="ascii")).group(1)) * 1024
    setting = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    large = re.search(r"\[(\w+)\]", setting.read_text(encoding="ascii")).group(1) if setting.is_file() else "never"
    pages = {"always": "large pages wherever they fit", "madvise": "large pages where a program asks for them",
             "never": "no large pages"}[large]
    virtual = "virtual, " if "Hypervisor vendor" in facts else ""
    cache = re.sub(r" \(.*", "", facts.get("L3 cache", "unknown size"))
    return (f"The machine: {virtual}{facts['CPU(s)']} processors of {facts['Architecture']}, L3 cache of {cache}, "
            f"{memory / 1e9:.0f} GB of memory, {pages}.")


def versions():
    found = []
    for command in (["spin", "-V"], ["gcc", "--version"]):
        try:
            found.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0])
        except (OSError, subprocess.CalledProcessError):
            found.append(f"no {command[0]}")
    return ", ".join(found)


WRITERS = {"spin": spin_section, "beem": beem_section, "sweep": sweep_section, "compress": compress_section, "threads": threads_section}


def page(results, sections, repeat, thread_repeats):
    text = [OPENING.format(machine=machine(), versions=versions(), repeat=repeat, thread_repeats=thread_repeats)]
    for section in sections:
        text += WRITERS[section](results)
    return "\n".join(text)
