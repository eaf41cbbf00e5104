"""Several threads find what one finds."""

import json
import subprocess

from program import BINARY, MODELS, PATIENCE, ProgramTest

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

    def test_threads_that_cannot_be_started(self):
        """The search uses the threads that could be started, and says so; it used to wait for the others for ever."""
        model = MODELS / "leader_ring.dve"
        one = self.figures(model, "--engine", "bfs")
        command = f"ulimit -v 700000; exec '{BINARY}' explore '{model}' --engine bfs --threads 256 --memory 100M --successors interpret --json -"
        finished = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=PATIENCE, encoding="utf-8")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        report = json.loads(finished.stdout)
        self.assertEqual([report[name] for name in FIGURES], one)
        self.assertRegex(finished.stderr, "notice: the system did not allow 256 threads; the search had [0-9]+\n")

    def test_nor_do_those_of_sweeps(self):
        for name in ("uncommitted", "filter3", "alternating_bit", "philosophers", "leader_ring"):
            model = MODELS / f"{name}.dve"
            one = self.figures(model, "--engine", "bfs")
            for threads in (2, 3):
                with self.subTest(model=name, threads=threads):
                    self.assertEqual(self.figures(model, "--engine", "sweep", "--threads", threads), one)
                    self.assertEqual(self.figures(model, "--engine", "sweep", "--progress", "0", "--ledger", "none", "--threads", threads), one)
