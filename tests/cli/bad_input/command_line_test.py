"""Command lines that make no sense, and files that cannot be read or written."""

import os
import unittest
from dataclasses import dataclass

from bad_input.case import BadInputTest, tests_for

MODEL = "process P { state s; init s; trans s -> s {}; }\nsystem async;\n"
SIZES = "a size is a number with a unit: 64K, 512M, 1.5G, 2T"
DURATIONS = "a duration is a number with a unit: 500ms, 90s, 10m, 2h"
WRITABLE = "is the folder there, and may it be written to?"
ENDINGS = "expected a name that ends in .dve, .aut, .pml, .pm, .prm, .prom, .promela, .pr, .spin or .json"


@dataclass
class Case:
    name: str
    arguments: str  # separated by blanks; '' is an empty one
    message: str
    hint: str
    about: str = "tideline"


def help_of(command):
    return f"see 'tideline {command} --help'"


CASES = [
    Case("no command", "", "the command is missing", "expected explore, check, simulate, progress, resume, audit, trace or convert; see 'tideline --help'"),
    Case("an unknown command", "prove model.dve", "unknown command 'prove'", "see 'tideline --help'"),
    Case("a misspelled command", "chekc model.dve", "unknown command 'chekc'", "did you mean 'check'?"),
    Case("a command in capitals", "EXPLORE model.dve", "unknown command 'EXPLORE'", "did you mean 'explore'?"),
    Case("help for a command that there is not", "help chekc", "unknown command 'chekc'", "did you mean 'check'?"),
    Case("an unknown option before the command", "--fast explore model.dve", "unknown option '--fast'", help_of("explore")),
    Case("an unknown option alone", "--fast", "unknown option '--fast'", "see 'tideline --help'"),
    Case("an unknown option", "explore model.dve --fast", "unknown option '--fast'", help_of("explore")),
    Case("an unknown option and no model", "explore --fast", "unknown option '--fast'", help_of("explore")),
    Case("an unknown short option", "explore model.dve -q", "unknown option '-q'", help_of("explore")),
    Case("a misspelled option", "explore model.dve --egnine bfs", "unknown option '--egnine'", "did you mean '--engine'?"),
    Case("a misspelled option with a value", "explore model.dve --memroy=1G", "unknown option '--memroy=1G'", "did you mean '--memory'?"),
    Case("an option of another command", "explore model.dve --deadlock", "unknown option '--deadlock'", "it is an option of 'tideline check'"),
    Case("no model to explore", "explore", "the model is missing", "expected tideline explore MODEL; " + help_of("explore")),
    Case("no model to check", "check --deadlock", "the model is missing", "expected tideline check MODEL; " + help_of("check")),
    Case("no model to convert", "convert --to model", "the model is missing", "expected tideline convert MODEL, --ltl FORMULA or --automaton FILE; " + help_of("convert")),
    Case("an empty name", "explore ''", "the name of the model is empty", help_of("explore")),
    Case("two models", "explore model.dve other.dve", "unexpected argument 'other.dve'", help_of("explore")),
    Case("two commands", "explore model.dve check model.dve", "unexpected argument 'check'", help_of("explore")),
    Case("an unknown engine", "explore model.dve --engine fast", "--engine: unknown engine 'fast'", "expected auto, bfs, dfs, sweep, sweep-basic, couvreur, graph, ndfs, map, ltl-sweep-offline, ltl-sweep-online, labelling, prod, local, ledger or scc-ctl"),
    Case("an engine that is missing", "explore model.dve --engine", "--engine needs a value", "expected --engine NAME"),
    Case("two engines", "explore model.dve --engine bfs --engine dfs", "--engine is given more than once", help_of("explore")),
    Case("an unknown style", "check model.dve --deadlock --trace long", "--trace: unknown style 'long'", "expected full, changes, actions or none"),
    Case("memory without a unit", "explore model.dve --memory 100", "--memory: '100' has no unit", SIZES),
    Case("memory of no unit", "explore model.dve --memory 1X", "--memory: '1X' is not a size: 'X' is not a unit", SIZES),
    Case("no memory", "explore model.dve --memory 0M", "--memory: '0M' is not a size: it must be more than 0", SIZES),
    Case("negative memory", "explore model.dve --memory -1G", "--memory: '-1G' is not a size", SIZES),
    Case("more memory than 64 bits", "explore model.dve --memory 99999999T", "--memory: '99999999T' is too large for a size", SIZES),
    Case("memory that is a word", "explore model.dve --memory much", "--memory: 'much' is not a size", SIZES),
    Case("memory without a value", "explore model.dve --memory=", "--memory needs a value", "expected --memory SIZE"),
    Case("time without a unit", "explore model.dve --time 10", "--time: '10' has no unit", DURATIONS),
    Case("time of no unit", "explore model.dve --time 10y", "--time: '10y' is not a duration: 'y' is not a unit", DURATIONS),
    Case("no time", "explore model.dve --time 0s", "--time: '0s' is not a duration: it must be more than 0", DURATIONS),
    Case("a flag with a value", "explore model.dve --quiet=7", "--quiet takes no value", help_of("explore")),
    Case("an invariant without an expression", "check model.dve --invariant", "--invariant needs a value", "expected --invariant EXPR"),
    Case("a conversion to nothing", "convert model.dve", "--to is missing", "expected --to model, aut, dot or kripke"),
    Case("a conversion to something unknown", "convert model.dve --to png", "--to: unknown format 'png'", "expected model, aut, dot or kripke"),
    Case("a conversion without a value", "convert model.dve --to", "--to needs a value", "expected --to FORMAT"),
    Case("JSON without a file", "explore model.dve --json", "--json needs a value", "expected --json FILE|-"),
    Case("JSON into a missing folder", "explore model.dve --json missing/out.json", "cannot be written", WRITABLE, "missing/out.json"),
    Case("JSON into a folder", "explore model.dve --json .", "cannot be written", WRITABLE, "."),
    Case("a trace into a missing folder", "check model.dve --deadlock --itf missing/t.json", "cannot be written", WRITABLE, "missing/t.json"),
    Case("nothing to check", "check model.dve", "nothing to check: the model has no assertions and no property process",
         "ask for --deadlock, --invariant EXPR, --ltl FORMULA or --ctl FORMULA", "model.dve"),
    Case("an option in place of a file", "check model.dve --json --deadlock", "--json needs a value, found '--deadlock'",
         "expected --json FILE|-; a value that begins with -- is given as --json=VALUE"),
    Case("an option in place of an expression", "check model.dve --invariant --quiet", "--invariant needs a value, found '--quiet'",
         "expected --invariant EXPR; a value that begins with -- is given as --invariant=VALUE"),
    Case("an option in place of a size", "audit --memory --quiet .", "--memory needs a value, found '--quiet'",
         "expected --memory SIZE; a value that begins with -- is given as --memory=VALUE"),
    Case("an option in place of a drawing", "progress model.dve --svg --measure", "--svg needs a value, found '--measure'",
         "expected --svg FILE; a value that begins with -- is given as --svg=VALUE"),
    Case("more states than 64 bits", "explore model.dve --states 18446744073709551616", "--states: '18446744073709551616' is too large",
         "expected --states NUMBER>0, at most 2^64 - 1"),
    Case("a negative number of states", "explore model.dve --states -1", "--states: unexpected value '-1'", "expected --states NUMBER>0"),
    Case("no states", "explore model.dve --states 0", "--states: unexpected value '0'", "expected --states NUMBER>0"),
    Case("states that are no number", "explore model.dve --states 5k", "--states: unexpected value '5k'", "expected --states NUMBER>0"),
    Case("no name of a ledger to resume", "resume ''", "the name of the ledger's directory is empty", help_of("resume")),
    Case("no name of a ledger to audit", "audit ''", "the name of the ledger's directory is empty", help_of("audit")),
    Case("a device without an end", "explore /dev/zero", "this is not a text: it has zero bytes", None, "/dev/zero"),
    Case("a missing file", "explore missing.dve", "cannot be read: No such file or directory", "is the name right?", "missing.dve"),
    Case("a file in a missing folder", "explore no/such/model.dve", "cannot be read: No such file or directory", "is the name right?",
         "no/such/model.dve"),
    Case("a folder", "explore folder.dve", "this is a directory", "expected a file", "folder.dve"),
    Case("an unknown ending", "explore model.txt", "the kind of model is not known: .txt", ENDINGS, "model.txt"),
    Case("no ending", "explore model", "the kind of model is not known: the name has no ending", ENDINGS, "model"),
]


def check_command_line(self, case):
    for name in ("model.dve", "other.dve", "model.txt", "model"):
        self.write(name, MODEL)
    (self.folder / "folder.dve").mkdir()
    arguments = ["" if word == "''" else word for word in case.arguments.split()]
    self.expect_refusal(self.run_program(*arguments), f"{case.about}: error: {case.message}\n" + (f"  {case.hint}\n" if case.hint else ""))


class CommandLineTest(tests_for(CASES, check_command_line)):
    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_an_unreadable_file(self):
        self.write("model.dve", MODEL).chmod(0)
        self.expect_refusal(self.run_program("explore", "model.dve"), "model.dve: error: cannot be read: Permission denied\n")

    def test_a_value_that_looks_like_an_option(self):
        self.write("model.dve", MODEL)
        self.assertEqual(self.run_program("explore", "model.dve", "--json=--deadlock", "--quiet").returncode, 0)
        self.assertTrue((self.folder / "--deadlock").exists())

    def test_an_argument_that_is_no_text(self):
        finished = self.run_program("explore", os.fsdecode(b"\xff\xfe.dve"))
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("cannot be read", finished.stderr)

    def test_an_argument_of_a_hundred_kilobytes(self):
        finished = self.run_program("explore", "x" * 100_000)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
