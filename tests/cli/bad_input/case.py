"""What a wrong input must lead to: exit status 2, nothing on standard output, and exactly one message.

A case marks in its text, with ⟦ and ⟧, what the carets of the message must stand under. The marks are taken out
before the text is given to the program; the line, the column, the excerpt and the carets follow from them.
"""

from dataclasses import dataclass, field

from program import ProgramTest

OPEN, CLOSE = "⟦", "⟧"


@dataclass
class Case:
    name: str
    text: str                    # of the model (of the expression, in expression cases), with the marks
    message: str
    hint: str = ""
    file: str = "model.dve"
    arguments: tuple = ("explore",)
    more: list = field(default_factory=list)  # further (message, hint): the text has a pair of marks for each, in order


def unmarked(text):
    return text.replace(OPEN, "").replace(CLOSE, "")


def marked_places(text):
    """For each pair of marks: line and column (in characters, from 1 on), the line, the carets under it."""
    places = []
    start = 0
    while (begin := text.find(OPEN, start)) >= 0:
        end = text.index(CLOSE, begin)
        before = unmarked(text[:begin])
        line_start = before.rfind("\n") + 1
        column = len(before) - line_start
        line = unmarked(text)[line_start:].split("\n", 1)[0].rstrip("\r").replace("\0", "?")
        marked = unmarked(text[begin:end]).split("\n", 1)[0]
        lead = "".join("\t" if c == "\t" else " " for c in line[:column])
        places.append((before.count("\n") + 1, column + 1, line, lead + "^" * max(len(marked), 1)))
        start = end + 1
    return places


def expected_text(file, text, messages):
    """What the program must print about a marked text."""
    result = ""
    for (line, column, excerpt, carets), (message, hint) in zip(marked_places(text), messages, strict=True):
        result += f"{file}:{line}:{column}: error: {message}\n  {excerpt}\n  {carets}\n"
        result += f"  {hint}\n" if hint else ""
    return result


class BadInputTest(ProgramTest):
    def expect_refusal(self, finished, expected):
        self.assertEqual(finished.stderr, expected)
        self.assertEqual(finished.stdout, "")
        self.assertEqual(finished.returncode, 2)

    def check_model(self, case):
        self.write(case.file, unmarked(case.text))
        command, *options = case.arguments
        finished = self.run_program(command, case.file, *options)
        messages = [(case.message, case.hint), *case.more]
        self.expect_refusal(finished, expected_text(case.file, case.text, messages))


def tests_for(cases, check):
    """A class of tests, one for each case, by its name."""
    methods = {}
    for case in cases:
        name = "test_" + "".join(c if c.isalnum() else "_" for c in case.name)
        assert name not in methods, f"two cases are called {case.name}"
        methods[name] = lambda self, case=case: check(self, case)
    return type("Cases", (BadInputTest,), methods)
