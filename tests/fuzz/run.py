#!/usr/bin/env python3
"""Runs the fuzz targets, each for some seconds, and says what they found. `make fuzz` builds them first.

    tests/fuzz/run.py [--build build/asan-ubsan] [--seconds 60] [--jobs N] [TARGET ...]

What a run discovers goes to corpus/TARGET in the build folder, where the next run begins with it; inputs that fail go to found/. Ends with status 1
where there are any. README.md tells what to do with them.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Besides those of corpus/.
MORE_SEEDS = {"dve": [ROOT / "tests/models"]}
LONGEST = 4096          # bytes of an input
SECONDS_PER_INPUT = 10  # more is a hang: with the sanitizers, a sound input takes milliseconds
MEGABYTES = 2048


def targets():
    return sorted(path.name for path in (HERE / "corpus").iterdir())


def run(target, build, seconds):
    """Whether it passed, and a line about it."""
    found, corpus = build / "found" / target, build / "corpus" / target
    for folder in (found, corpus):
        folder.mkdir(parents=True, exist_ok=True)
    before = set(found.iterdir())
    command = [str(build / f"fuzz/fuzz_{target}"), f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-timeout={SECONDS_PER_INPUT}",
               f"-rss_limit_mb={MEGABYTES}", f"-artifact_prefix={found}/", "-print_final_stats=1", "-verbosity=1"]
    dictionary = HERE / f"dictionaries/{target}.txt"
    if dictionary.is_file():
        command.append(f"-dict={dictionary}")
    command += [str(corpus), str(HERE / "corpus" / target), *map(str, MORE_SEEDS.get(target, []))]
    # Leaks are looked for at the end alone: after each input it would take longer than the input.
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0", "UBSAN_OPTIONS": "print_stacktrace=1",
                   "LSAN_OPTIONS": f"suppressions={ROOT / 'tests/leaks.txt'}:print_suppressions=0"}
    begin = time.monotonic()
    log = build / f"found/{target}.log"
    # In memory, where the system has such a folder; a target that fails leaves its files there.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory, prefix="tideline-fuzz-") as folder, open(log, "w", encoding="utf-8", errors="replace") as output:
        environment["TMPDIR"] = folder
        status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=environment, cwd=build).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", text)
    covered = re.findall(r"\bcov: (\d+)", text)
    line = f"{target}: {int(executed[1]) if executed else 0:,} inputs in {time.monotonic() - begin:.0f} s, {covered[-1] if covered else 0} branches covered"
    new = sorted(set(found.iterdir()) - before)
    if status != 0:
        line += f"; FAILED, see {log}" + "".join(f"\n    {path}" for path in new)
    return status == 0 and not any(path.name.startswith(("crash", "timeout", "oom", "leak")) for path in new), line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/asan-ubsan")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all, unless some are named: " + ", ".join(targets()))
    args = parser.parse_args()
    chosen = args.targets or targets()
    for target in chosen:
        if target not in targets():
            sys.exit(f"there is no target {target}; there are {', '.join(targets())}")
    build = args.build.resolve()
    with ThreadPoolExecutor(max(args.jobs, 1)) as pool:
        results = []
        for passed, line in pool.map(lambda target: run(target, build, args.seconds), chosen):
            print(line, flush=True)
            results.append(passed)
    if not all(results):
        sys.exit(f"{results.count(False)} of {len(results)} fuzz targets failed")
    print(f"{len(results)} fuzz targets passed")


if __name__ == "__main__":
    main()
