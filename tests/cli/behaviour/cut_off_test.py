"""--cut-off: searches that end, exact ones and others."""

import json

from program import MODELS, ProgramTest

COUNTER = """int n;
byte m;
process P {
  state s;
  init s;
  trans
    s -> s { effect n = n + 1; },
    s -> s { guard n < 5; effect m = 1 - m; };
}
system async;
"""


class CutOffTest(ProgramTest):
    def json_of(self, *arguments):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        return finished.returncode, json.loads(finished.stdout)

    def test_an_exploration_that_would_not_end_is_relative_to_the_cut(self):
        model = self.write("m.dve", COUNTER)
        for engine in (("bfs",), ("dfs",), ("sweep", "--progress", "n", "--ledger", "none"), ("sweep", "--progress", "n"), ("bfs", "--threads", "2")):
            with self.subTest(engine=engine):
                status, report = self.json_of("explore", model, "--cut-off", "n >= 20", "--engine", *engine)
                self.assertEqual(status, 3)
                self.assertEqual(report["states"], 42)
                self.assertEqual(report["deadlocks"], 0)
                self.assertFalse(report["complete"])
                self.assertEqual(report["cut_off"], {"condition": "n >= 20", "exact": False, "unvisited": 2})

    def test_what_is_reached_in_another_way_makes_it_exact(self):
        model = MODELS / "peterson.dve"
        _, whole = self.json_of("explore", model)
        self.assertGreater(whole["states"], 10)
        status, report = self.json_of("explore", model, "--cut-off", "1 == 2")
        self.assertEqual((status, report["states"], report["cut_off"]["exact"]), (0, whole["states"], True))
        model = self.write("round.dve", "byte x; process P { state s; init s; trans s -> s { effect x = (x + 1) % 4; }; }\nsystem async;\n")
        status, report = self.json_of("explore", model, "--cut-off", "x == 3")
        self.assertEqual((status, report["states"], report["transitions"], report["deadlocks"]), (0, 4, 4, 0))
        self.assertEqual(report["cut_off"], {"condition": "x == 3", "exact": True, "unvisited": 0})

    def test_violations_stand_and_the_rest_is_unknown(self):
        model = self.write("m.dve", COUNTER)
        status, report = self.json_of("check", model, "--invariant", "n < 10", "--invariant", "m < 2", "--deadlock", "--cut-off", "n >= 20")
        self.assertEqual(status, 1)
        self.assertEqual([p["verdict"] for p in report["properties"]], ["violated", "unknown", "unknown"])
        self.assertIn("cut-off", report["properties"][1]["reason"])

    def test_what_it_does_not_decide_is_refused(self):
        model = self.write("m.dve", COUNTER)
        for arguments, message in (
                (("check", model, "--ltl", "G n < 3"), "cut short"),
                (("check", model, "--ctl", "AG n < 3"), "cut short"),
                (("explore", model, "--ledger", "l"), "lack the steps")):
            finished = self.run_program(*arguments, "--cut-off", "n >= 20")
            self.assertEqual(finished.returncode, 2, finished.stdout)
            self.assertIn(message, finished.stderr)
        finished = self.run_program("explore", model, "--cut-off", "k > 3")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--cut-off", finished.stderr)
