"""Files of properties with errors."""

from bad_input.case import BadInputTest, Case, expected_text, tests_for, unmarked

MODEL = """\
byte count;
process P {
  state idle, busy;
  init idle;
  trans idle -> busy {}, busy -> idle {};
}
system async;
"""

SHAPE = "expected NAME: KIND TEXT, where KIND is invariant, deadlock, ltl, automaton, ctl or ctlstar"

CASES = [
    Case("no colon", "⟦invariant P.idle⟧", "this line has no ':'", SHAPE),
    Case("no name", "ok: deadlock\n⟦:⟧ invariant P.idle", "the property has no name", SHAPE),
    Case("no kind", "a:⟦⟧", "the kind of the property is missing", SHAPE),
    Case("an unknown kind", "a: ⟦ttl⟧ G P.idle", "unknown kind of property 'ttl'", "did you mean 'ltl'?"),
    Case("a misspelled kind", "a: ⟦invarient⟧ P.idle", "unknown kind of property 'invarient'", "did you mean 'invariant'?"),
    Case("the same name twice", "a: deadlock\n⟦a⟧ holds: invariant P.idle", "there is a property 'a' already"),
    Case("no formula", "a: ltl⟦⟧  \nb: deadlock", "nothing follows 'ltl'", "expected a formula"),
    Case("no file", "a: automaton⟦⟧", "nothing follows 'automaton'", "expected a file"),
    Case("a deadlock with a text", "a: deadlock ⟦P.idle⟧", "unexpected text after 'deadlock'", "it says that no reachable state is without a step"),
    Case("an unknown name in an invariant", "# names\na: invariant ⟦cuont⟧ < 3", "unknown name 'cuont'", "did you mean 'count'?"),
    Case("an unknown location in a formula", "a: deadlock\nb: ltl G (P.idle\n   -> F P.⟦bsy⟧)", "process P has no location or variable 'bsy'", "did you mean 'busy'?"),
    Case("an open parenthesis", "a: ltl G ⟦(⟧P.idle\nb: deadlock", "this '(' is never closed"),
    Case("a quantifier", "a: ltl ⟦E⟧ F P.idle", "the path quantifier 'E' does not belong to LTL",
         "an LTL formula speaks of all paths; quantifiers belong to CTL and CTL*"),
    Case("two mistakes", "⟦nothing⟧\nb: ⟦some⟧ thing", "this line has no ':'", SHAPE, more=[("unknown kind of property 'some'", SHAPE)]),
]


def check_file(self, case):
    self.write("model.dve", MODEL)
    self.write("my.properties", unmarked(case.text))
    finished = self.run_program("check", "model.dve", "--properties", "my.properties")
    self.expect_refusal(finished, expected_text("my.properties", case.text, [(case.message, case.hint), *case.more]))


class PropertiesTest(tests_for(CASES, check_file)):
    def check(self, *arguments):
        self.write("model.dve", MODEL)
        return self.run_program("check", "model.dve", *arguments)

    def test_a_file_without_properties(self):
        self.write("my.properties", "# nothing\n\n")
        self.expect_refusal(self.check("--properties", "my.properties"), f"my.properties: error: the file has no properties\n  {SHAPE}\n")

    def test_a_file_that_is_not_there(self):
        finished = self.check("--properties", "none")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertTrue(finished.stderr.startswith("none: error: "), finished.stderr)

    def test_an_automaton_that_is_not_there(self):
        self.write("my.properties", "a: automaton none.hoa\n")
        finished = self.check("--properties", "my.properties")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertTrue(finished.stderr.startswith("none.hoa: error: "), finished.stderr)

    def test_a_name_that_an_option_has(self):
        self.write("my.properties", "deadlock: deadlock\n")
        self.expect_refusal(self.check("--deadlock", "--properties", "my.properties"), "my.properties: error: there is a property 'deadlock' already\n")

    def test_expectations_without_a_file(self):
        self.expect_refusal(self.check("--deadlock", "--expect"),
                            "tideline: error: --expect without --properties\n  the expected verdicts stand in a file of properties\n")
