"""What belongs to the process belongs to the program: the library below src/cli/ installs no signal handlers, reads no environment, does not change
the directory. Otherwise two checkers could not run in one process. By hand, in this folder: python3 -m unittest process_test
"""

import re
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
FORBIDDEN = re.compile(r"\b(getenv|secure_getenv|setenv|putenv|sigaction|sigprocmask|pthread_sigmask|std::signal|chdir|fchdir|fs::current_path|filesystem::current_path|Interrupt)\b\s*[({]|\bInterrupt \w+;")
# Only the program uses these.
TOOLS = {"support/signals.hpp", "support/signals.cpp"}


class ProcessTest(unittest.TestCase):
    def test_the_library_leaves_the_process_alone(self):
        files = 0
        for path in sorted(SOURCE.rglob("*.[ch]pp")):
            name = path.relative_to(SOURCE).as_posix()
            if name.startswith("cli/") or name in TOOLS or name.endswith("_test.cpp") or is_for_tests(path):
                continue
            files += 1
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                with self.subTest(f"{name}:{number}"):
                    self.assertIsNone(FORBIDDEN.search(line.split("//")[0]), line)
        self.assertGreater(files, 100)


def is_for_tests(path):
    """Headers that only tests include say so in what they include themselves, or in their first lines."""
    text = path.read_text(encoding="utf-8")
    return path.suffix == ".hpp" and ("<gtest/gtest.h>" in text or text.startswith("// For tests:"))


if __name__ == "__main__":
    unittest.main()
