"""tideline simulate: a run made by hand, by chance, or along a trace."""

import subprocess

from program import BINARY, EXAMPLES, MODELS, PATIENCE, ProgramTest

PHILOSOPHERS = MODELS / "philosophers.dve"
PETERSON = MODELS / "peterson.dve"


class SimulateTest(ProgramTest):
    def by_hand(self, lines, *arguments, status=0):
        finished = subprocess.run([BINARY, "simulate", *map(str, arguments)], cwd=self.folder, env=self.environment(), input="".join(line + "\n" for line in lines),
                                  capture_output=True, timeout=PATIENCE, encoding="utf-8")
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        return finished.stdout

    def by_chance(self, *arguments, status=0):
        finished = self.run_program("simulate", *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        return finished.stdout

    def test_steps_are_chosen(self):
        text = self.by_hand(["1", "2", "b", "j 0", "w turn + 1", "s", "t", "9", "q"], PETERSON, "--watch", "flag[0]")
        self.assertIn("   1  P0: idle -> asking (line ", text)
        self.assertIn("state 1: flag[0]: 0 -> 1 P0: idle -> asking\n    flag[0] = 1\n", text)
        self.assertIn("\nstate 2: ", text)
        self.assertIn("> b\nstate 1\n", text)
        self.assertIn("> j 0\nstate 0\n", text)
        self.assertIn("    turn + 1 = 1\n", text)
        self.assertIn(" 0  initial state (no step is needed)\n", text)
        self.assertIn("choose a step by its number", text)

    def test_a_deadlock_is_reported(self):
        self.write("m.dve", "byte x;\nprocess P { state s, t; init s; trans s -> t { guard x == 0; effect x = 5; }; }\nsystem async;\n")
        text = self.by_hand(["", "q"], "m.dve", "--invariant", "x < 9", status=1)
        self.assertIn("\ndeadlock: no step is possible\n", text)
        text = self.by_hand(["", "q"], "m.dve", "--invariant", "x < 5", status=1)
        self.assertIn("\nviolated: x < 5\n", text)

    def test_chance_finds_the_deadlock_of_the_philosophers_again_and_again(self):
        first = self.by_chance(PHILOSOPHERS, "--runs", "50", "--seed", "3", status=1)
        self.assertRegex(first, r"^run \d+, after [\d,]+ steps: deadlock: no step is possible\n 0  initial state\n")
        self.assertRegex(first, r"\n\n50 runs by chance, [\d,]+ steps in all, seed 3\n\d+ runs ended in a deadlock, 0 in a violation or a fault\n$")
        self.assertEqual(first, self.by_chance(PHILOSOPHERS, "--runs", "50", "--seed", "3", status=1))
        self.assertNotEqual(first, self.by_chance(PHILOSOPHERS, "--runs", "50", "--seed", "4", status=1))

    def test_nothing_found_is_no_proof(self):
        text = self.by_chance(PETERSON, "--runs", "5", "--steps", "100", "--invariant", "not (P0.critical and P1.critical)")
        self.assertEqual(text, "5 runs by chance, 500 steps in all, seed 1\n0 runs ended in a deadlock, 0 in a violation or a fault; this is no proof: 'tideline check' visits every state\n")

    def test_a_violated_invariant(self):
        text = self.by_chance(PETERSON, "--runs", "5", "--invariant", "not P0.critical", status=1)
        self.assertRegex(text, r"^run 1, after \d+ steps: violated: not P0.critical\n")

    def test_a_trace_is_followed(self):
        self.run_program("check", PHILOSOPHERS, "--deadlock", "--itf", "t.json", "--quiet")
        text = self.by_chance(PHILOSOPHERS, "--along", "t.json")
        self.assertIn("\ndeadlock: no step is possible\nthe model has this run: 5 steps\n", text)
        saved = (self.folder / "t.json").read_text().replace('"one"', '"eat"')
        self.write("t.json", saved)
        self.assertIn("state 1 of the trace: the model has no step to this state\n", self.by_chance(PHILOSOPHERS, "--along", "t.json", status=1))
        finished = self.run_program("simulate", PHILOSOPHERS, "--along", PHILOSOPHERS)
        self.assertEqual(finished.returncode, 2)
        self.assertIn("this is no trace", finished.stderr)

    def test_promela(self):
        self.write("m.pml", "byte x;\nactive proctype P() { do :: x < 3 -> x++ :: x > 1 -> break od; assert(x < 3) }\n")
        self.assertRegex(self.by_chance("m.pml", "--runs", "20", status=1), r"^run \d+, after \d+ steps: fault: ")

    def test_a_graph(self):
        self.assertIn("deadlock", self.by_chance(EXAMPLES / "vending_machine.aut", "--runs", "20", status=1))

    def test_what_is_refused(self):
        for arguments, message in ((("--steps", "5"), "--steps without --runs"), (("--runs", "2", "--along", "f"), "either --along or --runs"), (("--runs", "0"), "--runs: unexpected value '0'")):
            finished = self.run_program("simulate", PETERSON, *arguments)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn(message, finished.stderr)
