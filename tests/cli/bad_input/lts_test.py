"""Explicit systems (.aut and .json) with errors."""

from functools import partial

from bad_input.case import BadInputTest, Case, tests_for

HEADER = "the first line must be: des (initial state, number of transitions, number of states)"
EDGE = "a transition is written (from, \"label\", to), each on a line of its own"
KEYS = 'a file is {"states": ..., "initial": ..., "edges": [...]}'
EDGE_FORM = 'an edge is ["s0", "s1"], ["s0", "s1", "label"] or {"from": "s0", "to": "s1", "label": "a"}'
NOT_JSON = "this is not valid JSON: "

Aut = partial(Case, file="model.aut")
Json = partial(Case, file="model.json")


def edges(text):
    return '{\n  "states": ["red", "green"],\n  "initial": "red",\n  "edges": ' + text + "\n}\n"


AUT = [
    Aut("no header", "⟦(0, a, 1)⟧\n", "the header is missing", HEADER),
    Aut("half a header", "⟦des (0, 1)⟧\n", "the header is malformed", HEADER),
    Aut("a header with a word", "des (0, ⟦many⟧, 2)\n", "the number of transitions must be a number, not 'many'"),
    Aut("a header with a missing number", "des (⟦⟧, 1, 2)\n", "the initial state is missing"),
    Aut("no states", "des (0, 0, ⟦0⟧)\n", "a system has at least one state"),
    Aut("too many states", "des (0, 0, ⟦67108865⟧)\n", "67108865 states are more than the 67108864 that can be read"),
    Aut("a number of states beyond 64 bits", "des (0, 0, ⟦99999999999999999999⟧)\n", "the number of states '99999999999999999999' is too large"),
    Aut("an initial state that does not exist", "des (⟦2⟧, 0, 2)\n", "the initial state 2 does not exist",
        "the header announces 2 states, numbered from 0 to 1"),
    Aut("a target that does not exist", "des (0, 1, 2)\n(0, a, ⟦7⟧)\n", "the target state 7 does not exist",
        "the header announces 2 states, numbered from 0 to 1"),
    Aut("a source that is no number", "des (0, 1, 2)\n(⟦x⟧, a, 1)\n", "the source state must be a number, not 'x'"),
    Aut("a line that is no transition", "des (0, 1, 2)\n⟦h⟧ello\n", "expected '('", EDGE),
    Aut("a transition without an end", "des (0, 1, 2)\n(0, a, ⟦1⟧\n", "expected ')' at the end of the line", EDGE),
    Aut("a transition of two parts", "des (0, 1, 2)\n⟦(0, 1)⟧\n", "a transition has three parts, separated by commas", EDGE),
    Aut("a label without its closing quote", "des (0, 1, 2)\n(0, ⟦\"a⟧, 1)\n", "the label '\"a' has no closing quote", EDGE),
    Aut("fewer transitions than announced", "des (0, ⟦3⟧, 2)\n(0, a, 1)\n", "the header announces 3 transitions, but the file has 1",
        "the second number of the header is the number of transitions"),
]

JSON = [
    Json("an empty file", "⟦⟧", NOT_JSON + "unexpected end of input", "expected '[', '{', or a literal"),
    Json("a file without an end", '{"states": 2⟦⟧', NOT_JSON + "unexpected end of input", "expected '}'"),
    Json("a comma too many", edges('[["red", "green"],\n  ⟦]⟧'), NOT_JSON + "unexpected ']'", "expected '[', '{', or a literal"),
    Json("a colon too few", '{"states" ⟦2⟧}', NOT_JSON + "unexpected number literal", "expected ':'"),
    Json("a list", "⟦[]⟧", "the file must be an object, not an array", KEYS),
    Json("nothing in it", "⟦{⟧}", "the key 'states' is missing", '"states" lists the states, or says how many there are'),
    Json("a misspelled key", '{⟦"state"⟧: 2}', "unknown key 'state'", "did you mean 'states'?"),
    Json("a key twice", '{"states": 2, ⟦"states"⟧: 2}', "the key 'states' is given twice"),
    Json("no states", '{"states": ⟦[]⟧, "initial": 0, "edges": []}', "a system has at least one state"),
    Json("too many states", '{"states": ⟦99999999999⟧, "initial": 0, "edges": []}',
         "99999999999 states are more than the 67108864 that can be read"),
    Json("two states of one name", '{"states": ["a", ⟦"a"⟧], "initial": 0, "edges": []}', "states[1]: the name 'a' is already that of states[0]"),
    Json("a label that is a keyword", '{"states": [{"labels": [⟦"and"⟧]}], "initial": 0, "edges": []}',
         "states[0].labels[0]: 'and' cannot be a label", "the word has a meaning of its own in expressions"),
    Json("progress of some states only", '{"states": [{"progress": 1}, ⟦{}⟧], "initial": 0, "edges": []}',
         "states[1] has no progress, but states[0] has", "give a progress value to every state or to none"),
    Json("an unknown initial state", '{"states": ["red"], "initial": ⟦"rde"⟧, "edges": []}', "initial: there is no state 'rde'", "did you mean 'red'?"),
    Json("an unknown state of an edge", edges('[["red", ⟦"gren"⟧]]'), "edges[0][1]: there is no state 'gren'", "did you mean 'green'?"),
    Json("a state number that does not exist", edges("[[0, ⟦2⟧]]"), "edges[0][1]: there is no state 2", "there are 2 states, numbered from 0 to 1"),
    Json("an edge of one state", edges('[⟦["red"]⟧]'), "edges[0] must have 2 or 3 elements, not 1", EDGE_FORM),
    Json("an edge that is none", edges("[⟦true⟧]"), "edges[0] must be an array or an object, not a truth value", EDGE_FORM),
]


class AutTest(tests_for(AUT, BadInputTest.check_model)):
    def test_an_empty_file(self):
        self.write("model.aut", "\n \n")
        self.expect_refusal(self.run_program("explore", "model.aut"), f"model.aut: error: the file is empty\n  {HEADER}\n")

    def test_a_binary_file(self):
        self.write("model.aut", bytes(range(256)) * 100)
        finished = self.run_program("explore", "model.aut")
        self.assertRegex(finished.stderr, r"^model\.aut:1:1: error: the header is missing\n")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))


class JsonTest(tests_for(JSON, BadInputTest.check_model)):
    def check_start(self, content, start):
        self.write("model.json", content)
        finished = self.run_program("explore", "model.json")
        self.assertEqual(finished.stderr[:len(start)], start)
        self.assertLess(len(finished.stderr), 1000)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))

    def test_deep_nesting(self):
        self.check_start("[" * 1_000_000, "model.json:1:33: error: this is nested too deeply\n")

    def test_a_binary_file(self):
        self.check_start(bytes(range(128, 256)) * 100, "model.json:1:1: error: this is not valid JSON: ")

    def test_ten_megabytes_of_one_string(self):
        self.check_start('"' + "x" * 10_000_000, "model.json:1:10000002: error: this is not valid JSON: invalid string: missing closing quote\n")
