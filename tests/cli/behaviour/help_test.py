"""Help and version."""

import re

from program import ProgramTest

COMMANDS = ("explore", "check", "resume", "audit", "convert")
SEARCH_OPTIONS = ("--engine", "--progress", "--memory", "--disk", "--ledger", "--record", "--time", "--trace", "--itf", "--msc", "--report", "--json", "--quiet", "--successors", "--sleep", "--stubborn", "--symmetry", "--cut-off", "--variant", "--wrap", "-D", "-I", "--help")
FORMULA_OPTIONS = ("--ltl", "--automaton", "--ltl-translator")
BRANCHING_OPTIONS = ("--ctl", "--ctlstar", "--deadlocks", "--satisfying", "--list", "--order", "--evidence", "--evidence-dot")
OPTIONS = {"explore": SEARCH_OPTIONS + FORMULA_OPTIONS, "check": SEARCH_OPTIONS + FORMULA_OPTIONS + BRANCHING_OPTIONS + ("--invariant", "--deadlock", "--language", "--final", "--hide", "--rename", "--properties", "--expect", "--acceptance", "--non-progress"),
           "convert": FORMULA_OPTIONS + ("--label", "--progress", "--states", "--threads", "--memory", "--time", "--to", "--wrap", "--help"),
           "resume": ("--status", "--memory", "--disk", "--time", "--threads", "--json", "--report", "--quiet", "--help"),
           "audit": ("--memory", "--model", "--quiet", "--help")}


class HelpTest(ProgramTest):
    def printed(self, *arguments):
        finished = self.run_program(*arguments)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        return finished.stdout

    def test_the_program_lists_its_commands(self):
        text = self.printed("--help")
        for command in COMMANDS:
            self.assertRegex(text, rf"(?m)^  {command} ")

    def test_every_help_has_examples_and_exit_statuses(self):
        for arguments in [("--help",), ("-h",)] + [(command, "--help") for command in COMMANDS]:
            with self.subTest(arguments):
                text = self.printed(*arguments)
                self.assertRegex(text, r"(?m)^Examples:\n  tideline ")
                self.assertIn("Exit status:\n  0  ", text)
                for status in range(5):
                    self.assertRegex(text, rf"(?m)^  {status}  \w")

    def test_every_option_is_explained(self):
        for command, options in OPTIONS.items():
            text = self.printed(command, "--help")
            for option in options:
                with self.subTest(f"{command} {option}"):
                    self.assertRegex(text, rf"(?m)^  (-h,)?{option}\b")

    def test_help_beats_what_is_missing_or_wrong(self):
        self.assertIn("Exit status:", self.printed("check", "--engine", "nonsense", "--help"))

    def test_examples_use_only_options_that_exist(self):
        for command, options in OPTIONS.items():
            for line in re.findall(r"(?m)^  tideline " + command + r" .*$", self.printed(command, "--help")):
                for option in re.findall(r"--[a-z]+", line):
                    self.assertIn(option, options, line)

    def test_the_version(self):
        self.assertRegex(self.printed("--version"), r"^tideline \d+\.\d+\.\d+\n$")
