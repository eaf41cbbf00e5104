"""Verdicts, exit statuses and the summary."""

import re

from program import EXAMPLES, MODELS, ProgramTest

RISING = "byte b = 250;\nprocess P { state s; init s; trans s -> s { effect b = b + 3; }; }\nsystem async;\n"
MUTUAL_EXCLUSION = "not (P0.critical and P1.critical)"


class ExitStatusTest(ProgramTest):
    def expect(self, status, *arguments):
        finished = self.run_program(*arguments)
        self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
        self.assertEqual(finished.stderr, "")
        return finished.stdout

    def test_an_exploration_that_finishes_is_0(self):
        self.assertIn("all reachable states were visited\n", self.expect(0, "explore", MODELS / "peterson.dve", "--engine", "bfs"))

    def test_an_exploration_that_finds_deadlocks_is_0(self):
        self.assertRegex(self.expect(0, "explore", MODELS / "philosophers.dve", "--engine", "bfs"), r"\ndeadlocks +1 \(check --deadlock shows a run to one\)\n")

    def test_a_property_that_holds_is_0(self):
        self.assertTrue(self.expect(0, "check", MODELS / "peterson.dve", "--deadlock").startswith("HOLDS     deadlock-free\n"))

    def test_a_property_that_is_violated_is_1(self):
        self.assertTrue(self.expect(1, "check", MODELS / "philosophers.dve", "--deadlock").startswith("VIOLATED  deadlock-free\n"))

    def test_an_assertion_that_holds_is_0(self):
        self.assertNotIn("VIOLATED", self.expect(0, "check", MODELS / "assert_holds.dve"))

    def test_an_assertion_that_fails_is_1(self):
        text = self.expect(1, "check", MODELS / "assert_fails.dve")
        self.assertTrue(text.startswith("VIOLATED  assert P0.in: inside == 1\nVIOLATED  assert P1.in: inside == 1\n"), text)

    def test_an_assertion_that_fails_on_an_exploration_is_1(self):
        text = self.expect(1, "explore", MODELS / "assert_fails.dve", "--engine", "bfs")
        self.assertTrue(text.startswith("FAILED    assertion P0.in: inside == 1 fails\n"), text)
        self.assertIn("all reachable states were visited\n", text)

    def test_a_fault_of_the_model_is_1_and_has_a_trace(self):
        self.write("rising.dve", RISING)
        text = self.expect(1, "explore", "rising.dve", "--engine", "bfs")
        self.assertTrue(text.startswith("FAULT     range: value 256 does not fit b (0 to 255)\n"), text)
        self.assertIn("first by this run:\n 0  initial state\n", text)
        self.assertIn("this step is faulty (range): value 256 does not fit b (0 to 255)\n", text)

    def test_wrapping_makes_the_fault_a_step(self):
        self.write("rising.dve", RISING)
        text = self.expect(0, "explore", "rising.dve", "--wrap", "--engine", "bfs")
        self.assertNotIn("FAULT", text)
        self.assertRegex(text, r"\nstates +256\n")

    def test_each_kind_of_fault_is_named(self):
        for kind in ("division", "index", "range", "shift"):
            with self.subTest(kind):
                self.assertIn(f"FAULT     {kind}: ", self.expect(1, "explore", MODELS / f"fault_{kind}.dve", "--engine", "bfs"))

    def test_a_property_beside_a_fault_does_not_hold(self):
        self.write("rising.dve", RISING)
        text = self.expect(1, "check", "rising.dve", "--invariant", "b >= 250")
        self.assertTrue(text.startswith("UNKNOWN   invariant: b >= 250 (a run-time fault of the model came in between)\n"), text)

    def test_an_invariant_that_cannot_be_evaluated_is_violated(self):
        self.assertTrue(self.expect(1, "check", MODELS / "peterson.dve", "--invariant", "1 / turn >= 0").startswith("VIOLATED"))

    def test_a_property_process_is_decided(self):
        text = self.expect(1, "check", MODELS / "property_response.dve")
        self.assertTrue(text.startswith("VIOLATED  Never_answered\n"), text)

    def test_a_property_process_does_not_hinder_other_checks(self):
        self.expect(0, "check", MODELS / "property_response.dve", "--invariant", "asked[0] <= 1")

    def test_mixed_verdicts_each_have_their_line_in_order(self):
        text = self.expect(1, "check", MODELS / "peterson.dve", "--invariant", MUTUAL_EXCLUSION, "--invariant", "turn == 0", "--deadlock")
        self.assertTrue(text.startswith(f"HOLDS     invariant 1: {MUTUAL_EXCLUSION}\nVIOLATED  invariant 2: turn == 0\nHOLDS     deadlock-free\n"), text)
        self.assertEqual(text.count("by this run:"), 1)

    def test_two_violations_each_have_their_run(self):
        text = self.expect(1, "check", MODELS / "peterson.dve", "--invariant", "turn == 0", "--invariant", "flag[0] == 0")
        self.assertEqual(re.findall(r"^(.*) is violated by this run:$", text, re.MULTILINE), ["invariant 1", "invariant 2"])

    def test_an_invariant_may_begin_with_a_minus(self):
        self.expect(0, "check", MODELS / "peterson.dve", "--invariant", "-1 < turn")

    def test_every_kind_of_model_is_read(self):
        self.expect(0, "explore", EXAMPLES / "vending_machine.aut", "--engine", "bfs")
        self.expect(0, "explore", EXAMPLES / "traffic_light.json", "--engine", "bfs")


class SummaryTest(ProgramTest):
    def test_the_figures_are_those_of_the_model(self):
        for engine in ("auto", "bfs", "dfs"):
            with self.subTest(engine):
                text = self.run_program("explore", MODELS / "peterson.dve", "--engine", engine).stdout
                for line in (r"states        20", r"transitions   34", r"deadlocks     0", r"depth         \d+", r"time          .+",
                             r"memory        \d+\.\d MB at most .*"):
                    self.assertRegex(text, f"(?m)^{line}$")

    def test_quiet_prints_verdicts_alone(self):
        for arguments, printed in ((("explore", MODELS / "peterson.dve"), ""), (("check", MODELS / "philosophers.dve", "--deadlock"), "VIOLATED  deadlock-free\n"),
                                   (("check", MODELS / "peterson.dve", "--invariant", "turn == 0 or turn == 1 and 1"), "HOLDS     invariant: turn == 0 or turn == 1 and 1\n")):
            with self.subTest(arguments):
                finished = self.run_program(*arguments, "--quiet")
                self.assertEqual((finished.stdout, finished.stderr), (printed, ""))
        self.assertIn("FAULT     index: ", self.run_program("explore", MODELS / "fault_index.dve", "--quiet").stdout)

    def test_warnings_go_to_standard_error_and_change_nothing(self):
        finished = self.run_program("check", MODELS / "peterson.dve", "--invariant", "turn == 1 or turn == 0 and 1")
        self.assertIn("--invariant:1:1: warning: 'and' binds more strongly than 'or' here", finished.stderr)
        self.assertTrue(finished.stdout.startswith("HOLDS"))
        self.assertEqual(finished.returncode, 0)

    def test_many_warnings_are_cut_short(self):
        doubtful = "s -> s { guard x or x and x; },\n" * 500
        self.write("model.dve", "byte x;\nprocess P {\nstate s;\ninit s;\ntrans\n" + doubtful + "s -> s {};\n}\nsystem async;\n")
        finished = self.run_program("explore", "model.dve")
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(finished.stderr.count("model.dve:"), 21)
        self.assertTrue(finished.stderr.endswith("model.dve: warning: 480 more warnings are not shown\n"), finished.stderr[-200:])

    def test_the_same_run_gives_the_same_text(self):
        runs = [self.run_program("check", MODELS / "philosophers.dve", "--deadlock").stdout for _ in range(3)]
        without_time = [re.sub(r"(?m)^(time|memory) .*\n", "", text) for text in runs]
        self.assertEqual(without_time[0], without_time[1])
        self.assertEqual(without_time[0], without_time[2])

    def test_a_conversion_prints_the_model(self):
        finished = self.run_program("convert", MODELS / "peterson.dve", "--to", "model")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        for word in ("P0", "P1", "flag", "turn"):
            self.assertIn(word, finished.stdout)

    def test_an_array_without_an_index(self):
        self.write("array.dve", "byte e[3] = {1, 5, 5};\nchannel c;\nprocess P { state s; init s; trans s -> s { guard e < 3; effect e = e + 1; }, s -> s { guard e == 3; sync c!e; }; }\n"
                                "process Q { byte got[2]; state s; init s; trans s -> s { sync c?got; }; }\nsystem async;\n")
        finished = self.run_program("check", "array.dve", "--invariant", "Q.got[0] == 0", "--trace", "full")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("Q.got = {3, 0}", finished.stdout)
        self.assertIn("warning: 'e' is an array and has no index: this is its first element", finished.stderr)
        self.assertEqual(finished.stderr.count("warning: 'e'"), 1)
