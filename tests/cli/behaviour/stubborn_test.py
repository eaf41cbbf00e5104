"""Runs with stubborn sets: the same answers and deadlocks, the same figures for every engine and number of threads; what is refused; resumed runs."""

import json

from program import MODELS, ProgramTest


class StubbornTest(ProgramTest):
    def report(self, *arguments):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)

    def test_explorations_keep_deadlocks_and_have_fewer_states(self):
        smaller = 0
        for name in ("philosophers", "filter3", "alternating_bit", "leader_ring", "readers_writers"):
            model = MODELS / f"{name}.dve"
            whole = self.report("explore", model, "--engine", "bfs")
            reduced = [self.report("explore", model, "--stubborn", "auto", "--engine", *engine)
                       for engine in (("bfs", "--threads", "1"), ("bfs", "--threads", "2"), ("dfs",), ("sweep",))]
            with self.subTest(model=name):
                self.assertEqual({r["states"] for r in reduced}, {reduced[0]["states"]})
                self.assertEqual({r["transitions"] for r in reduced}, {reduced[0]["transitions"]})
                self.assertEqual({r["deadlocks"] for r in reduced}, {whole["deadlocks"]})
                self.assertEqual((whole.get("stubborn"), reduced[0]["stubborn"]), (None, "auto"))
                self.assertLessEqual(reduced[0]["states"], whole["states"])
                smaller += reduced[0]["states"] < whole["states"]
        self.assertGreater(smaller, 1)

    def test_a_shorter_run_may_exist(self):
        found = self.report("check", MODELS / "philosophers.dve", "--deadlock", "--engine", "bfs", "--stubborn", "auto")["properties"][0]
        self.assertEqual((found["verdict"], found["trace_shortest"]), ("violated", False))

    def test_the_interpreter_and_machine_code_take_the_same_steps(self):
        model = MODELS / "filter3.dve"
        counts = {self.report("explore", model, "--stubborn", "auto", "--successors", how)["states"] for how in ("native", "interpret")}
        self.assertEqual(len(counts), 1)

    def test_what_would_change_an_answer_is_refused(self):
        model = MODELS / "peterson.dve"
        formula = "P0.critical"
        for arguments, reason in (
                (("--ltl", f"X {formula}"), "the operator X counts steps"),
                (("--ctl", f"EX {formula}"), "the operator X counts steps"),
                (("--ltl", "F enabled(P0)"), "speaks of steps"),
                (("--ctl", "AG !deadlock"), "speaks of steps"),
                (("--ctlstar", f"E G {formula}"), "CTL*"),
                (("--ltl", f"F {formula}", "--fair", "weak"), "which runs are fair"),
                (("--ltl", f"F {formula}", "--deadlocks", "finite"), "--deadlocks finite"),
                (("--ctl", f"EF {formula}", "--satisfying"), "cannot be counted"),
                (("--deadlock", "--ledger", "l", "--record", "edges"), "--record edges")):
            with self.subTest(arguments):
                finished = self.run_program("check", model, "--stubborn", "auto", *arguments)
                self.assertEqual(finished.returncode, 2, finished.stdout)
                self.assertIn(reason, finished.stderr)
        graph = self.write("g.aut", 'des (0, 1, 2)\n(0, "a", 1)\n')
        finished = self.run_program("explore", graph, "--stubborn", "auto")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("explicit graph", finished.stderr)
        finished = self.run_program("explore", model, "--stubborn", "some")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("expected none or auto", finished.stderr)

    def test_a_resumed_run_leaves_the_same_steps_out_and_no_audit_confirms_it(self):
        model = MODELS / "leader_ring.dve"
        whole = self.report("explore", model, "--stubborn", "auto", "--engine", "bfs")
        stopped = self.run_program("explore", model, "--stubborn", "auto", "--engine", "sweep", "--ledger", "ledger", "--states", "10")
        self.assertEqual(stopped.returncode, 3, stopped.stderr)
        resumed = self.report("resume", "ledger")
        self.assertEqual((resumed["states"], resumed["stubborn"]), (whole["states"], "auto"))
        audited = self.run_program("audit", "ledger")
        self.assertEqual(audited.returncode, 1, audited.stderr)
        self.assertIn("NOT CONFIRMED   the run left steps out by stubborn sets", audited.stdout)
