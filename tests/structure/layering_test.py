"""The layers of the program: docs/index.md lists every folder of src/ in order, a folder includes only folders above it, and its line in
src/CMakeLists.txt names exactly what it includes. By hand, in this folder: python3 -m unittest layering_test
"""

import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
KEYWORDS = {"USES", "LINKS", "TEST_USES"}


def folders_of_page(page):
    """The folders of the table in docs/index.md, in its order. A row may name several."""
    rows = [line.split("|")[1] for line in page.splitlines() if re.match(r"\|\s*`\w+/`", line)]
    return [name for row in rows for name in re.findall(r"`(\w+)/`", row)]


def folders_of_build(text):
    """Of each tideline_folder(NAME USES ... LINKS ... TEST_USES ...), in order: name, what it uses, what its tests use besides."""
    text = re.sub(r"#.*", "", text)
    folders = {}
    for call in re.findall(r"\btideline_folder\(([^)]*)\)", text):
        name, *words = call.split()
        lists = {keyword: [] for keyword in KEYWORDS}
        current = None
        for word in words:
            if word in KEYWORDS:
                current = lists[word]
            elif current is not None:
                current.append(word)
        folders[name] = (lists["USES"], lists["TEST_USES"])
    return folders


def is_for_tests(path, text):
    """Test programs, and headers that only they include: these say so in what they include themselves, or in their first lines."""
    return path.name.endswith("_test.cpp") or path.suffix == ".hpp" and ('<gtest/' in text or text.startswith("// For tests:"))


def faults_of(root):
    """What is wrong with the layers of a tree, a sentence each."""
    source = root / "src"
    existing = sorted(path.name for path in source.iterdir() if path.is_dir())
    listed = folders_of_page((root / "docs/index.md").read_text(encoding="utf-8"))
    built = folders_of_build((source / "CMakeLists.txt").read_text(encoding="utf-8"))
    faults = [f"docs/index.md does not list src/{name}/" for name in existing if name not in listed]
    faults += [f"docs/index.md lists {name}/, which src/ does not have" for name in listed if name not in existing]
    faults += [f"docs/index.md lists {name}/ twice" for name in sorted(set(listed)) if listed.count(name) > 1]
    faults += [f"src/CMakeLists.txt does not build src/{name}/" for name in existing if name not in built]
    if not faults and listed != list(built):
        faults.append(f"docs/index.md has the order {' '.join(listed)}, src/CMakeLists.txt {' '.join(built)}")
    if faults:
        return faults

    for name in existing:
        uses, test_uses = built[name]
        above = listed[: listed.index(name)]
        faults += [f"{name}/ uses {other}/, which is not above it" for other in uses + test_uses if other not in above]
        included, included_by_tests = set(), set()
        for path in sorted((source / name).rglob("*.[ch]pp")):
            text = path.read_text(encoding="utf-8")
            place = path.relative_to(source).as_posix()
            for_tests = is_for_tests(path, text)
            for include in INCLUDE.findall(text):
                if not (source / include).is_file():
                    faults.append(f'{place} includes "{include}", which src/ does not have')
                    continue
                other = include.split("/")[0]
                if other == name:
                    continue
                (included_by_tests if for_tests else included).add(other)
                if other not in above:
                    faults.append(f'{place} includes "{include}", which is not above it')
                elif other not in uses and not (for_tests and other in test_uses):
                    faults.append(f'{place} includes "{include}"; {"TEST_USES" if for_tests else "USES"} of {name} lacks {other}')
        faults += [f"{name} USES {other} and does not include it" for other in uses if other not in included]
        faults += [f"{name} TEST_USES {other} and no test of it includes it" for other in test_uses if other not in included_by_tests]
    return faults


class LayeringTest(unittest.TestCase):
    def test_every_folder_includes_only_what_it_uses_and_only_what_is_above_it(self):
        self.assertEqual([], faults_of(ROOT))

    def test_there_is_something_to_look_at(self):
        self.assertGreater(len(folders_of_page((ROOT / "docs/index.md").read_text(encoding="utf-8"))), 10)
        self.assertGreater(len(list((ROOT / "src").rglob("*.hpp"))), 100)


class PlantedFaultsTest(unittest.TestCase):
    """A small tree without a fault, and the same with one fault each."""

    TREE = {
        "docs/index.md": "| folder | what |\n| --- | --- |\n| `base/` | a |\n| `middle/`, `other/` | b |\n| `top/` | c |\n",
        "src/CMakeLists.txt": "tideline_folder(base)\ntideline_folder(middle USES base LINKS fmt::fmt)\ntideline_folder(other TEST_USES base)\n"
                              "tideline_folder(top USES base middle)\n",
        "src/base/base.hpp": "#include <string>\n",
        "src/middle/middle.cpp": '#include "base/base.hpp"\n',
        "src/middle/middle.hpp": '#include "middle/part/part.hpp"\n',
        "src/middle/part/part.hpp": "\n",
        "src/other/other_test.cpp": '#include "base/base.hpp"\n',
        "src/top/top.hpp": '#include "base/base.hpp"\n#include "middle/middle.hpp"\n',
    }

    def faults(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in {**self.TREE, **changes}.items():
                if text is None:
                    continue
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return faults_of(root)

    def with_cmake(self, old, new):
        text = self.TREE["src/CMakeLists.txt"]
        self.assertIn(old, text)
        return {"src/CMakeLists.txt": text.replace(old, new)}

    def with_page(self, old, new):
        text = self.TREE["docs/index.md"]
        self.assertIn(old, text)
        return {"docs/index.md": text.replace(old, new)}

    def assert_found(self, sentence, changes):
        self.assertTrue(any(sentence in fault for fault in self.faults(changes)), self.faults(changes))

    def test_none_where_there_is_none(self):
        self.assertEqual([], self.faults({}))

    def test_an_include_of_a_folder_below(self):
        self.assert_found("which is not above it", {"src/base/base.hpp": '#include "top/top.hpp"\n'})

    def test_an_include_of_a_folder_beside(self):
        self.assert_found("USES of top lacks other", {"src/top/top.cpp": '#include "other/other.hpp"\n', "src/other/other.hpp": "\n"})

    def test_an_include_in_a_test_that_only_tests_may_use(self):
        self.assert_found("USES of other lacks base", {"src/other/other.cpp": '#include "base/base.hpp"\n'})

    def test_an_include_of_nothing(self):
        self.assert_found("which src/ does not have", {"src/top/top.cpp": '#include "base/none.hpp"\n'})

    def test_a_folder_that_is_used_and_not_included(self):
        self.assert_found("top USES other and does not include it", self.with_cmake("USES base middle", "USES base middle other"))

    def test_a_folder_that_tests_use_and_do_not_include(self):
        self.assert_found("top TEST_USES other", self.with_cmake("USES base middle", "USES base middle TEST_USES other"))

    def test_a_folder_that_is_used_and_not_above(self):
        self.assert_found("middle/ uses top/", self.with_cmake("middle USES base", "middle USES base top"))

    def test_a_folder_that_is_not_listed(self):
        self.assert_found("does not list src/top/", self.with_page("| `top/` | c |\n", ""))

    def test_a_folder_that_is_gone(self):
        self.assert_found("which src/ does not have", self.with_page("`top/`", "`top/`, `gone/`"))

    def test_a_folder_that_is_listed_twice(self):
        self.assert_found("lists base/ twice", self.with_page("`top/`", "`top/`, `base/`"))

    def test_a_folder_that_is_not_built(self):
        self.assert_found("does not build src/other/", self.with_cmake("tideline_folder(other TEST_USES base)\n", ""))

    def test_an_order_that_is_not_that_of_the_page(self):
        self.assert_found("has the order", self.with_page("`middle/`, `other/`", "`other/`, `middle/`"))


if __name__ == "__main__":
    unittest.main()
