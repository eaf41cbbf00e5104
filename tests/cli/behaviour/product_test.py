"""Products with automata, and automata in other forms."""

import json
import shutil
import unittest

from program import EXAMPLES, MODELS, ProgramTest

RESPONSE = "G (P0.waiting -> F P0.critical)"

# A run is bad if from some time on P0 never is in its critical section.
NEVER = """\
never {
T0_init:
  if
  :: (1) -> goto T0_init
  :: (!(P0.critical)) -> goto accept_S1
  fi;
accept_S1:
  if
  :: (!(P0.critical)) -> goto accept_S1
  fi;
}
"""

# Counts x up to 3, where it stops.
STOPPING = "byte x;\nprocess P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; }\nsystem async;\n"


def text_lines(text):
    return [line.strip() for line in text.splitlines()]


class ProductTest(ProgramTest):
    def figures(self, *arguments, status=0):
        finished = self.run_program("explore", *arguments, "--quiet", "--json", "-")
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        report = json.loads(finished.stdout)
        return {name: report[name] for name in ("states", "transitions", "deadlocks")}

    def test_a_system_that_reads_its_property_process(self):
        # W lets x grow while it is in q, and accepts for ever once x is 3.
        self.write("reads.dve", "byte x;\nprocess P { state s; init s; assert s: x < 9 or W.r; trans s -> s { guard W.q and x < 3; effect x = x + 1; }; }\n"
                                "process W { state q, r; init q; accept r; trans q -> q { guard x < 3; }, q -> r { guard x == 3; }, r -> r {}; }\n"
                                "system async property W;\n")
        self.assertEqual(self.figures("reads.dve"), {"states": 5, "transitions": 5, "deadlocks": 0})
        finished = self.run_program("check", "reads.dve", "--quiet", "--json", "-")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        verdicts = {found["name"]: found["verdict"] for found in json.loads(finished.stdout)["properties"]}
        self.assertEqual(verdicts, {"assert P.s": "holds", "W": "violated"})
        for question in (("--deadlock",), ("--invariant", "x < 9"), ("--ltl", "G {x < 9}")):
            with self.subTest(question):
                finished = self.run_program("check", "reads.dve", *question)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn("'W' is the property process, which has no part in what is asked here", finished.stderr)

    def test_all_walks_visit_the_same_product(self):
        for formula in (RESPONSE, "G F P0.critical && G F P1.critical", "P0.idle U P1.critical", "X X X {turn == 1}"):
            expected = self.figures(MODELS / "peterson.dve", "--ltl", formula)
            for options in (("--engine", "dfs"), ("--engine", "sweep"), ("--engine", "sweep", "--ledger", "none"), ("--engine", "sweep-basic"),
                            ("--progress", "P0,P1"), ("--threads", "2"), ("--successors", "native"), ("--successors", "interpret"),
                            ("--engine", "bfs", "--ledger", "level-" + str(abs(hash(formula)))), ("--compress",)):
                with self.subTest(formula=formula, options=options):
                    found = self.figures(MODELS / "peterson.dve", "--ltl", formula, *options)
                    if found["states"] is not None:
                        self.assertEqual(found, expected)

    def test_where_the_system_stops_the_automaton_goes_on(self):
        self.write("model.dve", STOPPING)
        # The negation, F G x == 3, waits in its first state and moves on in the deadlock.
        self.assertEqual(self.figures("model.dve", "--ltl", "G F {x != 3}"), {"states": 5, "transitions": 6, "deadlocks": 0})

    def test_an_automaton_in_a_file_is_taken_for_the_bad_runs(self):
        self.write("bad.never", NEVER)
        by_formula = self.run_program("convert", "--ltl", "F G !P0.critical", "--to", "hoa")
        self.write("bad.hoa", by_formula.stdout)
        expected = self.figures(MODELS / "peterson.dve", "--ltl", "G F P0.critical")
        self.assertEqual(self.figures(MODELS / "peterson.dve", "--automaton", "bad.never"), expected)
        self.assertEqual(self.figures(MODELS / "peterson.dve", "--automaton", "bad.hoa"), expected)

    def test_the_property_process_of_a_model_has_no_part_in_it(self):
        self.write("model.dve", STOPPING.replace("system async", "process Q { state q; init q; accept q; trans q -> q {}, q -> q {}; }\nsystem async property Q"))
        self.assertEqual(self.figures("model.dve")["transitions"], 8)
        self.assertEqual(self.figures("model.dve", "--ltl", "F false"), {"states": 4, "transitions": 4, "deadlocks": 0})

    def test_the_rank_of_the_automaton_leads_the_measure(self):
        finished = self.run_program("explore", MODELS / "peterson.dve", "--ltl", RESPONSE, "--progress", "P0", "--json", "-", "--quiet")
        self.assertEqual(json.loads(finished.stdout)["progress"]["components"], ["automaton", "P0"])

    def test_a_product_with_a_ledger_can_be_resumed_and_audited(self):
        self.write("model.dve", (MODELS / "peterson.dve").read_text())
        expected = self.figures("model.dve", "--ltl", RESPONSE)
        command = ("explore", "model.dve", "--ltl", RESPONSE, "--progress", "P0", "--ledger", "ledger")
        self.assertEqual(self.run_program(*command, "--states", "10").returncode, 3)
        finished = self.run_program("resume", "ledger", "--json", "-")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        report = json.loads(finished.stdout)
        self.assertEqual({name: report[name] for name in expected}, expected)
        audited = self.run_program("audit", "ledger")
        self.assertEqual(audited.returncode, 0, audited.stdout)
        for name, figure in expected.items():
            self.assertRegex(audited.stdout, rf"(?m)^{name} +{figure}$")

    def test_products_are_audited_with_their_edges(self):
        self.write("model.dve", STOPPING)
        self.write("true.hoa", 'HOA: v1\nStates: 1\nStart: 0\nAP: 0\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n')
        runs = {"deadlock": ("model.dve", "--ltl", "G F {x == 1}"), "fault": ("model.dve", "--ltl", "G F {3 / (2 - x) == 3}"), "all": ("model.dve", "--automaton", "true.hoa"),
                "empty": ("model.dve", "--ltl", "true"),
                "many": (MODELS / "peterson.dve", "--ltl", "(G F P0.critical -> G F P1.critical) && G (P0.waiting -> F P0.critical)")}
        for name, arguments in runs.items():
            with self.subTest(name):
                explored = self.run_program("explore", *arguments, "--engine", "bfs", "--ledger", name, "--record", "edges")
                self.assertEqual(explored.returncode, 1 if name == "fault" else 0, explored.stderr)
                audited = self.run_program("audit", name)
                self.assertEqual(audited.returncode, 0, audited.stdout)
                self.assertIn("CONFIRMED   every reachable state is in the ledger, once, with its steps,", audited.stdout)

    def test_an_automaton_that_changed_is_not_resumed_with(self):
        self.write("bad.never", NEVER)
        command = ("explore", MODELS / "peterson.dve", "--automaton", "bad.never", "--progress", "P0", "--ledger", "ledger", "--states", "10")
        self.assertEqual(self.run_program(*command).returncode, 3)
        self.write("bad.never", NEVER.replace("P0", "P1"))
        finished = self.run_program("resume", "ledger")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("bad.never has changed since the run began", finished.stderr)

    def test_an_atom_that_cannot_be_evaluated_is_a_fault(self):
        self.write("model.dve", STOPPING)
        finished = self.run_program("explore", "model.dve", "--ltl", "G F {3 / (2 - x) == 3}")
        self.assertEqual(finished.returncode, 1)
        self.assertTrue(finished.stdout.startswith("FAULT     division: '3 / (2 - x) == 3' cannot be evaluated"), finished.stdout)
        self.assertIn("fault in this state (division): '3 / (2 - x) == 3' cannot be evaluated\n", finished.stdout)
        # It does not matter where the formula does not depend on it.
        self.assertEqual(self.run_program("explore", "model.dve", "--ltl", "G ({x != 2} -> {3 / (2 - x) != 7})").returncode, 0)


class ConversionTest(ProgramTest):
    def convert(self, *arguments):
        finished = self.run_program("convert", *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        return finished.stdout

    def test_an_automaton_survives_all_forms(self):
        hoa = self.convert("--ltl", "G (p -> F q)", "--to", "hoa")
        self.write("f.hoa", hoa)
        self.assertEqual(text_lines(self.convert("--automaton", "f.hoa", "--to", "hoa"))[2:], text_lines(hoa)[2:])
        self.write("f.never", self.convert("--automaton", "f.hoa", "--to", "never"))
        again = self.convert("--automaton", "f.never", "--to", "hoa")
        self.assertIn("Acceptance: 1 Inf(0)", again)
        self.assertTrue(self.convert("--automaton", "f.never", "--to", "dot").startswith("digraph"))

    def test_several_sets_become_one_in_a_never_claim(self):
        hoa = self.convert("--ltl", "GF p && GF q && GF r", "--to", "hoa")
        self.assertIn("Acceptance: 3", hoa)
        self.write("f.hoa", hoa)
        claim = self.convert("--automaton", "f.hoa", "--to", "never")
        self.assertIn("accept_", claim)


class TranslatorTest(ProgramTest):
    def explore(self, command, *more):
        return self.run_program("explore", MODELS / "peterson.dve", "--ltl", "G F P0.critical", "--ltl-translator", command, "--engine", "bfs", *more)

    def test_the_formula_takes_the_place_of_the_sign_or_comes_last(self):
        self.write("claim", NEVER.replace("P0.critical", "p0"))
        for command, formula in (("echo %s > given; cat claim", "![]<>p0"), ("echo %f > given; cat claim", "!GF p0"),
                                 ("sh -c 'echo \"$1\" > given; cat claim' x", "![]<>p0")):
            with self.subTest(command):
                finished = self.explore(command)
                self.assertEqual((finished.returncode, finished.stderr), (0, ""))
                self.assertEqual((self.folder / "given").read_text().strip(), formula)
                self.assertRegex(finished.stdout, r"\nstates +38 \(of the product with the automaton\)\n")

    def test_what_goes_wrong_is_told(self):
        for command, message in (("exit 3", "'exit 3' ended with status 3"), ("echo no >&2; false", "it says: 'no'"), ("true", "'true' wrote nothing"),
                                 ("kill -9 $$", "was ended by a signal: Killed"), ("echo hello", "error: expected 'never'"),
                                 ("echo 'never { T: if :: (x) -> goto T fi; }' #", "the automaton has the atom 'x', which the formula has not")):
            with self.subTest(command):
                finished = self.explore(command)
                self.assertEqual(finished.returncode, 2, finished.stderr)
                self.assertIn(message, finished.stderr)

    def test_one_that_takes_too_long_is_ended(self):
        finished = self.explore("sleep 30 #", "--time", "300ms")
        self.assertEqual(finished.returncode, 3)
        self.assertIn("it took too long, or was interrupted", finished.stderr)

    @unittest.skipUnless(shutil.which("spin"), "spin is not installed")
    def test_spin_translates(self):
        finished = self.explore("spin -f")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.assertRegex(finished.stdout, r"\nstates +38 \(of the product with the automaton\)\n")


class LimitTest(ProgramTest):
    # Its automaton has 2 ** 30 states or so.
    EXPLODING = " && ".join(f"(p{i} U (q{i} U r{i}))" for i in range(20))

    def test_a_translation_that_explodes_is_stopped(self):
        for arguments in (("convert", "--to", "hoa"), ("convert", "--to", "never", "--time", "500ms")):
            with self.subTest(arguments):
                finished = self.run_program(*arguments, "--ltl", self.EXPLODING)
                self.assertEqual(finished.returncode, 3, finished.stderr)
                self.assertIn("the formula's automaton exceeds a limit", finished.stderr)
                self.assertEqual(finished.stdout, "")

    def test_also_where_a_model_is_explored(self):
        formula = " && ".join(f"({{x == {i}}} U ({{x > {i}}} U {{x < {i}}}))" for i in range(20))
        self.write("model.dve", STOPPING)
        finished = self.run_program("explore", "model.dve", "--ltl", f"!({formula})", "--time", "500ms")
        self.assertEqual(finished.returncode, 3, finished.stderr)
        self.assertIn("the formula's automaton exceeds a limit", finished.stderr)
