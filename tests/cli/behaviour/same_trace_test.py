"""Runs to violations by default options: byte for byte the same for any number of threads, run after run, and the shortest there are where they lead to a state.

TIDELINE_REPEATS says how often each configuration runs (2 unless it is given).
"""

import json
import os
import sys
from collections import deque

from program import MODELS, ROOT, ProgramTest

sys.path.insert(0, str(ROOT / "bench"))
import models  # noqa: E402  (bench/models.py)

REPEATS = int(os.environ.get("TIDELINE_REPEATS", "2"))
CONFIGURATIONS = {"one": ("--threads", "1"), "two": ("--threads", "2"), "default": ()}

# A model, an invariant that fails, one that holds, a formula. The last four are large enough for threads to share levels.
CASES = {
    "peterson": (None, "not (P0.critical and turn == 0)", "not (P0.critical and P1.critical)", "G F P0.critical"),
    "philosophers": (None, "not (Philosopher0.eat and Philosopher2.eat)", "not (Philosopher0.eat and Philosopher1.eat)", "G (Philosopher0.one -> F Philosopher0.eat)"),
    "alternating_bit": (None, "Receiver.expected < 3", "not Receiver.broken", "G F Receiver.check"),
    "readers_writers": (None, "readers < 3", "readers < 4", "G F Guard.check"),
    "leader_ring": (None, "leaders == 0", "leaders < 2", "F Node0.leader"),
    "filter3": (None, "not (P0.critical and level[1] == 2)", "not (P0.critical and P1.critical)", "G F P2.critical"),
    "swp": ({"W": 2, "C": 2, "MAXD": 3}, "got < 2", "got < 3", "G F {got == 0}"),
    "phils": ({"N": 7}, "eating < 3", "eating < 4", "G F {eating == 1}"),
    "bakery": ({"N": 3, "MAX": 1}, "num[0] < 1", "ncrit < 2", "G F P_0.critical"),
    "leader": ({"N": 5, "L": 10, "I": 3}, "not Node_1.ended", "Node_1.active < 2", "F Node_1.ended"),
}


def distance(graph):
    """Steps from an initial state to the nearest one with the label."""
    successors = [[] for _ in graph["states"]]
    for edge in graph["edges"]:
        successors[edge[0]].append(edge[1])
    known = {state: 0 for state in graph["initial"]}
    queue = deque(known)
    while queue:
        state = queue.popleft()
        if graph["states"][state]["labels"]:
            return known[state]
        for target in successors[state]:
            if target not in known:
                known[target] = known[state] + 1
                queue.append(target)
    return None


class SameTraceTest(ProgramTest):
    def traces(self, options, *arguments, status=1):
        finished = self.run_program("check", *arguments, *options, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stderr)
        report = json.loads(finished.stdout)
        return [(p["verdict"], json.dumps(p["trace"])) for p in report["properties"]], report

    def same(self, *arguments):
        """The report of one of the runs, of which all have the same verdicts and traces."""
        expected = None
        for _ in range(REPEATS):
            for name, options in CONFIGURATIONS.items():
                found, report = self.traces(options, *arguments)
                self.assertIsNone(report["changed_over"])
                if expected is None:
                    expected = found
                self.assertEqual(found, expected, name)
        return report

    def test_on_ten_models(self):
        self.assertEqual(len(CASES), 10)
        large = 0
        for name, (parameters, fails, holds, formula) in CASES.items():
            with self.subTest(name):
                path = MODELS / f"{name}.dve"
                if parameters is not None:
                    path = self.write(f"{name}.dve", models.model(name, parameters))
                first = self.same(path, "--invariant", fails)["properties"][0]
                report = self.same(path, "--invariant", fails, "--invariant", holds, "--ltl", formula)
                verdicts = [p["verdict"] for p in report["properties"]]
                self.assertEqual(verdicts[:2], ["violated", "holds"])
                self.assertIn(verdicts[2], ("violated", "holds"))
                graph = json.loads(self.run_program("convert", path, "--to", "kripke", "--label", f"bad=not ({fails})").stdout)
                shortest = distance(graph)
                for each in (first, report["properties"][0]):
                    self.assertEqual(len(each["trace"]["states"]) - 1, shortest)
                    self.assertTrue(each["trace_shortest"])
                large += len(graph["states"]) > 10_000
        self.assertGreaterEqual(large, 3)
