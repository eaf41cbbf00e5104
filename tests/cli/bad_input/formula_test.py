"""Formulas and automata that are none, or that speak of what the model does not have."""

from bad_input.case import BadInputTest, Case, expected_text, tests_for, unmarked

MODEL = """\
byte count, list[3];
process P {
  state idle, busy;
  init idle;
  trans idle -> busy {}, busy -> idle {};
}
system async;
"""

QUANTIFIERS = "an LTL formula speaks of all paths; quantifiers belong to CTL and CTL*"

CASES = [
    Case("nothing", "⟦⟧", "the formula is empty", "expected a formula, such as G (p -> F q)"),
    Case("an unknown name", "G F ⟦cuont⟧", "unknown name 'cuont'", "did you mean 'count'?"),
    Case("an unknown location", "G (P.idle -> F P.⟦bsy⟧)", "process P has no location or variable 'bsy'", "did you mean 'busy'?"),
    Case("an unknown process", "F ⟦Q⟧.idle", "unknown process 'Q'"),
    Case("a process alone", "F ⟦P⟧", "'P' is a process, expected a value", "write P.s to ask whether it is in location s"),
    Case("a misspelled operator", "⟦alwyas⟧ P.idle", "unknown name 'alwyas'", "did you mean 'always'?"),
    Case("operators and a name in one word", "⟦GFcount⟧", "unknown name 'GFcount'", "did you mean 'GF count'?"),
    Case("an array", "F ⟦list⟧", "'list' is an array, expected an index", "write list[...]"),
    Case("an expression without braces", "G count ⟦<⟧ (3)", "unexpected '<'", "an expression of the model stands in braces or double quotes: {x + 1 == y}"),
    Case("a comparison that is negated", "G !⟦count == 3⟧", "it is not clear what is negated: all of this, or its first operand", "write !{count == 3} or {!count == 3}"),
    Case("a mistake inside braces", "G {count ⟦=⟧ 1}", "unexpected '='", "to compare two values, write '=='"),
    Case("a mistake inside quotes", 'G "count == ⟦cuont⟧"', "unknown name 'cuont'", "did you mean 'count'?"),
    Case("half an expression", "G {count ==⟦⟧}", "expected a name, a number or '(', found the end"),
    Case("open braces", "G ⟦{⟧count == 1", "this brace is never closed"),
    Case("an open quotation mark", 'G ⟦"⟧count', "this quotation mark is never closed"),
    Case("an open parenthesis", "G ⟦(⟧P.idle", "this '(' is never closed"),
    Case("a closing parenthesis", "G P.idle⟦)⟧", "expected an operator or the end, found ')'", "there is no opening one that it could close"),
    Case("no operand", "P.idle U⟦⟧", "expected a formula after 'U', found the end"),
    Case("no operand in between", "P.idle U ⟦->⟧ P.busy", "expected a formula after 'U', found '->'"),
    Case("two names", "P.idle ⟦P.busy⟧", "expected an operator or the end, found 'P.busy'"),
    Case("a quantifier", "⟦A⟧ G P.idle", "the path quantifier 'A' does not belong to LTL", QUANTIFIERS),
    Case("another quantifier", "G (⟦E⟧ F P.idle)", "the path quantifier 'E' does not belong to LTL", QUANTIFIERS),
    Case("a mistake in a further line", "G (P.idle ->\n  F ⟦cnt⟧)", "unknown name 'cnt'", "did you mean 'count'?"),
]


def check_formula(self, case):
    self.write("model.dve", MODEL)
    expected = expected_text("--ltl", case.text, [(case.message, case.hint)])
    for command in ("explore", "check"):
        self.expect_refusal(self.run_program(command, "model.dve", "--ltl", unmarked(case.text)), expected)


class FormulaTest(tests_for(CASES, check_formula)):
    def test_deep_and_long_formulas_do_no_harm(self):
        self.write("model.dve", MODEL)
        deep = "!" * 10_000 + "(" * 10_000 + "G F P.idle" + ")" * 10_000
        self.assertEqual(self.run_program("explore", "model.dve", "--ltl", deep).returncode, 0)
        finished = self.run_program("explore", "model.dve", "--ltl", "X " * 10_000 + "P.idle", "--time", "5s")
        self.assertIn(finished.returncode, (0, 3))
        long = " && ".join(["(P.idle U P.busy)"] * 5_000)
        self.assertEqual(self.run_program("explore", "model.dve", "--ltl", long, "--time", "5s").returncode, 0)


HOA = """\
HOA: v1
States: 1
Start: 0
AP: 1 "P.idle"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[!0] 0 {0}
--END--
"""


class AutomatonTest(BadInputTest):
    def explore(self, text):
        self.write("model.dve", MODEL)
        self.write("bad.hoa", text)
        return self.run_program("explore", "model.dve", "--automaton", "bad.hoa")

    def test_a_good_one_is_taken(self):
        self.assertEqual(self.explore(HOA).returncode, 0)

    def test_a_file_that_is_not_there(self):
        self.write("model.dve", MODEL)
        finished = self.run_program("explore", "model.dve", "--automaton", "none.hoa")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertTrue(finished.stderr.startswith("none.hoa: error: "), finished.stderr)

    def test_an_atom_that_the_model_does_not_have(self):
        finished = self.explore(HOA.replace("P.idle", "P.idel"))
        self.assertEqual(finished.returncode, 2)
        self.assertEqual(finished.stderr, "bad.hoa (atom 0):1:3: error: process P has no location or variable 'idel'\n"
                                          "  P.idel\n    ^^^^\n  did you mean 'idle'?\n")

    def test_what_no_such_automaton_has(self):
        finished = self.explore(HOA.replace("Inf(0)", "Fin(0)"))
        self.assertEqual(finished.returncode, 2)
        self.assertTrue(finished.stderr.startswith("bad.hoa:5:"), finished.stderr)

    def test_neither_of_the_formats(self):
        finished = self.explore("something else\n")
        self.assertEqual(finished.returncode, 2)
        self.assertTrue(finished.stderr.startswith("bad.hoa:1:1: error: expected 'never'"), finished.stderr)
