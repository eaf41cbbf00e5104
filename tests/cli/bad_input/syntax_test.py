"""DVE texts that cannot be parsed: one for each thing the parser can miss."""

from bad_input.case import BadInputTest, Case, tests_for

END_HINT = "a DVE file ends with 'system async;' or 'system sync;'"
EMPTY_HINT = "a DVE file holds declarations, processes and, at its end, 'system async;' or 'system sync;'"
PARTS_ORDER = "the parts of a transition come in the order guard, sync, effect"
TOO_DEEP = "this expression is nested too deeply (more than 500 levels)"
TOO_DEEP_HINT = "name a part of it: compute it in an effect, or split the transition"


def process(text):
    """A file with one process; the text stands after its locations."""
    return f"byte x;\nprocess P {{\n  state s, t;\n  {text}\n}}\nsystem async;\n"


def transition(text):
    return process("init s;\n  trans\n    s -> t { " + text + " };")


CASES = [
    Case("an empty file", "⟦⟧", "the file is empty", EMPTY_HINT),
    Case("a file of blanks", "⟦⟧  \n\n", "the file is empty", EMPTY_HINT),
    Case("a file of comments", "⟦/⟧/ nothing\n/* here */\n", "the file holds nothing but comments", EMPTY_HINT),
    Case("a comment without an end", "byte x;\n⟦/*⟧ system async;\n", "expected '*/' at the end of this comment, found the end of the text"),
    Case("a character that is no DVE", "byte x = 1 ⟦$⟧ 2;\n", "unexpected character '$'"),
    Case("a character of several bytes", "byte ⟦ü⟧;\n", "unexpected character 'ü'"),
    Case("a caret after a tab", "\tbyte\t⟦;⟧\n", "expected the name of a variable, found ';'"),
    Case("a name that begins with a digit", "byte ⟦2x⟧;\n", "'2x' is neither a number nor a name",
         "a number consists of decimal digits; a name does not begin with a digit"),
    Case("a number of more than 64 bits", "int x = ⟦9223372036854775808⟧;\n", "the number '9223372036854775808' is too large",
         "the largest number is 9223372036854775807 (numbers have 64 bits)"),
    Case("a misspelled process", "byte x;\n⟦proces⟧ P { }\n", "expected a declaration, 'process' or 'system', found 'proces'",
         "did you mean 'process'?"),
    Case("a misspelled type", "⟦bite⟧ x;\n", "expected a declaration, 'process' or 'system', found 'bite'", "did you mean 'byte'?"),
    Case("no system line", "process P { state s; init s; }\n⟦⟧", "expected 'process' or 'system', found the end of the file", END_HINT),
    Case("a global after a process", "process P { state s; init s; }\n⟦byte⟧ x;\nsystem async;\n",
         "expected 'process' or 'system', found the keyword 'byte'", "global variables and channels are declared before the first process"),
    Case("a system of neither kind", "process P { state s; init s; }\nsystem ⟦asink⟧;\n",
         "expected 'async' or 'sync' after 'system', found 'asink'", "did you mean 'async'?"),
    Case("a system line without an end", "process P { state s; init s; }\nsystem async⟦⟧", "expected 'property' or ';', found the end of the file"),
    Case("a property without a name", "process P { state s; init s; }\nsystem async property⟦;⟧\n",
         "expected the name of the property process, found ';'"),
    Case("text after the system line", "process P { state s; init s; }\nsystem async;\n⟦process⟧ Q { }\n",
         "expected the end of the file, found the keyword 'process'", "nothing may follow the system line"),
    Case("a variable called like a keyword", "byte ⟦state⟧;\n", "expected the name of a variable, found the keyword 'state'"),
    Case("a constant without a type", "const ⟦x⟧ = 1;\n", "expected 'byte' or 'int', found 'x'"),
    Case("a declaration without a semicolon", "byte x\n⟦process⟧ P { state s; init s; }\nsystem async;\n",
         "expected ',' or ';' after the declaration of a variable, found the keyword 'process'"),
    Case("an array without a length", "byte a[⟦]⟧;\n", "expected an expression, found ']'"),
    Case("a list of values without an end", "byte a[2] = {1⟦;⟧\n", "expected ',' or '}' after an initial value, found ';'"),
    Case("a buffer without types", "channel c⟦[⟧2];\n", "expected ',' or ';' after the name of a channel without types, found '['",
         "a channel with a buffer needs the types of its fields: channel {byte} c[...];"),
    Case("a field of no type", "channel {byte, ⟦x⟧} c;\n", "expected 'byte' or 'int', found 'x'"),
    Case("a process without a name", "process ⟦{⟧ }\n", "expected the name of a process, found '{'"),
    Case("a process without a brace", "process P ⟦state⟧ s;\n", "expected '{' after the name of the process, found the keyword 'state'"),
    Case("a process without locations", "process P {\n⟦}⟧\n", "expected a variable declaration or 'state', found '}'"),
    Case("a channel in a process", "process P {\n  ⟦channel⟧ c;\n", "expected a variable declaration or 'state', found the keyword 'channel'",
         "channels are declared outside of processes"),
    Case("a process without an initial location", process("⟦trans⟧ s -> t {};"), "expected 'init', found the keyword 'trans'"),
    Case("a second initial location", process("init s; ⟦init⟧ t;"), "expected another section of the process, found a second 'init'",
         "a process has one initial location"),
    Case("a list of initial locations", process("init s⟦,⟧ t;"), "expected ';' after the initial location, found ','"),
    Case("a variable after the locations", process("init s; ⟦byte⟧ y;"), "expected 'trans', another section or '}', found the keyword 'byte'",
         "the variables of a process are declared before 'state'"),
    Case("a misspelled section", process("init s; ⟦comit⟧ t;"), "expected 'trans', 'commit', 'accept', 'assert' or '}', found 'comit'",
         "did you mean 'commit'?"),
    Case("a section after the transitions", process("init s; trans s -> t {}; ⟦commit⟧ t;"),
         "expected '}' at the end of the process, found the keyword 'commit'", "'trans' is the last section of a process"),
    Case("an assertion without a colon", process("init s; assert s ⟦x⟧;"), "expected ':' after the location of an assertion, found 'x'"),
    Case("rabin acceptance", process("init s; accept ⟦rabin⟧ (s; t);"), "'rabin' acceptance is not supported",
         "supported are lists of locations, 'buchi' and 'genbuchi'"),
    Case("streett acceptance", process("init s; accept ⟦streett⟧ (s; t);"), "'streett' acceptance is not supported",
         "supported are lists of locations, 'buchi' and 'genbuchi'"),
    Case("muller acceptance", process("init s; accept ⟦muller⟧ (s, t);"), "'muller' acceptance is not supported",
         "supported are lists of locations, 'buchi' and 'genbuchi'"),
    Case("generalised acceptance without sets", process("init s; accept genbuchi ⟦s⟧;"),
         "expected '(' before a set of accepting locations, found 's'"),
    Case("a probabilistic transition", process("init s; trans s ⟦=>⟧ { s:3, t:5 };"), "probabilistic transitions are not supported",
         "expected '->' and one target location"),
    Case("a transition without a source", process("init s; trans ⟦->⟧ t {};"),
         "expected the source location of the first transition, found '->'", "'-> target' repeats the source of the transition before"),
    Case("a transition without an arrow", process("init s; trans s ⟦-⟧ t {};"), "expected '->' after the source location, found '-'"),
    Case("a transition without a brace", process("init s; trans s -> t⟦;⟧"), "expected '{' after the target location, found ';'"),
    Case("transitions without a comma", process("init s; trans s -> t {} ⟦t⟧ -> s {};"), "expected ',' or ';' after the transition, found 't'"),
    Case("transitions separated by semicolons", process("init s; trans s -> t {}; ⟦t⟧ -> s {};"),
         "expected '}' at the end of the process, found 't'", "transitions are separated by ',', a ';' ends the list of them"),
    Case("a comma after the last transition", process("init s; trans s -> t {},⟦;⟧"), "expected a transition, found ';'"),
    Case("a misspelled guard", transition("⟦gaurd⟧ x;"), "expected 'guard', 'sync', 'effect' or '}', found 'gaurd'", "did you mean 'guard'?"),
    Case("a guard after the effect", transition("effect x = 1; ⟦guard⟧ x;"), "expected '}', found 'guard' out of order", PARTS_ORDER),
    Case("two guards", transition("guard x; ⟦guard⟧ x;"), "expected 'sync', 'effect' or '}', found a second 'guard'",
         "each part of a transition is written at most once"),
    Case("a guard without an expression", transition("guard⟦;⟧"), "expected an expression, found ';'"),
    Case("a guard without a semicolon", transition("guard x == 1 ⟦effect⟧ x = 2;"), "expected ';' after the guard, found the keyword 'effect'"),
    Case("an assignment as a guard", transition("guard x ⟦=⟧ 1;"), "expected an operator or the end of the expression, found '='",
         "to compare two values, write '=='"),
    Case("an arrow for greater or equal", transition("guard x ⟦=>⟧ 1;"), "expected an operator or the end of the expression, found '=>'",
         "'greater or equal' is written '>=', implication 'imply'"),
    Case("negation with a bang", transition("guard ⟦!⟧x;"), "expected an expression, found '!'", "negation is written 'not'"),
    Case("an operator without a right side", transition("guard x +⟦;⟧"), "expected an expression, found ';'"),
    Case("a misspelled operator", transition("guard (x ⟦adn⟧ x);"), "expected ')', found 'adn'", "did you mean 'and'?"),
    Case("a parenthesis without its partner", transition("guard (x⟦;⟧"), "expected ')', found ';'"),
    Case("a bracket without its partner", transition("guard x[1⟦;⟧"), "expected ']', found ';'"),
    Case("a location without a name", transition("guard P.⟦;⟧"), "expected the name of a location, found ';'"),
    Case("a channel without a direction", transition("sync c⟦;⟧"), "expected '!' or '?' after the name of the channel, found ';'"),
    Case("a number to receive into", transition("sync c?⟦3⟧;"), "expected a variable, found '3'"),
    Case("two synchronisations", transition("sync c!1⟦,⟧ d!2;"), "expected ';' after the synchronisation, found ','"),
    Case("an effect without an assignment", transition("effect x⟦;⟧"), "expected '=' after the variable, found ';'"),
    Case("a comparison as an effect", transition("effect x ⟦==⟧ 1;"), "expected '=' after the variable, found '=='",
         "an effect assigns: write '='; '==' compares"),
    Case("an effect on a location", transition("effect ⟦P.s⟧ = 1;"), "expected a variable, found a location of a process",
         "a variable of another process is written PROCESS->NAME"),
    Case("effects without a comma", transition("effect x = 1 ⟦x⟧ = 2;"), "expected ',' or ';' after the assignment, found 'x'"),
    Case("an end in the middle", "process P { state s; init s; trans s -> s { guard 1;⟦⟧", "expected 'sync', 'effect' or '}', found the end of the file"),
    Case("a nul byte", "byte x;\n⟦\0⟧", "this is not a text file (byte 0x00 at offset 8)"),
]


class SyntaxTest(tests_for(CASES, BadInputTest.check_model)):
    def refusal_of(self, content, file="model.dve"):
        """The lines of the message, after the usual checks."""
        self.write(file, content)
        finished = self.run_program("explore", file)
        self.assertEqual(finished.returncode, 2, finished.stderr[:500])
        self.assertEqual(finished.stdout, "")
        self.assertLess(len(finished.stderr), 1000)
        return finished.stderr.split("\n")

    def check_depth(self, expression, column):
        lines = self.refusal_of("int x[1] = {" + expression)
        self.assertEqual(lines[0], f"model.dve:1:{column}: error: {TOO_DEEP}")
        self.assertEqual(lines[1][lines[2].index("^")], expression[column - 13])
        self.assertEqual(lines[3], "  " + TOO_DEEP_HINT)

    def test_a_binary_file(self):
        lines = self.refusal_of(bytes(range(1, 256)) * 40)
        self.assertEqual(lines[0], "model.dve:1:1: error: this is not a text file (byte 0x01 at offset 0)")

    def test_bytes_that_are_no_characters(self):
        lines = self.refusal_of(b"byte x\xff;\n")
        self.assertEqual(lines[0], "model.dve:1:7: error: this is not a text file (byte 0xFF at offset 6)")

    def test_ten_megabytes_of_one_name(self):
        lines = self.refusal_of("x" * 10_000_000)
        shown = "x" * 40 + "..."
        self.assertEqual(lines[0], f"model.dve:1:1: error: the name '{shown}' is too long: it has 10000000 characters, at most 4096 are allowed")

    def test_ten_megabytes_of_one_number(self):
        lines = self.refusal_of("byte x = " + "7" * 10_000_000)
        self.assertEqual(lines[0], "model.dve:1:10: error: the number '" + "7" * 40 + "...' is too large")

    def test_a_mistake_far_to_the_right(self):
        lines = self.refusal_of("byte x; " * 5000 + "byte 7;")
        self.assertEqual(lines[0], "model.dve:1:40006: error: expected the name of a variable, found '7'")
        self.assertEqual(lines[1][lines[2].index("^")], "7")

    def test_deep_parentheses(self):
        self.check_depth("(" * 1_000_000, 513)

    def test_deep_brackets(self):
        self.check_depth("x[" * 1_000_000, 1014)

    def test_deep_negation(self):
        self.check_depth("~" * 1_000_000, 513)
