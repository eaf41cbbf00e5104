"""Runs the program under test.

The binary comes from the variable TIDELINE_BINARY. By hand, in this folder:

  TIDELINE_BINARY=../../build/release/tideline python3 -m unittest bad_input.syntax_test
"""

import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

BINARY = str(Path(os.environ.get("TIDELINE_BINARY", "../../build/release/tideline")).resolve())
ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "tests" / "models"
EXAMPLES = ROOT / "examples"
PATIENCE = 60  # seconds; no run of these tests takes long


def environment(**changes):
    """A plain environment: no colour, no UTF-8, whatever the caller's is."""
    result = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LANG", "LC_CTYPE", "TERM")}
    result["LC_ALL"] = "C"
    result.update(changes)
    return result


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tideline-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def environment(self, **changes):
        """What a run leaves in a temporary place goes with the test."""
        return environment(**{"TMPDIR": str(self.folder), **changes})

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def run_program(self, *arguments, **changes):
        """The finished run, with .returncode, .stdout and .stderr as text."""
        return subprocess.run(
            [BINARY, *map(str, arguments)], cwd=self.folder, env=self.environment(**changes), stdin=subprocess.DEVNULL,
            capture_output=True, timeout=PATIENCE, encoding="utf-8", errors="backslashreplace")

    def start_program(self, *arguments, **options):
        """A run in the background; it is ended with the test at the latest."""
        process = subprocess.Popen(
            [BINARY, *map(str, arguments)], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8", **options})
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def counters(processes=12, limit=200):
    """A model with (limit + 1) ** processes states, more than any run of these tests can visit, and no deadlock."""
    text = ""
    for number in range(processes):
        text += (f"process P{number} {{\n  byte x;\n  state run;\n  init run;\n"
                 f"  trans\n    run -> run {{ guard x < {limit}; effect x = x + 1; }},\n"
                 f"    run -> run {{ guard x == {limit}; effect x = 0; }};\n}}\n")
    return text + "system async;\n"
