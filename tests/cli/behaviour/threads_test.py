"""Several threads find what one finds."""

import json

from program import MODELS, ProgramTest

FIGURES = ("complete", "states", "transitions", "deadlocks")


class ThreadsTest(ProgramTest):
    def figures(self, *arguments):
        finished = self.run_program("explore", *arguments, "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        report = json.loads(finished.stdout)
        return [report[name] for name in FIGURES]

    def test_figures_do_not_depend_on_the_number_of_threads(self):
        for model in sorted(MODELS.glob("*.dve")):
            if model.name.startswith("property"):
                continue
            one = self.figures(model, "--engine", "bfs")
            for threads in (2, 3, 4):
                with self.subTest(model=model.name, threads=threads):
                    self.assertEqual(self.figures(model, "--engine", "bfs", "--threads", threads), one)

    def test_nor_do_those_of_sweeps(self):
        for name in ("uncommitted", "filter3", "alternating_bit", "philosophers", "leader_ring"):
            model = MODELS / f"{name}.dve"
            one = self.figures(model, "--engine", "bfs")
            for threads in (2, 3):
                with self.subTest(model=name, threads=threads):
                    self.assertEqual(self.figures(model, "--engine", "sweep", "--threads", threads), one)
                    self.assertEqual(self.figures(model, "--engine", "sweep", "--progress", "0", "--ledger", "none", "--threads", threads), one)
