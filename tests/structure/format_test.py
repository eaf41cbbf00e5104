"""Every C and C++ file is laid out as clang-format lays it out (.clang-format, version 19). By hand, in this folder:
python3 -m unittest format_test; `make format` lays everything out.
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = 19
SUFFIXES = {".c", ".h", ".cpp", ".hpp"}


def program():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        path = shutil.which(name)
        if path and re.search(rf"version {VERSION}\.", subprocess.run([path, "--version"], capture_output=True, text=True).stdout):
            return path
    raise RuntimeError(f"clang-format {VERSION} is not there: `make setup` installs it")


def sources(root):
    return sorted(path for folder in ("src", "tests", "examples", "bench", "cmake") for path in (root / folder).rglob("*") if path.suffix in SUFFIXES)


def complaints(files):
    """The complaints about these files; empty where they are laid out."""

    def check(part):
        call = [program(), "--dry-run", "-Werror", f"--style=file:{ROOT / '.clang-format'}", *map(str, part)]
        done = subprocess.run(call, capture_output=True, text=True)
        return done.stderr or f"{call[0]} ends with {done.returncode}\n" if done.returncode else ""

    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        return "".join(pool.map(check, [part for part in (files[i::4 * workers] for i in range(4 * workers)) if part]))


class FormatTest(unittest.TestCase):
    def test_every_file_is_laid_out(self):
        files = sources(ROOT)
        self.assertGreater(len(files), 300)
        found = complaints(files)
        names = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", found, re.MULTILINE)))
        self.assertEqual("", found, f"\n{len(names)} files are not laid out; `make format` does it: {' '.join(names)}")


class PlantedFaultsTest(unittest.TestCase):
    def complaint(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "planted.cpp"
            path.write_text(text, encoding="utf-8")
            return complaints([path])

    def test_none_where_there_is_none(self):
        self.assertEqual("", self.complaint("int main() { return 0; }\n"))

    def test_a_blank_too_many(self):
        self.assertIn("planted.cpp:1", self.complaint("int main() { return  0; }\n"))

    def test_a_line_that_is_too_long(self):
        line = "int main() { return " + " + ".join(["1000"] * 20) + "; }\n"
        self.assertGreater(len(line), 120)
        self.assertIn("planted.cpp:1", self.complaint(line))


if __name__ == "__main__":
    unittest.main()
