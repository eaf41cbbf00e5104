"""Systems written in C++: each has the whole command line, options of its own, and the names that it describes.

The programs come from the variables STOP_AND_WAIT and TWO_PHASE_COMMIT.
"""

import json
import os
import shutil
import subprocess
import unittest
from pathlib import Path

from program import BINARY, PATIENCE, ROOT, ProgramTest, environment

BUILT = ROOT / "build" / "release" / "examples"
STOP_AND_WAIT = str(Path(os.environ.get("STOP_AND_WAIT", BUILT / "stop_and_wait")).resolve())
TWO_PHASE_COMMIT = str(Path(os.environ.get("TWO_PHASE_COMMIT", BUILT / "two_phase_commit")).resolve())


class CppTest(ProgramTest):
    def run_system(self, system, *arguments):
        return subprocess.run([system, *map(str, arguments)], cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, encoding="utf-8")

    def report(self, system, *arguments, status=0):
        finished = self.run_system(system, *arguments, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def refused(self, system, *arguments):
        finished = self.run_system(system, *arguments)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        return finished.stderr


class SearchTest(CppTest):
    def test_all_engines_visit_the_same_states(self):
        full = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--engine", "bfs")
        self.assertEqual((full["engine"], full["sweeps"], full["model"]["format"]), ("bfs", 0, "c++"))
        for options in ([], ["--engine", "dfs"], ["--engine", "sweep"], ["--engine", "sweep-basic"], ["--progress", "n, k"],
                        ["--progress", "n + k"], ["--engine", "sweep-basic", "--progress", "n+k"]):
            with self.subTest(options):
                report = self.report(STOP_AND_WAIT, "explore", "--packets", 4, *options)
                for name in ("complete", "states", "transitions", "deadlocks"):
                    self.assertEqual(report[name], full[name])

    def test_formulas_are_checked_and_their_products_explored(self):
        arguments = ("--packets", 3, "--ltl")
        self.assertEqual(self.report(STOP_AND_WAIT, "check", *arguments, "G {n >= k || n + 1 == k}")["properties"][0]["verdict"], "holds")
        # The network may lose packets for ever, or everything arrives and nothing is left to do.
        cycle = self.report(STOP_AND_WAIT, "check", *arguments, "F {k == 3}", status=1)["properties"][0]["trace"]
        self.assertGreater(len(cycle["states"]), cycle["loop"] + 1)
        stuck = self.report(STOP_AND_WAIT, "check", *arguments, "F G !{n == 3} || G F {k == 0}", status=1)["properties"][0]["trace"]
        self.assertIn("loop", stuck)
        plain = self.report(STOP_AND_WAIT, "explore", *arguments, "F {k == 3}")
        for options in (["--engine", "dfs"], ["--engine", "sweep"], ["--threads", 2]):
            report = self.report(STOP_AND_WAIT, "explore", *arguments, "F {k == 3}", *options)
            for name in ("states", "transitions", "deadlocks"):
                self.assertEqual(report[name], plain[name])

    def test_a_measure_with_a_comparison(self):
        full = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--engine", "bfs")
        swept = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--progress", "(n == 3)")
        self.assertEqual((swept["states"], swept["layers"]), (full["states"], 2))

    def test_its_own_measure_is_the_one_that_is_reported(self):
        reported = self.report(STOP_AND_WAIT, "progress", "--packets", 4)
        used = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--engine", "sweep")
        self.assertEqual((reported["source"], reported["measures"][0]["components"]), ("model", used["progress"]["components"]))
        self.assertEqual(reported["measures"][0]["layers"], used["layers"])
        self.assertAlmostEqual(reported["measures"][0]["peak_share"], used["peak_states"] / used["states"])

    def test_an_option_in_place_of_a_value(self):
        self.assertIn("--packets needs a value, found '--deadlock'", self.refused(STOP_AND_WAIT, "check", "--packets", "--deadlock"))

    def test_its_own_measure_and_a_given_one(self):
        own = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--engine", "sweep-basic")
        self.assertEqual(own["progress"], {"source": "user", "monotonic": "proven", "components": ["progress[0]", "progress[1]"], "predicted_share": None})
        given = self.report(STOP_AND_WAIT, "explore", "--packets", 4, "--engine", "sweep-basic", "--progress", "n, k")
        self.assertEqual(given["progress"]["components"], ["n", "k"])
        for name in ("layers", "peak_states", "sweep_details"):
            self.assertEqual(given[name], own[name])

    def test_a_measure_that_is_not_monotonic(self):
        exact = self.report(TWO_PHASE_COMMIT, "explore", "--engine", "sweep")
        self.assertEqual((exact["progress"]["monotonic"], exact["states"], exact["expanded"]), ("refuted", 19, 19))
        report = self.report(TWO_PHASE_COMMIT, "explore", "--engine", "sweep", "--ledger", "none")
        self.assertEqual((report["progress"]["monotonic"], report["states"]), ("refuted", None))
        errors = self.refused(TWO_PHASE_COMMIT, "explore", "--engine", "sweep-basic")
        self.assertIn("the measure is not monotonic: this step goes from progress[0] = 2 to progress[0] = 0\n", errors)

    def test_measures_over_the_described_names(self):
        report = self.report(TWO_PHASE_COMMIT, "explore", "--progress", "coordinator + worker[1]")
        self.assertTrue(report["complete"])
        self.assertIn("unknown name 'worker_1'", self.refused(TWO_PHASE_COMMIT, "explore", "--progress", "worker_1"))
        self.assertIn("needs a progress measure", self.refused(TWO_PHASE_COMMIT, "explore", "--engine", "sweep", "--progress", "none"))
        errors = self.refused(TWO_PHASE_COMMIT, "explore", "--progress", "1 / (1 - coordinator)")
        self.assertIn("the measure cannot be evaluated in the last of these states\n", errors)


class AuditTest(CppTest):
    def audited(self, system, ledger, status=0):
        finished = self.run_system(system, "audit", ledger)
        self.assertEqual((finished.returncode, finished.stderr), (status, ""), finished.stdout)
        return finished.stdout

    def test_a_run_is_confirmed_by_the_systems_own_code(self):
        runs = {"sweep": (), "bfs": ("--engine", "bfs", "--threads", 2), "product": ("--ltl", "G F {n == 1}")}
        for name, options in runs.items():
            for record, with_what in (("tree", ""), ("edges", " with its steps,")):
                with self.subTest(name, record=record):
                    ledger = f"{name}-{record}"
                    report = self.report(STOP_AND_WAIT, "explore", "--packets", 3, *options, "--ledger", ledger, "--record", record)
                    text = self.audited(STOP_AND_WAIT, ledger)
                    self.assertIn(f"CONFIRMED   every reachable state is in the ledger, once,{with_what} and the figures are right\n", text)
                    for figure in ("states", "transitions", "deadlocks"):
                        self.assertRegex(text, rf"(?m)^{figure} +{report[figure]}$")

    def test_invariants_are_evaluated_again(self):
        self.report(STOP_AND_WAIT, "check", "--packets", 3, "--invariant", "n <= k", "--invariant", "n == 0", "--engine", "sweep", "--ledger", "run", "--record", "labels", status=1)
        text = self.audited(STOP_AND_WAIT, "run")
        self.assertIn("with its labels,", text)
        self.assertIn("invariant n <= k: not violated in ", text)
        self.assertIn("invariant n == 0: violated in ", text)

    def test_another_program_confirms_nothing(self):
        self.report(STOP_AND_WAIT, "explore", "--engine", "bfs", "--ledger", "run", "--packets", 3)
        self.assertIn("the program has other options than when the run began", self.refused(TWO_PHASE_COMMIT, "audit", "run"))
        other = self.folder / "other"
        shutil.copy(STOP_AND_WAIT, other)
        with open(other, "ab") as file:
            file.write(b"another build")
        self.assertIn("is not the model that was explored", self.audited(str(other), "run", status=1))
        self.assertIn("unknown option '--model'", self.refused(STOP_AND_WAIT, "audit", "run", "--model", "x"))


class ResumeTest(CppTest):
    def interrupted(self, program):
        report = self.report(program, "explore", "--packets", 6, "--engine", "sweep", "--ledger", "run", "--states", 500, status=3)
        self.assertEqual((report["complete"], report["reason"]), (False, "states"))

    def test_a_run_is_resumed_with_the_options_it_began_with(self):
        whole = self.report(STOP_AND_WAIT, "explore", "--packets", 6, "--engine", "sweep")
        self.interrupted(STOP_AND_WAIT)
        resumed = self.report(STOP_AND_WAIT, "resume", "run")
        for name in ("complete", "states", "transitions", "deadlocks", "expanded"):
            self.assertEqual(resumed[name], whole[name])

    def test_another_program_does_not_resume_it(self):
        # The same code with another hash; found in the PATH, the name that it is called by is not a file.
        build = self.folder / "build"
        build.mkdir()
        other = build / "other"
        shutil.copy(STOP_AND_WAIT, other)
        with open(other, "ab") as file:
            file.write(b"another build")
        self.interrupted(STOP_AND_WAIT)
        self.assertIn("the model has changed since the run began", self.refused(str(other), "resume", "run"))
        self.assertIn("other options", self.refused(TWO_PHASE_COMMIT, "resume", "run"))
        self.assertIn("resume it with its own program", self.refused(BINARY, "resume", "run"))
        found = subprocess.run(["other", "explore", "--packets", "6", "--engine", "bfs", "--ledger", "second", "--states", "500", "--quiet"],
                               cwd=self.folder, env=environment(PATH=str(build)), capture_output=True, timeout=PATIENCE)
        self.assertEqual(found.returncode, 3)
        self.assertIn("the model has changed since the run began", self.refused(STOP_AND_WAIT, "resume", "second"))
        self.assertTrue(self.report(str(other), "resume", "second")["complete"])


class VerdictTest(CppTest):
    def test_invariants_and_deadlocks_by_every_engine(self):
        for engine in ("bfs", "dfs", "sweep", "sweep-basic"):
            with self.subTest(engine):
                report = self.report(STOP_AND_WAIT, "check", "--packets", 3, "--invariant", "n <= k", "--engine", engine)
                self.assertEqual(report["properties"][0]["verdict"], "holds")
                report = self.report(STOP_AND_WAIT, "check", "--packets", 3, "--invariant", "k < 3", "--engine", engine, status=1)
                states = report["properties"][0]["trace"]["states"]
                self.assertEqual(states[0]["n"], 0)
                self.assertEqual(states[-1]["k"], 3)

    def test_a_trace_shows_the_names_of_the_steps(self):
        finished = self.run_system(STOP_AND_WAIT, "check", "--deadlock", "--packets", 1, "--engine", "sweep", "--trace", "actions")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("carry acknowledgement", finished.stdout)

    def test_labels_are_names(self):
        report = self.report(STOP_AND_WAIT, "check", "--packets", 2, "--invariant", "not all_received", "--engine", "sweep", status=1)
        self.assertEqual(report["properties"][0]["trace"]["states"][-1]["all_received"], 1)

    def test_something_must_be_asked(self):
        self.assertIn("nothing to check", self.refused(STOP_AND_WAIT, "check"))


class CommandLineTest(CppTest):
    def test_help_shows_the_systems_own_options(self):
        for command in ("explore", "check"):
            finished = self.run_system(STOP_AND_WAIT, command, "--help")
            self.assertEqual(finished.returncode, 0)
            for text in ("--packets 1..250", "--capacity 1..8", "--second", "number of data packets", "stop_and_wait check --deadlock"):
                self.assertIn(text, finished.stdout)
            self.assertNotIn("model.dve", finished.stdout)

    def test_values_out_of_range(self):
        for value in ("0", "251", "-1", "abc", "99999999999999999999", "2.5"):
            with self.subTest(value):
                self.assertEqual(self.refused(STOP_AND_WAIT, "explore", f"--packets={value}"),
                                 f"tideline: error: --packets: unexpected value '{value}'\n  expected --packets 1..250\n")

    def test_values_that_are_missing_or_too_many(self):
        self.assertEqual(self.refused(STOP_AND_WAIT, "explore", "--packets"),
                         "tideline: error: --packets needs a value\n  expected --packets 1..250\n")
        self.assertIn("--packets is given more than once", self.refused(STOP_AND_WAIT, "explore", "--packets", 3, "--packets", 4))
        self.assertIn("--second takes no value", self.refused(STOP_AND_WAIT, "explore", "--second=3"))

    def test_unknown_options_and_commands(self):
        self.assertEqual(self.refused(STOP_AND_WAIT, "explore", "--pakets", 3),
                         "tideline: error: unknown option '--pakets'\n  did you mean '--packets'?\n")
        self.assertIn("it is an option of 'stop_and_wait check'", self.refused(STOP_AND_WAIT, "explore", "--deadlock"))
        self.assertIn("unknown command 'convert'", self.refused(STOP_AND_WAIT, "convert"))
        self.assertIn("unexpected argument 'model.dve'", self.refused(STOP_AND_WAIT, "explore", "model.dve"))
        self.assertIn("unknown option '--packets'", self.refused(TWO_PHASE_COMMIT, "explore", "--packets", 3))

    def test_options_of_a_system_change_it(self):
        small = self.report(STOP_AND_WAIT, "explore", "--packets", 2)
        large = self.report(STOP_AND_WAIT, "explore", "--packets", 3)
        self.assertLess(small["states"], large["states"])
        self.assertNotEqual(self.report(STOP_AND_WAIT, "explore", "--packets", 2, "--second")["states"], small["states"])


if __name__ == "__main__":
    unittest.main()
