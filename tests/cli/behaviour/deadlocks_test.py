"""How temporal properties read runs that end: --deadlocks, --end-states, and atoms that speak of steps."""

import json

from program import ProgramTest

# P goes to b, where everything ends, or to c, where both go round for ever.
ENDING = """\
byte x;
process P { state a, b, c; init a;
trans a -> b { effect x = 1; }, a -> c { effect x = 2; }, c -> c {}; }
process Q { state q; init q; trans q -> q { guard x == 2; }; }
"""
MODEL = ENDING + "system async;\n"
# Accepts every run that has been in b.
WATCHED = ENDING + """\
process Watch { state wait, seen; init wait; accept seen;
trans wait -> wait {}, wait -> seen { guard P.b; }, seen -> seen {}; }
system async property Watch;
"""


class DeadlocksTest(ProgramTest):
    def verdict(self, path, *arguments):
        finished = self.run_program("check", path, *arguments, "--quiet", "--json", "-")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)["properties"][0]

    def test_a_ledger_tells_proper_ends_from_others(self):
        # A proper end comes first, then, far away, another one; the invariant keeps the search from ending there.
        path = self.write("ends.dve", """\
int x;
process P { state a, b, c; init a;
trans a -> b {}, a -> a { guard x < 300; effect x = x + 1; }, a -> c { guard x == 200; }; }
system async;
""")
        question = (path, "--deadlock", "--end-states", "P.b", "--invariant", "x < 1000", "--progress", "x")
        for extra in ((), ("--record", "labels"), ("--engine", "sweep"), ("--engine", "bfs")):
            with self.subTest(extra=extra):
                ledger = "ledger" + "".join(extra)
                finished = self.run_program("check", *question, *extra, "--ledger", ledger, "--states", "450")
                self.assertEqual(finished.returncode, 1, finished.stdout + finished.stderr)
                finished = self.run_program("resume", ledger, "--json", "-", "--quiet")
                self.assertEqual(finished.returncode, 1, finished.stdout + finished.stderr)
                verdicts = {p["logic"]: p["verdict"] for p in json.loads(finished.stdout)["properties"]}
                self.assertEqual(verdicts, {"deadlock": "violated", "invariant": "holds"})
                audit = self.run_program("audit", ledger)
                self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
        # A search in memory that has met both, has changed to the sweep and is resumed.
        cut = self.run_program(*("check", path), *question[1:-2], "--change-at", "420", "--states", "500", "--quiet")
        self.assertEqual(cut.returncode, 1, cut.stdout + cut.stderr)
        finished = self.run_program("resume", next(self.folder.glob("tideline-*")), "--json", "-", "--quiet")
        verdicts = {p["logic"]: p["verdict"] for p in json.loads(finished.stdout)["properties"]}
        self.assertEqual(verdicts, {"deadlock": "violated", "invariant": "holds"})
        # Another search whose deadlocks are all proper ends.
        ledger = "proper"
        self.assertEqual(self.run_program("check", path, "--deadlock", "--end-states", "!P.a", "--record", "labels", "--ledger", ledger).returncode, 0)
        audit = self.run_program("audit", ledger)
        self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
        self.assertIn("CONFIRMED", audit.stdout)

    def test_a_formula_has_three_readings(self):
        path = self.write("model.dve", MODEL)
        expected = {  # stutter, finite, ignore
            "F (P.b | P.c)": ("holds", "holds", "holds"),
            "F P.c": ("violated", "violated", "holds"),
            "X X true": ("holds", "violated", "holds"),
            "X P.b -> !X X true": ("violated", "holds", "holds"),
            "X P.b -> X X P.b": ("holds", "violated", "holds"),
            "G (P.b -> deadlock)": ("holds", "holds", "holds"),
            "F deadlock | F moved(Q) | F G moved(P)": ("holds", "holds", "holds"),
            "G F (enabled(Q) & moved(P)) | F deadlock | F G moved(Q)": ("holds", "holds", "holds"),
            "G !deadlock": ("violated", "violated", "holds"),
        }
        for formula, verdicts in expected.items():
            for reading, verdict in zip(("stutter", "finite", "ignore"), verdicts):
                with self.subTest(formula=formula, reading=reading):
                    found = self.verdict(path, "--ltl", formula, "--deadlocks", reading)
                    self.assertEqual(found["verdict"], verdict)

    def test_a_verdict_says_that_the_last_state_repeats(self):
        path = self.write("model.dve", MODEL)
        finished = self.run_program("check", path, "--ltl", "F (P.b | P.c)")
        self.assertIn("\n          the system has deadlocks: the last state of such a run repeats\n", finished.stdout)
        self.assertIn("note", self.verdict(path, "--ltl", "F (P.b | P.c)"))
        self.assertNotIn("note", self.verdict(path, "--ltl", "F (P.b | P.c)", "--end-states", "P.b"))

    def test_proper_ends_are_no_deadlocks_and_repeat(self):
        path = self.write("model.dve", MODEL)
        for reading in ("stutter", "finite", "ignore"):
            ends = ("--deadlocks", reading, "--end-states", "P.b")
            with self.subTest(reading=reading):
                self.assertEqual(self.verdict(path, "--ltl", "G !deadlock", *ends)["verdict"], "holds")
                self.assertEqual(self.verdict(path, "--ltl", "X X true", *ends)["verdict"], "holds")
                self.assertEqual(self.verdict(path, "--ltl", "F P.c", *ends)["verdict"], "violated")
        self.assertEqual(self.verdict(path, "--deadlock")["verdict"], "violated")
        self.assertEqual(self.verdict(path, "--deadlock", "--end-states", "P.b")["verdict"], "holds")
        self.assertEqual(self.verdict(path, "--deadlock", "--end-states", "P.c")["verdict"], "violated")

    def test_property_processes(self):
        path = self.write("model.dve", WATCHED)
        self.assertEqual(self.verdict(path)["verdict"], "violated")
        self.assertEqual(self.verdict(path, "--deadlocks", "ignore")["verdict"], "holds")
        self.assertEqual(self.verdict(path, "--deadlocks", "ignore", "--end-states", "P.b")["verdict"], "violated")
        finished = self.run_program("check", path, "--deadlocks", "finite")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--deadlocks finite has no meaning for automata and property processes", finished.stderr)

    def test_mistakes(self):
        path = self.write("model.dve", MODEL)
        for arguments, message in (
            (("--ltl", "F P.c", "--deadlocks", "never"), "--deadlocks: unknown reading 'never'"),
            (("--ltl", "F P.c", "--end-states", "P.z"), "process P has no location or variable 'z'"),
            (("--ltl", "F enabled(R)"), "there is no process 'R'"),
            (("--invariant", "moved(P)"), "error"),
        ):
            with self.subTest(arguments=arguments):
                finished = self.run_program("check", path, *arguments)
                self.assertEqual(finished.returncode, 2)
                self.assertIn(message, finished.stderr)
