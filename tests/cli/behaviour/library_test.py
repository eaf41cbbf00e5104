"""Tideline as a library: the example program that links it.

The program comes from the variable CHECK_INVARIANT.
"""

import os
import subprocess
import unittest
from pathlib import Path

from program import EXAMPLES, PATIENCE, ROOT, ProgramTest, environment

CHECK_INVARIANT = str(Path(os.environ.get("CHECK_INVARIANT", ROOT / "build" / "release" / "examples" / "check_invariant")).resolve())


class LibraryTest(ProgramTest):
    def check(self, *arguments):
        return subprocess.run([CHECK_INVARIANT, *map(str, arguments)], cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, encoding="utf-8")

    def test_an_invariant_that_holds(self):
        finished = self.check(EXAMPLES / "peterson.dve", "not (P0.critical and P1.critical)")
        self.assertEqual((finished.returncode, finished.stdout, finished.stderr), (0, "holds\n", ""))

    def test_an_invariant_that_is_violated_comes_with_the_run(self):
        finished = self.check(EXAMPLES / "peterson.dve", "not P0.critical")
        self.assertEqual((finished.returncode, finished.stderr), (1, ""))
        lines = finished.stdout.splitlines()
        self.assertEqual(lines[:2], ["violated", " 0  initial state"])
        self.assertIn("P0: waiting -> critical", lines[-1])

    def test_mistakes_are_told_with_their_place(self):
        finished = self.check(EXAMPLES / "peterson.dve", "P0.critcal")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("error: process P0 has no location or variable 'critcal'", finished.stderr)
        self.assertIn("did you mean 'critical'?", finished.stderr)
        self.assertIn("nothing.dve", self.check("nothing.dve", "true").stderr)


if __name__ == "__main__":
    unittest.main()
