"""Links in documents lead somewhere: every relative link of the README, of CONTRIBUTING, CHANGELOG, docs/ and the READMEs of tests/ names a file
or folder of this tree, and every anchor a heading. By hand, in this folder: python3 -m unittest links_test
"""

import re
import tempfile
import unittest
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^\s*(```|~~~)")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s+\".*\")?\s*$")


def documents(root):
    found = [path for path in root.glob("*.md")]
    for folder in ("docs", "tests", "examples", "bench"):
        found += (root / folder).rglob("*.md")
    return sorted(found)


def prose(text):
    """The lines of a document with their numbers, without blocks of code and without code within lines."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif not fence:
            yield number, line


def anchors(text):
    """The names that headings get: small letters, no punctuation, blanks as hyphens, a number behind what comes again."""
    names = set(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", text))
    for _, line in prose(text):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        unique, count = name, 0
        while unique in names:
            count += 1
            unique = f"{name}-{count}"
        names.add(unique)
    return names


def links(text):
    for number, line in prose(text):
        plain = re.sub(r"(`+)(.*?)\1", lambda code: "x" * len(code[0]), line)
        for target in LINK.findall(plain):
            yield number, target
        reference = REFERENCE.match(plain)
        if reference:
            yield number, reference[1]


def faults_of(root):
    """Links that lead nowhere, a sentence each."""
    faults = []
    for document in documents(root):
        text = document.read_text(encoding="utf-8")
        for number, target in links(text):
            if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
                continue
            place = f"{document.relative_to(root).as_posix()}:{number}"
            name, _, anchor = unquote(target).partition("#")
            path = (document.parent / name).resolve() if name else document
            if name.startswith("/") or not path.is_relative_to(root.resolve()):
                faults.append(f"{place}: {target} leads out of this tree")
            elif not path.exists():
                faults.append(f"{place}: {target} does not exist")
            elif anchor and (path.suffix != ".md" or anchor not in anchors(path.read_text(encoding="utf-8"))):
                faults.append(f"{place}: {target} names no heading")
    return faults


class LinksTest(unittest.TestCase):
    def test_every_link_leads_to_a_file_and_every_anchor_to_a_heading(self):
        self.assertEqual([], faults_of(ROOT))

    def test_there_is_something_to_look_at(self):
        self.assertGreater(sum(len(list(links(path.read_text(encoding="utf-8")))) for path in documents(ROOT)), 50)


class PlantedFaultsTest(unittest.TestCase):
    TREE = {
        "README.md": "See [the manual](docs/manual.md#limits--time), [docs](docs) and [the web](https://example.org/none.md).\n"
                     "```\n[no link](none.md)\n```\nNor is `[this](none.md)`. [One (with brackets)](docs/a(b).md \"title\").\n",
        "docs/manual.md": "# Manual\n\n## Limits & time\n\n[up](../README.md), [above](#manual), [again](#manual-1)\n\n# Manual\n\n[x]: a(b).md\n",
        "docs/a(b).md": "text\n",
    }

    def faults(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, contents in {**self.TREE, **({name: text} if name else {})}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(contents, encoding="utf-8")
            return faults_of(root)

    def test_none_where_there_is_none(self):
        self.assertEqual([], self.faults(None, None))

    def test_a_file_that_does_not_exist(self):
        self.assertEqual(["docs/new.md:2: ../none.md does not exist"], self.faults("docs/new.md", "\n[a](../none.md)\n"))

    def test_an_anchor_without_a_heading(self):
        self.assertEqual(["docs/new.md:1: manual.md#limit names no heading"], self.faults("docs/new.md", "[a](manual.md#limit)\n"))
        self.assertEqual(["docs/new.md:1: #top names no heading"], self.faults("docs/new.md", "[a](#top)\n"))

    def test_a_heading_within_code(self):
        self.assertEqual(["docs/new.md:1: #top names no heading"], self.faults("docs/new.md", "[a](#top)\n```\n# Top\n```\n"))

    def test_a_picture_and_a_reference(self):
        self.assertEqual(["docs/new.md:1: a.svg does not exist", "docs/new.md:2: b.md does not exist"],
                         self.faults("docs/new.md", "![a](a.svg)\n[b]: b.md\n"))

    def test_a_link_out_of_the_tree(self):
        self.assertEqual(["docs/new.md:1: ../../out.md leads out of this tree"], self.faults("docs/new.md", "[a](../../out.md)\n"))

    def test_two_links_in_a_line(self):
        self.assertEqual(2, len(self.faults("README.md", "[a](b) and [c [d]](e)\n")))


if __name__ == "__main__":
    unittest.main()
