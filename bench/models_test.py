"""The models of models.py have the states and the steps that SPIN has of its own: as many as bench/pairs.csv says, which SPIN reported.

The binary comes from the variable TIDELINE_BINARY. By hand, in this folder:

  TIDELINE_BINARY=../build/release/tideline python3 -m unittest models_test
"""

import csv
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import models

BINARY = str(Path(os.environ.get("TIDELINE_BINARY", "../build/release/tideline")).resolve())
PAIRS = Path(__file__).resolve().parent / "pairs.csv"


def pairs(use):
    with open(PAIRS, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["use"] == use:
                parameters = {name: int(value) for name, value in (text.split("=") for text in row["parameters"].split())}
                yield row["model"], parameters, int(row["spin_states"]), int(row["spin_transitions"])


def explore(text):
    """The finished run on a model, and its figures."""
    with tempfile.TemporaryDirectory(prefix="tideline-bench-") as folder:
        path = Path(folder) / "model.dve"
        path.write_text(text, encoding="utf-8")
        command = [BINARY, "explore", str(path), "--json", "-", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return done, json.loads(done.stdout)


class Models(unittest.TestCase):
    def test_states_and_transitions_are_those_of_spin(self):
        tested = set()
        for name, parameters, states, transitions in pairs("test"):
            with self.subTest(name, **parameters):
                done, figures = explore(models.model(name, parameters))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                # SPIN counts the initial state as a transition too.
                self.assertEqual((figures["states"], figures["transitions"]), (states, transitions - 1))
                # Only the leader election ends.
                self.assertEqual(figures["deadlocks"], 1 if name == "leader" else 0)
                tested.add(name)
        self.assertEqual(tested, models.MODELS.keys())

    def test_what_is_measured_are_the_same_models(self):
        self.assertEqual({name for name, _, _, _ in pairs("bench")}, models.MODELS.keys())

    def test_an_assertion_that_fails_is_reported(self):
        # Without its turn to wait for, a process meets others in the critical section.
        text = models.model("peterson", {"N": 2})
        broken = text.replace("or last[j] != 0", "or true")
        self.assertNotEqual(broken, text)
        done, figures = explore(broken)
        self.assertEqual(done.returncode, 1)
        self.assertEqual({fault["kind"] for fault in figures["faults"]}, {"division"})

    def test_a_parameter_that_a_model_lacks_is_refused(self):
        with self.assertRaisesRegex(ValueError, "phils has no parameter W"):
            models.model("phils", {"N": 3, "W": 2})


if __name__ == "__main__":
    unittest.main()
