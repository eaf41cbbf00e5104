"""--json: the names and types that scripts rely on."""

import json

from program import MODELS, ProgramTest, counters

COUNT = int
MAYBE_COUNT = (int, type(None))
MAYBE_TEXT = (str, type(None))

REPORT = {
    "tool": dict, "model": dict, "engine": str, "complete": bool, "reason": MAYBE_TEXT, "progress": dict,
    "states": MAYBE_COUNT, "transitions": MAYBE_COUNT, "deadlocks": MAYBE_COUNT, "layers": COUNT, "sweeps": COUNT,
    "sweep_details": list, "expanded": COUNT, "reread": COUNT, "spilled": COUNT, "persistent": COUNT, "peak_states": COUNT,
    "peak_rss_bytes": COUNT, "ledger_bytes": COUNT, "seconds": (int, float), "faults": list, "properties": list,
}
PROPERTY = {
    "name": str, "logic": str, "formula": str, "verdict": str, "reason": MAYBE_TEXT, "seconds": (int, float), "states": COUNT,
    "expanded": COUNT, "peak_states": COUNT, "trace": (dict, type(None)),
}


class JsonTest(ProgramTest):
    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--json", "-")
        self.assertEqual(finished.returncode, status, finished.stderr)
        self.check_types(report := json.loads(finished.stdout))
        self.assertNotEqual(finished.stderr, "", "the summary goes to standard error")
        return report

    def check_types(self, report):
        self.check_object(report, REPORT)
        self.check_object(report["tool"], {"name": str, "version": str})
        self.check_object(report["model"], {"path": str, "format": str})
        self.check_object(report["progress"], {"source": str, "monotonic": str, "components": list})
        self.assertIn(report["reason"], (None, "memory", "disk", "time", "interrupted", "violation"))
        self.assertIn(report["progress"]["source"], ("auto", "user", "none"))
        self.assertIn(report["progress"]["monotonic"], ("proven", "refuted", "unknown"))
        for found in report["properties"]:
            self.check_object(found, PROPERTY)
            self.assertIn(found["verdict"], ("holds", "violated", "unknown"))

    def check_object(self, value, types):
        for name, kind in types.items():
            self.assertIn(name, value)
            self.assertIsInstance(value[name], kind, name)
            if kind in (COUNT, MAYBE_COUNT):
                self.assertNotIsInstance(value[name], bool, name)

    def test_a_report_does_not_take_the_place_of_what_the_run_needs(self):
        self.write("m.dve", "byte x; process P { state s; init s; trans s -> s { guard x < 9; effect x = x + 1; }; } system async;\n")
        before = (self.folder / "m.dve").read_text()
        for option in ("--json", "--itf", "--msc"):
            finished = self.run_program("explore", "m.dve", option, "./m.dve")
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn(f"{option} names the model", finished.stderr)
        self.assertEqual((self.folder / "m.dve").read_text(), before)
        self.assertIn("the same file", self.run_program("explore", "m.dve", "--json", "r", "--itf", "r").stderr)
        self.assertIn("--msc names the same file as --itf", self.run_program("explore", "m.dve", "--itf", "r", "--msc", "r").stderr)
        self.run_program("explore", "m.dve", "--engine", "bfs", "--ledger", "L", "--states", "3")
        finished = self.run_program("resume", "L", "--json", "L/journal")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--json names a file of the ledger", finished.stderr)
        self.assertEqual(self.run_program("resume", "L").returncode, 0)

    def test_an_exploration(self):
        report = self.report("explore", MODELS / "peterson.dve")
        self.assertEqual(report["tool"]["name"], "tideline")
        self.assertEqual(report["model"], {"path": str(MODELS / "peterson.dve"), "format": "dve"})
        self.assertEqual((report["engine"], report["complete"], report["reason"]), ("bfs", True, None))
        self.assertEqual((report["states"], report["transitions"], report["deadlocks"]), (20, 34, 0))
        self.assertEqual((report["expanded"], report["peak_states"], report["layers"]), (20, 20, 1))
        self.assertEqual((report["faults"], report["properties"]), ([], []))
        self.assertGreater(report["peak_rss_bytes"], 100_000)

    def test_depth_first_counts_the_same(self):
        report = self.report("explore", MODELS / "peterson.dve", "--engine", "dfs")
        self.assertEqual((report["engine"], report["states"], report["transitions"], report["deadlocks"]), ("dfs", 20, 34, 0))

    def test_verdicts(self):
        report = self.report("check", MODELS / "peterson.dve", "--invariant", "turn <= 1", "--invariant", "turn == 0", "--deadlock", status=1)
        found = [(p["name"], p["logic"], p["formula"], p["verdict"], p["trace"] is None) for p in report["properties"]]
        self.assertEqual(found, [("invariant 1", "invariant", "turn <= 1", "holds", True),
                                 ("invariant 2", "invariant", "turn == 0", "violated", False),
                                 ("deadlock", "deadlock", "", "holds", True)])
        self.assertTrue(report["complete"])

    def test_a_search_that_ends_at_a_violation(self):
        report = self.report("check", MODELS / "philosophers.dve", "--deadlock", status=1)
        self.assertEqual((report["complete"], report["reason"]), (False, "violation"))

    def test_assertions(self):
        report = self.report("check", MODELS / "assert_fails.dve", status=1)
        self.assertEqual([(p["name"], p["logic"], p["formula"]) for p in report["properties"]],
                         [("assert P0.in", "assert", "inside == 1"), ("assert P1.in", "assert", "inside == 1")])

    def test_faults(self):
        report = self.report("explore", MODELS / "fault_division.dve", status=1)
        self.assertEqual([fault["kind"] for fault in report["faults"]], ["division"] * 3)
        self.assertTrue(all(fault["trace"]["states"] for fault in report["faults"]))

    def test_a_property_process_is_decided(self):
        report = self.report("check", MODELS / "property_response.dve", status=1)
        self.assertEqual([(p["name"], p["verdict"]) for p in report["properties"]], [("Never_answered", "violated")])
        self.assertEqual((report["complete"], report["reason"]), (False, "violation"))
        self.assertIn("loop", report["properties"][0]["trace"])

    def test_a_limit(self):
        self.write("big.dve", counters())
        report = self.report("check", "big.dve", "--invariant", "P0.x < 250", "--invariant", "P0.x < 2", "--time", "300ms", status=1)
        self.assertEqual((report["complete"], report["reason"]), (False, "time"))
        self.assertEqual([(p["verdict"], p["reason"]) for p in report["properties"]], [("unknown", "time"), ("violated", None)])

    def test_a_file_is_written_and_the_summary_stays_on_standard_output(self):
        finished = self.run_program("explore", MODELS / "peterson.dve", "--json", "out.json")
        self.assertIn("states        20\n", finished.stdout)
        self.assertEqual(finished.stderr, "")
        self.check_types(json.loads((self.folder / "out.json").read_text(encoding="utf-8")))

    def test_a_file_of_an_earlier_run_is_replaced(self):
        self.write("out.json", "x" * 100_000)
        self.run_program("explore", MODELS / "peterson.dve", "--json", "out.json", "--quiet")
        self.assertEqual(json.loads((self.folder / "out.json").read_text(encoding="utf-8"))["states"], 20)

    def test_quiet_leaves_only_the_object(self):
        finished = self.run_program("explore", MODELS / "peterson.dve", "--json", "-", "--quiet")
        self.assertEqual(finished.stderr, "")
        self.check_types(json.loads(finished.stdout))

    def test_names_of_any_bytes_give_valid_json(self):
        self.write("ü\"\n.aut", "des (0, 1, 1)\n(0, \"a\\\"\tb\", 0)\n")
        report = self.report("explore", "ü\"\n.aut")
        self.assertEqual(report["model"]["path"], "ü\"\n.aut")

    def test_a_full_disk_is_told(self):
        finished = self.run_program("explore", MODELS / "peterson.dve", "--json", "/dev/full", "--quiet")
        self.assertEqual((finished.returncode, finished.stderr), (4, "/dev/full: error: could not be written completely\n"))
