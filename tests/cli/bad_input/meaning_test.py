"""DVE texts that parse but mean nothing: unknown and duplicate names, wrong types, values that do not fit."""

from bad_input.case import BadInputTest, Case, expected_text, tests_for, unmarked

CONSTANT_HINT = "only numbers and names declared with const may be used here"
SIZE_HINT = "a state has at most 1000000 elements in all"

GLOBALS = """\
byte count, turn, list[3];
const byte limit = 2, table[2] = {1, 2};
channel knock;
channel {byte, int} box[2];
"""


def declared(text):
    """A file with some declarations of its own."""
    return text + "\nprocess P { state s; init s; }\nsystem async;\n"


def process(text, end="system async;"):
    """A file with globals, a process Other and the given sections of a process Mine."""
    return GLOBALS + ("process Other {\n  byte own;\n  state idle, busy;\n  init idle;\n}\n"
                      "process Mine {\n  byte mine;\n  state start, finish;\n  " + text + "\n}\n" + end + "\n")


def transition(text, end="system async;"):
    return process("init start;\n  trans\n    start -> finish { " + text + " };", end)


NAMES = [
    Case("an unknown variable in a guard", transition("guard ⟦cuont⟧ > 1;"), "unknown name 'cuont'", "did you mean 'count'?"),
    Case("an unknown variable that is like no other", transition("guard ⟦elephant⟧ > 1;"), "unknown name 'elephant'"),
    Case("an unknown variable in an effect", transition("effect count = ⟦trun⟧;"), "unknown name 'trun'", "did you mean 'turn'?"),
    Case("an unknown variable to assign to", transition("effect ⟦conut⟧ = 1;"), "unknown name 'conut'", "did you mean 'count'?"),
    Case("an unknown array to assign to", transition("effect ⟦lsit⟧[count] = 1;"), "unknown name 'lsit'", "did you mean 'list'?"),
    Case("an unknown variable to send", transition("sync knock!⟦tunr⟧;"), "unknown name 'tunr'", "did you mean 'turn'?"),
    Case("an unknown variable to receive into", transition("sync knock?⟦tunr⟧;"), "unknown name 'tunr'", "did you mean 'turn'?"),
    Case("an unknown variable as an index", transition("guard list[⟦lmit⟧] == 1;"), "unknown name 'lmit'", "did you mean 'limit'?"),
    Case("an unknown channel", transition("sync ⟦konck⟧!;"), "unknown channel 'konck'", "did you mean 'knock'?"),
    Case("an unknown channel where there is none", "process P {\n  state s;\n  init s;\n  trans s -> s { sync ⟦c⟧!; };\n}\nsystem async;\n",
         "unknown channel 'c'"),
    Case("an unknown process", transition("guard ⟦Otter⟧.idle;"), "unknown process 'Otter'", "did you mean 'Other'?"),
    Case("an unknown process of a variable", transition("guard ⟦Ohter⟧->own;"), "unknown process 'Ohter'", "did you mean 'Other'?"),
    Case("an unknown location in a guard", transition("guard Other.⟦bussy⟧;"), "process Other has no location 'bussy'", "did you mean 'busy'?"),
    Case("an unknown variable of a process", transition("guard Other->⟦owm⟧;"), "unknown name 'owm' in process Other", "did you mean 'own'?"),
    Case("a global asked of a process", transition("guard Other->⟦turn⟧;"), "unknown name 'turn' in process Other",
         "'turn' is global: write it without the process"),
    Case("a variable asked for like a location", transition("guard Other.⟦own⟧;"), "process Other has no location 'own'",
         "a variable of a process is written Other->own"),
    Case("an unknown source", process("init start;\n  trans ⟦strat⟧ -> finish {};"), "process Mine has no location 'strat'", "did you mean 'start'?"),
    Case("an unknown target", process("init start;\n  trans start -> ⟦finsh⟧ {};"), "process Mine has no location 'finsh'", "did you mean 'finish'?"),
    Case("an unknown initial location", process("init ⟦strart⟧;"), "process Mine has no location 'strart'", "did you mean 'start'?"),
    Case("an unknown committed location", process("init start;\n  commit start, ⟦finnish⟧;"), "process Mine has no location 'finnish'",
         "did you mean 'finish'?"),
    Case("an unknown accepting location", process("init start;\n  accept ⟦fnish⟧;"), "process Mine has no location 'fnish'", "did you mean 'finish'?"),
    Case("an unknown location in a set", process("init start;\n  accept genbuchi (start), (⟦fnish⟧);"), "process Mine has no location 'fnish'",
         "did you mean 'finish'?"),
    Case("an unknown location of an assertion", process("init start;\n  assert ⟦fnish⟧: count < 3;"), "process Mine has no location 'fnish'",
         "did you mean 'finish'?"),
    Case("an unknown variable in an assertion", process("init start;\n  assert finish: ⟦cont⟧ < 3;"), "unknown name 'cont'", "did you mean 'count'?"),
    Case("an unknown property", process("init start;", "system async property ⟦Mien⟧;"), "the property 'Mien' is not a process",
         "did you mean 'Mine'?"),
    Case("a variable as the property", process("init start;", "system async property ⟦count⟧;"), "the property 'count' is not a process"),
    Case("a variable twice", declared("byte x;\nint ⟦x⟧;"), "duplicate name 'x'", "already declared as a variable in line 1"),
    Case("a variable and a channel", declared("byte x;\nchannel ⟦x⟧;"), "duplicate name 'x'", "already declared as a variable in line 1"),
    Case("a constant and a variable", declared("const byte k = 1;\n\nbyte ⟦k⟧;"), "duplicate name 'k'", "already declared as a constant in line 1"),
    Case("an array of constants and a variable", declared("const byte k[1] = {1};\nbyte ⟦k⟧;"), "duplicate name 'k'",
         "already declared as an array of constants in line 1"),
    Case("a channel twice", declared("channel c, ⟦c⟧;"), "duplicate name 'c'", "already declared as a channel in line 1"),
    Case("a process twice", "process P { state s; init s; }\nprocess ⟦P⟧ { state s; init s; }\nsystem async;\n", "duplicate name 'P'",
         "already declared as a process in line 1"),
    Case("a variable and a process", "byte P;\nprocess ⟦P⟧ { state s; init s; }\nsystem async;\n", "duplicate name 'P'",
         "already declared as a variable in line 1"),
    Case("a local variable twice", "process P { byte x, ⟦x⟧; state s; init s; }\nsystem async;\n", "duplicate name 'x'",
         "already declared as a variable in line 1"),
    Case("a location twice", "process P { state s, t, ⟦s⟧; init s; }\nsystem async;\n", "duplicate location 's' in process P"),
]

TYPES = [
    Case("an index on a variable", transition("guard ⟦count[0]⟧ == 1;"), "'count' is not an array and cannot be indexed"),
    Case("an index on a constant", transition("guard ⟦limit[0]⟧ == 1;"), "'limit' is not an array and cannot be indexed"),
    Case("an index on a variable to assign to", transition("effect ⟦count[0]⟧ = 1;"), "'count' is not an array and cannot be indexed"),
    Case("a channel as a variable", transition("guard ⟦knock⟧ == 1;"), "'knock' is a channel, expected a variable"),
    Case("a channel to assign to", transition("effect ⟦box⟧ = 1;"), "'box' is a channel, expected a variable"),
    Case("a process as a variable", transition("guard ⟦Other⟧ == 1;"), "'Other' is a process, expected a variable",
         "write Other.s to ask whether it is in location s"),
    Case("a variable as a process", transition("guard ⟦count⟧.idle;"), "'count' is a variable, expected a process"),
    Case("a variable as a channel", transition("sync ⟦count⟧!1;"), "'count' is a variable, expected a channel"),
    Case("a constant to assign to", transition("effect ⟦limit⟧ = 1;"), "'limit' is a constant and cannot be assigned to"),
    Case("a constant to receive into", transition("sync knock?⟦limit⟧;"), "'limit' is a constant and cannot be assigned to"),
    Case("an element of constants to assign to", transition("effect ⟦table[0]⟧ = 1;"), "'table' is a constant and cannot be assigned to"),
    Case("two values on an untyped channel", transition("sync ⟦knock!{1, 2}⟧;"), "the channel knock passes at most 1 value, found 2"),
    Case("too few values", transition("sync ⟦box!1⟧;"), "the channel box passes 2 values, found 1"),
    Case("too many values", transition("sync ⟦box!{1, 2, 3}⟧;"), "the channel box passes 2 values, found 3"),
    Case("no variables for the values", transition("sync ⟦box?⟧;"), "the channel box passes 2 values, found 0"),
    Case("no value where one is received", "byte x;\nchannel c;\n"
         "process P { state s; init s; trans s -> s { sync ⟦c!⟧; }; }\n"
         "process Q { state s; init s; trans s -> s { sync c?x; }; }\nsystem async;\n",
         "the channel c is received into a variable elsewhere, but no value is sent here"),
    Case("a rendezvous in a synchronous system", transition("sync ⟦knock!⟧;", "system sync;"), "sync is not possible in a synchronous system"),
    Case("a rendezvous of the property", transition("sync ⟦knock!⟧;", "system async property Mine;"),
         "a property process takes no part in synchronisation"),
    Case("a property that changes the system", transition("effect ⟦count⟧ = 1;", "system async property Mine;"),
         "a property process may not change 'count'", "it observes the system; only its own variables may be assigned to"),
    Case("a property that changes another process", transition("effect ⟦Other->own⟧ = 1;", "system async property Mine;"),
         "a property process may not change 'Other.own'", "it observes the system; only its own variables may be assigned to"),
]

VALUES = [
    Case("an array that is too large", declared("byte a[⟦1000001⟧];"), "the array a is too large", SIZE_HINT),
    Case("arrays that are too large together", declared("byte a[600000], b[⟦600000⟧];"), "the array b is too large", SIZE_HINT),
    Case("an array of 64 bits", declared("byte a[⟦9223372036854775807⟧];"), "the array a is too large", SIZE_HINT),
    Case("an array of constants that is too large", declared("const byte a[⟦10000000000⟧] = {1};"), "the array a is too large", SIZE_HINT),
    Case("a channel that is too large", declared("channel {byte, byte} c[⟦400000⟧];"), "the channel c is too large", SIZE_HINT),
    Case("a channel of 64 bits", declared("channel {byte} c[⟦9223372036854775807⟧];"), "the channel c is too large", SIZE_HINT),
    Case("an empty array", declared("byte a[⟦0⟧];"), "the array a has length 0, expected at least 1"),
    Case("a negative length", declared("byte a[⟦2 - 5⟧];"), "the array a has length -3, expected at least 1"),
    Case("a negative capacity", declared("channel {byte} c[⟦-1⟧];"), "the channel c has capacity -1, expected 0 or more"),
    Case("a length that is not constant", declared("byte n = 3;\nbyte a[⟦n⟧];"), "the length of a must be constant", CONSTANT_HINT),
    Case("a capacity that is not constant", declared("byte n = 3;\nchannel {byte} c[⟦n⟧];"), "the capacity of c must be constant", CONSTANT_HINT),
    Case("an initial value that is not constant", declared("byte n = 3;\nbyte m = ⟦n + 1⟧;"), "the initial value of m must be constant",
         CONSTANT_HINT),
    Case("a constant that is declared later", declared("byte a[⟦n⟧];\nconst byte n = 3;"), "unknown name 'n'"),
    Case("a byte above its range", declared("byte x = ⟦256⟧;"), "the initial value 256 does not fit byte x", "expected 0 to 255"),
    Case("a byte below its range", declared("byte x = ⟦-1⟧;"), "the initial value -1 does not fit byte x", "expected 0 to 255"),
    Case("an int above its range", declared("int x = ⟦32768⟧;"), "the initial value 32768 does not fit int x", "expected -32768 to 32767"),
    Case("an element out of range", declared("byte a[3] = {1, ⟦300⟧, 2};"), "the initial value 300 does not fit byte a", "expected 0 to 255"),
    Case("a constant out of range", declared("const byte k = ⟦1000⟧;"), "the initial value 1000 does not fit byte k", "expected 0 to 255"),
    Case("an array with a single value", declared("byte a[3] = ⟦1⟧;"), "the array a needs a list of initial values", "expected { value, ... }"),
    Case("a variable with a list", declared("byte ⟦x⟧ = {1, 2};"), "'x' is not an array and takes a single initial value"),
    Case("a division by zero", declared("byte x = ⟦1 / 0⟧;"), "the initial value of x cannot be computed: division by zero"),
    Case("an overflow", declared("int x = ⟦9223372036854775807 + 1⟧;"), "the initial value of x cannot be computed: the result does not fit 64 bits"),
    Case("a shift too far", declared("byte x = ⟦1 << 64⟧;"), "the initial value of x cannot be computed: a shift by less than 0 or more than 63"),
    Case("an index out of range", declared("const byte k[2] = {1, 2};\nbyte x = ⟦k[2]⟧;"),
         "the initial value of x cannot be computed: an index is outside its array"),
]


class NamesTest(tests_for(NAMES, BadInputTest.check_model)):
    pass


class TypesTest(tests_for(TYPES, BadInputTest.check_model)):
    pass


class ValuesTest(tests_for(VALUES, BadInputTest.check_model)):
    pass


class SeveralMistakesTest(BadInputTest):
    def test_all_of_them_are_told_in_order(self):
        self.check_model(Case("", transition("guard ⟦cuont⟧ > ⟦turn[0]⟧; effect ⟦limit⟧ = 1, turn = ⟦Other⟧;"),
                              "unknown name 'cuont'", "did you mean 'count'?",
                              more=[("'turn' is not an array and cannot be indexed", ""),
                                    ("'limit' is a constant and cannot be assigned to", ""),
                                    ("'Other' is a process, expected a variable", "write Other.s to ask whether it is in location s")]))

    def test_a_wrong_target_with_a_doubtful_index_is_told(self):
        text = transition("effect ⟦nothing⟧[count or turn and limit] = 1;")
        self.write("model.dve", unmarked(text))
        finished = self.run_program("explore", "model.dve")
        self.assertTrue(finished.stderr.startswith(expected_text("model.dve", text, [("unknown name 'nothing'", "")])), finished.stderr)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))

    def test_warnings_do_not_displace_an_error(self):
        doubtful = "start -> start { guard count or turn and limit; },\n" * 30
        text = process("init start;\n  trans\n" + doubtful + "start -> ⟦nowhere⟧ {};")
        self.check_model(Case("", text, "process Mine has no location 'nowhere'"))

    def test_only_the_first_of_many_errors_are_reported(self):
        text = process("init start;\n  trans\n" + "start -> ⟦nowhere⟧ {},\n" * 20 + "start -> nowhere {},\n" * 5000 + "start -> start {};")
        self.write("model.dve", unmarked(text))
        reported = [("process Mine has no location 'nowhere'", "")] * 20
        expected = expected_text("model.dve", text, reported) + "model.dve: error: there are more errors\n"
        self.expect_refusal(self.run_program("explore", "model.dve"), expected)

    def test_quiet_does_not_hide_errors(self):
        self.check_model(Case("", transition("guard ⟦cuont⟧;"), "unknown name 'cuont'", "did you mean 'count'?", arguments=("explore", "--quiet")))

    def test_every_command_tells_the_same(self):
        for arguments in [("check", "--deadlock"), ("convert", "--to", "model"), ("explore", "--json", "-")]:
            with self.subTest(arguments):
                self.check_model(Case("", transition("guard ⟦cuont⟧;"), "unknown name 'cuont'", "did you mean 'count'?", arguments=arguments))
