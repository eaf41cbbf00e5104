"""--symmetry: figures of the commit protocol, runs in original names, refusals, resumption."""

import json
import subprocess
import sys
import unittest

from program import EXAMPLES, ProgramTest


class SymmetryTest(ProgramTest):
    def example(self, script, *arguments):
        path = self.folder / "m.dve"
        path.write_text(subprocess.run([sys.executable, str(EXAMPLES / f"{script}.py"), *map(str, arguments)], capture_output=True, text=True, check=True).stdout)
        return path

    def json_of(self, *arguments):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)

    def test_classes_layers_and_peaks_of_the_commit_protocol(self):
        sweep = "--engine", "sweep", "--ledger", "none", "--progress", "Coordinator"
        for workers, classes, peaks in ((2, 13, [9, 10]), (3, 21, [14, 15])):
            report = self.json_of("explore", self.example("two_phase_commit", workers), "--symmetry", "auto", *sweep)
            self.assertEqual(report["symmetry"]["states_are_classes"], True)
            self.assertEqual([sweep["peak_states"] for sweep in report["sweep_details"]], peaks)
            # What a sweep without a ledger visits in all its sweeps.
            self.assertEqual(report["expanded"], 2 * classes)

    def test_classes_grow_with_the_square_of_the_workers(self):
        for n in range(1, 9):
            report = self.json_of("explore", self.example("two_phase_commit", n), "--symmetry", "auto", "--engine", "bfs")
            self.assertEqual(report["states"], 1 + (n + 1) * (n + 2))

    def test_runs_are_runs_of_the_model(self):
        model = self.example("lock_manager", 3)
        finished = self.run_program("check", model, "--invariant", "not (Device0.using or Device1.using or Device2.using)", "--symmetry", "auto", "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        report = json.loads(finished.stdout)
        self.assertEqual(report["properties"][0]["verdict"], "violated")
        self.assertIsNotNone(report["properties"][0]["trace"])
        self.assertEqual(report["symmetry"]["order"], 6)
        self.assertEqual(report["symmetry"]["exchangeable"], [["Device0", "Device1", "Device2"]])

    def test_what_symmetries_do_not_keep_is_refused(self):
        model = self.example("lock_manager", 3)
        for arguments, message in (
                (("check", model, "--invariant", "not Device0.using"), "Device0.using"),
                (("check", model, "--ltl", "F enabled(Device1)"), "enabled(P)"),
                (("check", model, "--ltl", "F keys == 1", "--fair", "weak"), "fairness")):
            with self.subTest(arguments=arguments):
                finished = self.run_program(*arguments, "--symmetry", "auto")
                self.assertEqual(finished.returncode, 2, finished.stdout)
                self.assertIn(message, finished.stderr)
        finished = self.run_program("explore", model, "--symmetry", "Devise")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("there is no process 'Devise'", finished.stderr)
        finished = self.run_program("explore", model, "--symmetry", "Clock,Master")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("can be exchanged", finished.stderr)

    def test_a_condition_may_speak_of_processes_that_are_not_exchanged(self):
        model = self.example("lock_manager", 3)
        finished = self.run_program("check", model, "--invariant", "not Device0.using", "--symmetry", "Device1,Device2")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("Device0", finished.stdout)

    def test_a_run_is_resumed_with_its_symmetry_and_not_audited(self):
        model = self.example("lock_manager", 3)
        command = "explore", model, "--engine", "sweep", "--progress", "now", "--symmetry", "auto"
        whole = self.json_of(*command)
        stopped = self.run_program(*command, "--ledger", "ledger", "--states", "100")
        self.assertEqual(stopped.returncode, 3, stopped.stderr)
        resumed = self.json_of("resume", "ledger")
        for name in ("states", "transitions", "deadlocks", "layers", "symmetry"):
            self.assertEqual(resumed[name], whole[name])
        audited = self.run_program("audit", "ledger")
        self.assertEqual(audited.returncode, 2)
        self.assertIn("representatives", audited.stderr)


if __name__ == "__main__":
    unittest.main()
