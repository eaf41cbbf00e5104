"""Invariants that are no expressions over the model."""

from bad_input.case import BadInputTest, Case, expected_text, tests_for, unmarked

MODEL = """\
byte count, list[3];
const byte limit = 2, table[2] = {1, 2};
channel {byte, int} box[2];
channel {byte} slot[1];
process P {
  byte own;
  state idle, busy;
  init idle;
  trans idle -> busy { sync box!{1, 2}; }, busy -> idle { sync slot!{3}; };
}
system async;
"""

EMPTY_HINT = "expected an expression over the model's names"
NO_OPERAND = "expected a name, a number or '(', found "

CASES = [
    Case("nothing", "⟦⟧", "the expression is empty", EMPTY_HINT),
    Case("blanks", "⟦ ⟧  ", "the expression is empty", EMPTY_HINT),
    Case("an unknown name", "⟦cuont⟧ < 3", "unknown name 'cuont'", "did you mean 'count'?"),
    Case("an unknown name that is like no other", "count + ⟦elephant⟧ < 3", "unknown name 'elephant'"),
    Case("an unknown name in a further line", "count < 3 and\n  ⟦lmit⟧ == 2", "unknown name 'lmit'", "did you mean 'limit'?"),
    Case("an unknown process", "⟦Q⟧.idle", "unknown process 'Q'"),
    Case("an unknown location", "P.⟦bsuy⟧", "process P has no location or variable 'bsuy'", "did you mean 'busy'?"),
    Case("an unknown variable of a process", "P.⟦onw⟧ == 1", "process P has no location or variable 'onw'", "did you mean 'own'?"),
    Case("a location like a variable", "P->⟦busy⟧", "'busy' is a location of P, expected a variable",
         "write P.busy to ask whether it is in this location"),
    Case("a process alone", "not ⟦P⟧", "'P' is a process, expected a value", "write P.s to ask whether it is in location s"),
    Case("a process without what is asked", "P.⟦⟧", "expected a location or variable of P, found the end"),
    Case("a variable as a process", "count.⟦idle⟧", "'count' is not a process and has no 'idle'"),
    Case("an array without an index", "⟦list⟧ == 1", "'list' is an array, expected an index", "write list[...]"),
    Case("constants without an index", "⟦table⟧ == 1", "'table' is an array, expected an index", "write table[...]"),
    Case("an index on a variable", "count⟦[⟧0] == 1", "'count' is not an array and cannot be indexed"),
    Case("a channel without a place", "⟦slot⟧ == 1", "'slot' is an array, expected an index", "write slot[...]"),
    Case("a message without a field", "box[0] ⟦==⟧ 1", "expected a field of a message of box, found '=='",
         "a message of several fields is read as box[...].0"),
    Case("a message without such a field", "box[0].⟦2⟧ == 1", "expected the number of a field of box, found '2'", "fields are numbered from 0 on"),
    Case("a message with half a field", "box[0].⟦⟧", "expected the number of a field of box, found the end", "fields are numbered from 0 on"),
    Case("a single equals sign", "count ⟦=⟧ 1", "unexpected '='", "to compare two values, write '=='"),
    Case("an arrow for greater or equal", "count ⟦=⟧> 1", "unexpected '='", "'greater or equal' is written '>=', implication 'imply'"),
    Case("no right side", "count ==⟦⟧", NO_OPERAND + "the end"),
    Case("no left side", "⟦and⟧ count", NO_OPERAND + "'and'"),
    Case("two operators", "count < ⟦<=⟧ 3", NO_OPERAND + "'<='"),
    Case("an open parenthesis", "(count == 1⟦⟧", "expected ')', found the end"),
    Case("a closing parenthesis", "count == 1⟦)⟧", "expected an operator or the end, found ')'"),
    Case("an open bracket", "list[0⟦⟧", "expected ']', found the end"),
    Case("a list in brackets", "⟦[⟧count,count]", NO_OPERAND + "'['"),
    Case("junk after the expression", "count < 3 ⟦count⟧", "expected an operator or the end, found 'count'"),
    Case("a semicolon", "count < 3⟦;⟧", "unexpected ';'"),
    Case("a character that means nothing", "count ⟦@⟧ 3", "unexpected '@'"),
    Case("a character of several bytes", "limit ⟦≤⟧ 3", "unexpected '≤'"),
    Case("a number that is too large", "count < ⟦99999999999999999999⟧", "the number '99999999999999999999' is too large"),
    Case("a number with letters", "count < ⟦0x1F⟧", "'0x1F' is neither a number nor a name"),
]


def check_expression(self, case):
    self.write("model.dve", MODEL)
    finished = self.run_program("check", "model.dve", "--invariant", unmarked(case.text))
    self.expect_refusal(finished, expected_text("--invariant", case.text, [(case.message, case.hint)]))


class ExpressionTest(tests_for(CASES, check_expression)):
    def test_deep_nesting_is_refused(self):
        self.write("model.dve", MODEL)
        for opening in ("(", "~", "not ", "list["):
            with self.subTest(opening):
                finished = self.run_program("check", "model.dve", "--invariant", opening * (100_000 // len(opening)))
                self.assertRegex(finished.stderr, r"^--invariant:1:\d+: error: the expression is nested too deeply\n")
                self.assertLess(len(finished.stderr), 1000)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))

    def test_the_second_of_two_invariants_is_looked_at(self):
        self.write("model.dve", MODEL)
        finished = self.run_program("check", "model.dve", "--invariant", "count < 3", "--invariant", "P.of")
        self.expect_refusal(finished, expected_text("--invariant", "P.⟦of⟧", [("process P has no location or variable 'of'", "")]))

    def test_no_file_is_written_for_a_wrong_expression(self):
        self.write("model.dve", MODEL)
        finished = self.run_program("check", "model.dve", "--invariant", "conut", "--json", "out.json", "--itf", "out.itf.json")
        self.assertEqual(finished.returncode, 2)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["model.dve"])
