#!/usr/bin/env python3
"""The commands that the documents show, run, and what they print beside what stands there.

In a fenced block without a language, a line that begins with "$ " is a command, and the lines up to the next one are what it prints. The
commands of a document run one after the other in one place that looks like the root of the repository after a build. Times, sizes in memory
and numbers of threads differ from run to run and are not compared.

  TIDELINE_BINARY=build/release/tideline tests/cli/documents.py --update [FILE...]   writes what is printed now into the documents
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from program import BINARY, ROOT  # noqa: E402

DOCUMENTS = ("README.md", "docs/manual.md", "docs/tutorial.md")
VOLATILE = re.compile(r"^(time|memory|  compiling|  measure|ledger|search|stopped) .*$")
THREADS = re.compile(r", \d+ threads")
FIGURES = re.compile(r'("(?:seconds|[a-z_]*seconds|peak_rss_bytes|threads|version)": )[^,\n]+')


def same(line):
    """A line without what differs from run to run."""
    found = VOLATILE.match(line)
    return found[1] if found else FIGURES.sub(r"\1", THREADS.sub("", line)).rstrip()


class Command:
    def __init__(self, text, line):
        self.text, self.line, self.expected = text, line, []


def commands_of(text):
    """The commands of a document; `line` is the index of the first line of the output."""
    result, fenced, inside, current = [], False, False, None
    for number, line in enumerate(text.split("\n")):
        if line.startswith("```"):
            fenced = not fenced
            inside = fenced and line.strip() == "```"
            current = None
        elif inside and line.startswith("$ "):
            current = Command(line[2:], number + 1)
            result.append(current)
        elif inside and current:
            current.expected.append(line)
    return result


class Place:
    """A folder like the root of the repository after a build, and one in the place of /tmp."""

    def __init__(self, folder):
        self.root, self.tmp = Path(folder) / "root", Path(folder) / "tmp"
        for path in (self.root / "build", self.tmp):
            path.mkdir(parents=True)
        for name in ("examples", "tests", "docs"):
            (self.root / name).symlink_to(ROOT / name)
        (self.root / "build" / "release").symlink_to(Path(BINARY).parent)
        self.environment = {**os.environ, "PATH": f"{Path(BINARY).parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "TMPDIR": str(self.tmp)}
        self.environment.pop("NO_COLOR", None)
        self.status = 0

    def run(self, command):
        text = command.replace("/tmp/", f"{self.tmp}/")
        if text == "echo $?":
            return [str(self.status)]
        finished = subprocess.run(["bash", "-c", text], cwd=self.root, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=120, encoding="utf-8")
        self.status = finished.returncode
        lines = finished.stdout.replace(f"{self.tmp}/", "/tmp/").split("\n")
        return lines[:-1] if lines[-1] == "" else lines


def differences(path, with_new=False):
    """For each command of a document that prints something else: its line, the command, what stands there, what it prints. With `with_new` also
    those beside which nothing stands yet."""
    result = []
    with tempfile.TemporaryDirectory(prefix="tideline-documents-") as folder:
        place = Place(folder)
        for command in commands_of(path.read_text(encoding="utf-8")):
            printed = place.run(command.text)
            if place.status == 127:
                result.append((command.line, command.text, command.expected, command.expected or ["(the program is missing)"]))
            elif "--memory" in command.text or "--time" in command.text:
                continue  # how far a search comes within a limit differs
            elif (command.expected or with_new) and list(map(same, command.expected)) != list(map(same, printed)):
                result.append((command.line, command.text, command.expected, printed))
    return result


def update(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    for line, _, expected, printed in reversed(differences(path, with_new=True)):
        if "(the program is missing)" not in printed:
            lines[line:line + len(expected)] = printed
    path.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--update"] or DOCUMENTS
    for each in names:
        if "--update" in sys.argv:
            update(ROOT / each)
        for found in differences(ROOT / each):
            print(each, *found[:2], "\n".join(found[3]), sep="\n")
