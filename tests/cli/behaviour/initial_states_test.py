"""Several initial states: of a Kripke structure, and of a system written in C++ (the program of the variable MEETING).

A search begins with all of them; the figures are those of their union, and a trace begins in one of them.
"""

import json
import os
import subprocess
import unittest
from pathlib import Path

from program import PATIENCE, ROOT, ProgramTest

MEETING = str(Path(os.environ.get("MEETING", ROOT / "build" / "release" / "tests" / "cli" / "meeting")).resolve())

# Two chains that meet in d, and a state that nothing reaches. From c there is a second way round.
CHAINS = {
    "states": [{"name": "a", "progress": 0}, {"name": "b", "progress": 1}, {"name": "c", "progress": 0},
               {"name": "d", "labels": ["met"], "progress": 2}, {"name": "lost", "progress": 3}],
    "initial": ["c", "a"],
    "edges": [["a", "b"], ["b", "d"], ["c", "d"], ["c", "c"], ["d", "d"], ["lost", "a"]],
}
ENGINES = (["--engine", "bfs"], ["--engine", "bfs", "--threads", 2], ["--engine", "bfs", "--compress"], ["--engine", "dfs"],
           ["--engine", "sweep"], ["--engine", "sweep", "--ledger", "run", "--record", "edges"],
           ["--engine", "sweep", "--ledger", "none"], ["--engine", "sweep-basic"], [])


class KripkeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("chains.json", json.dumps(CHAINS))

    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
        return json.loads(finished.stdout)

    def test_every_engine_visits_what_any_of_them_reaches(self):
        for options in ENGINES:
            with self.subTest(options):
                report = self.report("explore", "chains.json", *options)
                self.assertEqual((report["complete"], report["states"], report["transitions"], report["deadlocks"]), (True, 4, 5, 0))

    def test_the_order_of_the_array_does_not_change_the_figures(self):
        self.write("turned.json", json.dumps({**CHAINS, "initial": ["a", "c"]}))
        for name in ("states", "transitions", "deadlocks", "layers", "depth"):
            self.assertEqual(self.report("explore", "turned.json", "--engine", "bfs")[name],
                             self.report("explore", "chains.json", "--engine", "bfs")[name])

    def test_a_property_that_fails_from_one_of_them_is_violated_from_that_one(self):
        for formula, first, start in (("!{lts.c}", "lts.c", "initial state 1 of 2"), ("!{lts.a}", "lts.a", "initial state 2 of 2")):
            with self.subTest(formula):
                finished = self.run_program("check", "chains.json", "--ltl", formula)
                self.assertEqual(finished.returncode, 1, finished.stdout + finished.stderr)
                self.assertIn(start, finished.stdout)
                self.assertEqual(self.report("check", "chains.json", "--invariant", f"not {first}", status=1)["properties"][0]["verdict"], "violated")

    def test_a_property_of_all_of_them_holds(self):
        # Every run from a meets; c may go round for ever.
        self.assertEqual(self.report("check", "chains.json", "--ltl", "{lts.a} -> F met")["properties"][0]["verdict"], "holds")
        self.assertEqual(self.report("check", "chains.json", "--ltl", "F met", status=1)["properties"][0]["verdict"], "violated")

    def test_a_run_is_resumed_and_confirmed(self):
        first = self.run_program("explore", "chains.json", "--engine", "sweep", "--ledger", "run", "--record", "edges", "--states", 2)
        self.assertIn(first.returncode, (0, 3), first.stdout + first.stderr)
        if first.returncode == 3:
            self.assertEqual(self.run_program("resume", "run").returncode, 0)
        audit = self.run_program("audit", "run")
        self.assertIn("CONFIRMED", audit.stdout, audit.stderr)

    def test_what_is_no_array_of_different_states_is_refused(self):
        for initial in ([], ["a", "a"], ["nowhere"], [0, "a"]):
            with self.subTest(initial):
                self.write("bad.json", json.dumps({**CHAINS, "initial": initial}))
                finished = self.run_program("explore", "bad.json")
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn("error:", finished.stderr)


class CppTest(ProgramTest):
    def run_system(self, *arguments, status=0):
        finished = subprocess.run([MEETING, *map(str, arguments)], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=PATIENCE, encoding="utf-8")
        self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
        return finished.stdout

    def report(self, *arguments, status=0):
        return json.loads(self.run_system(*arguments, "--json", "-", "--quiet", status=status))

    def test_every_engine_visits_what_any_state_of_the_range_reaches(self):
        # All pairs of different cells are initial; the walkers meet in every cell.
        for options in (*ENGINES[:6], ["--engine", "sweep", "--progress", "left"], []):
            if "sweep" in options and "--progress" not in options:
                options = [*options, "--progress", "left - right + 100"]
            with self.subTest(options):
                report = self.report("explore", "--cells", 7, *options)
                self.assertEqual((report["complete"], report["states"], report["transitions"], report["deadlocks"]), (True, 28, 42, 7))

    def test_a_trace_begins_in_the_state_of_the_range_that_it_says(self):
        # The pairs (0, 1), (0, 2), ... (1, 2), ...: the twelfth of 21 begins with 2 and 3.
        text = self.run_system("check", "--cells", 7, "--invariant", "not (left == 2 and right == 3)", status=1)
        self.assertIn("initial state 12 of 21", text)
        trace = self.report("check", "--cells", 7, "--invariant", "right < 6 or left < 6", status=1)["properties"][0]["trace"]
        self.assertEqual(len(trace["states"]), 2, "a shortest one begins beside the last cell")

    def test_formulas_hold_from_every_state_of_the_range(self):
        self.assertEqual(self.report("check", "--ltl", "F {left == right}")["properties"][0]["verdict"], "holds")
        self.assertEqual(self.report("check", "--ltl", "F {left > 2}", status=1)["properties"][0]["verdict"], "violated")

    def test_an_audit_knows_all_of_them(self):
        self.run_system("explore", "--ledger", "run", "--record", "edges", "--engine", "bfs")
        self.assertIn("CONFIRMED", self.run_system("audit", "run"))


if __name__ == "__main__":
    unittest.main()
