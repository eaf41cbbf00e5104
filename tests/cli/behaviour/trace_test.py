"""Traces: that they are runs, how they are shown, and the file in the Informal Trace Format."""

import json
import re

from program import MODELS, ProgramTest

PHILOSOPHERS = MODELS / "philosophers.dve"
# From and to: which fork is concerned (0 the left one, 1 the right one), its value before and after.
STEPS = {("think", "one"): (0, 0, 1), ("one", "eat"): (1, 0, 1), ("eat", "leave"): (0, 1, 0), ("leave", "think"): (1, 1, 0)}


class TraceTest(ProgramTest):
    def check(self, *options, status=1, **changes):
        finished = self.run_program("check", PHILOSOPHERS, "--deadlock", *options, **changes)
        self.assertEqual(finished.returncode, status, finished.stderr)
        return finished.stdout

    def itf(self, *options):
        self.check("--itf", "trace.itf.json", "--quiet", *options)
        return json.loads((self.folder / "trace.itf.json").read_text(encoding="utf-8"))

    def expect_run_to_the_deadlock(self, trace):
        """Every step is one that the model allows, and at the end each philosopher holds one fork."""
        names = [f"Philosopher{i}" for i in range(5)]
        states = trace["states"]
        self.assertEqual((states[0]["fork"], [states[0][name] for name in names]), ([0] * 5, ["think"] * 5))
        for before, after in zip(states, states[1:]):
            i, = (number for number, name in enumerate(names) if before[name] != after[name])
            fork, found, left = STEPS[before[names[i]], after[names[i]]]
            fork = (i + fork) % 5
            self.assertEqual(before["fork"][fork], found)
            self.assertEqual(after["fork"], before["fork"][:fork] + [left] + before["fork"][fork + 1:])
            part, = after["#meta"]["parts"]
            self.assertEqual((part["process"], part["from"], part["to"]), (names[i], before[names[i]], after[names[i]]))
        self.assertEqual((states[-1]["fork"], [states[-1][name] for name in names]), ([1] * 5, ["one"] * 5))

    def test_breadth_first_finds_a_shortest_run(self):
        trace = self.itf("--engine", "bfs")
        self.assertEqual(len(trace["states"]), 6)
        self.expect_run_to_the_deadlock(trace)

    def test_depth_first_finds_a_run(self):
        self.expect_run_to_the_deadlock(self.itf("--engine", "dfs"))

    def test_the_file_is_in_the_informal_trace_format(self):
        trace = self.itf()
        self.assertEqual(trace["#meta"]["format"], "ITF")
        self.assertEqual(trace["vars"], ["fork"] + [f"Philosopher{i}" for i in range(5)])
        self.assertEqual([state["#meta"]["index"] for state in trace["states"]], list(range(6)))
        for state in trace["states"]:
            self.assertEqual(set(state) - {"#meta"}, set(trace["vars"]))

    def test_a_run_without_a_violation_leaves_no_earlier_trace(self):
        self.write("trace.itf.json", "of an earlier run")
        finished = self.run_program("check", MODELS / "peterson.dve", "--deadlock", "--itf", "trace.itf.json")
        self.assertEqual(finished.returncode, 0)
        self.assertFalse((self.folder / "trace.itf.json").exists())

    def test_a_link_to_an_earlier_trace_stays(self):
        self.write("earlier.itf.json", "of an earlier run")
        (self.folder / "link").symlink_to("earlier.itf.json")
        finished = self.run_program("check", MODELS / "peterson.dve", "--deadlock", "--itf", "link")
        self.assertEqual(finished.returncode, 0)
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual((self.folder / "earlier.itf.json").read_text(), "")

    def test_the_file_has_the_first_violated_property_whatever_else_has_a_run(self):
        def shown(*question, status):
            finished = self.run_program("check", MODELS / "peterson.dve", *question, "--itf", "trace.itf.json", "--json", "report.json", "--quiet")
            self.assertEqual(finished.returncode, status, finished.stderr)
            runs = [found["trace"] is not None for found in json.loads((self.folder / "report.json").read_text(encoding="utf-8"))["properties"]]
            return runs, json.loads((self.folder / "trace.itf.json").read_text(encoding="utf-8"))["#meta"]["description"]
        witness, violated = "EF {P0.critical}", "AG !{P1.critical}"
        runs, description = shown("--ctl", witness, "--ctl", violated, status=1)
        self.assertEqual(runs, [True, True])
        self.assertIn(f"{violated} (violated)", description)
        runs, description = shown("--ctl", witness, "--ctl", "EF {P1.critical}", status=0)
        self.assertIn(f"{witness} (holds)", description)

    def test_changes_show_what_a_step_changes(self):
        text = self.check()
        self.assertEqual(text, re.sub(r"(?m)^(time|memory) .*$", lambda m: self.line_of(text, m[1]), self.check("--trace", "changes")))
        self.assertIn("\n5  Philosopher4: think -> one (", text.replace("\n ", "\n"))
        self.assertIn("      fork[4]: 0 -> 1\n", text)
        self.assertEqual(text.count("fork = {"), 1)

    @staticmethod
    def line_of(text, name):
        return re.search(rf"(?m)^{name} .*$", text)[0]

    def test_full_shows_every_state(self):
        self.assertEqual(self.check("--trace", "full").count("fork = {"), 6)

    def test_actions_show_a_line_a_step(self):
        text = self.check("--trace", "actions")
        run = text.split("this run ends in a deadlock:\n")[1].split("\n\n")[0].split("\n")
        self.assertEqual(len(run), 6)
        self.assertNotIn("fork", "".join(run))

    def test_steps_tell_the_line_of_the_model(self):
        text = self.check("--trace", "actions")
        lines = PHILOSOPHERS.read_text(encoding="utf-8").split("\n")
        places = re.findall(r"philosophers\.dve:(\d+)\)", text)
        self.assertEqual(len(places), 5)
        for place in places:
            self.assertIn("think -> one", lines[int(place) - 1])

    def test_arrows_are_plain_without_utf8(self):
        text = self.check(LC_ALL="C")
        self.assertTrue(text.isascii())
        self.assertIn("think -> one (", text)

    def test_arrows_are_arrows_with_utf8(self):
        self.assertIn("think → one (", self.check(LC_ALL="C.UTF-8"))
        self.assertIn("fork[0]: 0 → 1", self.check(LC_ALL="", LC_CTYPE="en_US.utf8"))
