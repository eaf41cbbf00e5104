"""Searches without sleep sets find what those with them find."""

import json

from program import MODELS, ProgramTest

FIGURES = ("complete", "states", "transitions", "deadlocks", "peak_states", "layers", "sweeps")


class SleepTest(ProgramTest):
    def figures(self, *arguments):
        finished = self.run_program("explore", *arguments, "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        report = json.loads(finished.stdout)
        return [report[name] for name in FIGURES]

    def test_figures_do_not_depend_on_sleep_sets(self):
        for name in ("uncommitted", "filter3", "alternating_bit", "philosophers", "leader_ring"):
            model = MODELS / f"{name}.dve"
            for engine in (("bfs",), ("bfs", "--threads", "2"), ("sweep",), ("sweep", "--ledger", "none")):
                with self.subTest(model=name, engine=engine):
                    self.assertEqual(self.figures(model, "--engine", *engine, "--sleep", "none"), self.figures(model, "--engine", *engine, "--sleep", "auto"))

    def test_the_run_to_a_violation_is_the_same(self):
        command = "check", MODELS / "philosophers.dve", "--deadlock", "--engine", "bfs", "--trace", "full"
        awake = self.run_program(*command, "--sleep", "none")
        self.assertEqual(awake.returncode, 1)
        self.assertEqual(self.without_measurements(awake), self.without_measurements(self.run_program(*command)))

    def without_measurements(self, finished):
        """What a run printed, less time and memory, which differ from run to run."""
        return [line for line in finished.stdout.splitlines() if not line.startswith(("time ", "memory "))]

    def test_a_resumed_search_has_none_either(self):
        command = "explore", MODELS / "leader_ring.dve", "--engine", "sweep", "--ledger", "ledger", "--sleep", "none"
        stopped = self.run_program(*command, "--states", "50")
        self.assertEqual(stopped.returncode, 3, stopped.stderr)
        self.assertIn('"sleep":"none"', "".join(path.read_bytes().decode("latin-1") for path in (self.folder / "ledger").iterdir() if path.is_file()).replace(" ", ""))
        self.assertIn(self.run_program("resume", "ledger").returncode, (0, 1))

    def test_other_values_are_refused(self):
        finished = self.run_program("explore", MODELS / "philosophers.dve", "--sleep", "deep")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--sleep: unknown choice", finished.stderr)
        self.assertIn("expected auto or none", finished.stderr)
