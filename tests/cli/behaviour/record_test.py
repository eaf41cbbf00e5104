"""What a ledger has beside the spanning tree: labels and edges, also of runs that were stopped or killed, or had little memory or several threads. The audit, which has a reader and
a semantics of its own, says whether they are right.
"""

import json
import random
import signal
import subprocess

from program import EXAMPLES, MODELS, ProgramTest, counters

# Layers in no order, so that a large part of the states is open, and many edges lead back.
SHUFFLED = "--engine", "sweep", "--progress", "(P0.x * 7 + P1.x * 11 + P2.x * 13) % 61"


class RecordTest(ProgramTest):
    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def expect_confirmed(self, ledger, report, with_what):
        audited = self.run_program("audit", ledger, "--memory", "1M")
        self.assertEqual(audited.returncode, 0, audited.stdout + audited.stderr)
        self.assertIn(f"once,{with_what} and the figures are right\n", audited.stdout)
        for name in ("states", "transitions", "deadlocks"):
            self.assertRegex(audited.stdout, rf"(?m)^{name} +{report[name]}$")

    def streams(self, ledger):
        return json.loads((self.folder / ledger / "header.json").read_text())["streams"]


class OptionTest(RecordTest):
    def test_only_what_is_asked_for_is_written(self):
        expected = {"tree": [], "labels": ["labels"], "edges": ["labels", "edges", "numbers"]}
        for engine in (("--engine", "bfs"), ("--engine", "sweep", "--progress", "P0")):
            for record, streams in expected.items():
                with self.subTest(engine[1], record=record):
                    ledger = engine[1] + record
                    report = self.report("check", MODELS / "peterson.dve", "--invariant", "turn < 2", "--invariant", "turn == 0", *engine, "--ledger", ledger, "--record", record, status=1)
                    self.assertEqual(set(self.streams(ledger)), {"states", "parents", "waiting", *streams})
                    self.expect_confirmed(ledger, report, {"tree": "", "labels": " with its labels,", "edges": " with its labels and steps,"}[record])
        self.report("explore", MODELS / "peterson.dve", "--engine", "bfs", "--ledger", "plain")
        self.assertEqual(set(self.streams("plain")), {"states", "parents", "waiting"})

    def test_mistakes(self):
        for arguments, message in ((("--record", "all"), "--record: unknown contents 'all'"),
                                   (("--record", "edges", "--ledger", "none"), "--record: with --ledger none nothing is recorded")):
            finished = self.run_program("explore", MODELS / "peterson.dve", *arguments)
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn(message, finished.stderr)
        finished = self.run_program("explore", MODELS / "peterson.dve", "--engine", "dfs", "--record", "edges")
        self.assertEqual(finished.returncode, 0)
        self.assertIn("notice: this search keeps no ledger, and nothing is recorded", finished.stderr)


class EdgesTest(RecordTest):
    def setUp(self):
        super().setUp()
        self.write("work.dve", counters(3, 24))

    def test_several_threads(self):
        for engine in (("--engine", "bfs"), SHUFFLED):
            ledger = engine[1]
            report = self.report("explore", "work.dve", *engine, "--threads", "3", "--ledger", ledger, "--record", "edges")
            self.expect_confirmed(ledger, report, " with its steps,")

    def test_machine_code_and_the_models_of_the_tests(self):
        for path in sorted(MODELS.glob("*.dve")):
            with self.subTest(path.name):
                finished = self.run_program("explore", path, "--engine", "bfs", "--successors", "native", "--ledger", path.stem, "--record", "edges", "--json", "-", "--quiet")
                self.assertIn(finished.returncode, (0, 1), finished.stderr)
                audited = self.run_program("audit", path.stem)
                self.assertEqual(audited.returncode, 0, audited.stdout)

    def test_explicit_systems(self):
        for name, more in (("vending_machine.aut", ()), ("traffic_light.json", ()), ("traffic_light.json", ("--ltl", "G F cars_go"))):
            with self.subTest(name, more=more):
                ledger = name + "".join(more[:1])
                report = self.report("explore", EXAMPLES / name, *more, "--engine", "bfs", "--ledger", ledger, "--record", "edges")
                self.expect_confirmed(ledger, report, " with its steps,")

    def test_little_memory(self):
        self.write("large.dve", counters(3, 60))
        finished = self.run_program("explore", "large.dve", *SHUFFLED, "--successors", "interpret", "--memory", "1M", "--ledger", "run", "--record", "edges", "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 3), finished.stderr)
        report = json.loads(finished.stdout)
        if not report["complete"]:
            report = self.report("resume", "run", "--memory", "100M")
        self.assertGreater(report["spilled"], 0)
        self.expect_confirmed("run", report, " with its steps,")

    def test_killed_runs(self):
        chance = random.Random(3)
        killed = 0
        for work in range(6):
            ledger = f"run{work}"
            command = "explore", "work.dve", *(SHUFFLED if work % 2 == 0 else ("--engine", "bfs")), "--successors", "interpret", "--ledger", ledger, "--record", "edges"
            while True:
                process = self.start_program(*command, *(("--time", "30ms") if killed < 4 * (work + 1) else ()), "--json", "-")
                if chance.random() < 0.5:
                    try:
                        process.wait(chance.uniform(0, 0.04))
                    except subprocess.TimeoutExpired:
                        process.kill()
                        killed += 1
                output, errors = process.communicate(timeout=60)
                if process.returncode == 0:
                    break
                self.assertIn(process.returncode, (3, -signal.SIGKILL), errors)
                if (self.folder / ledger / "header.json").exists():
                    command = "resume", ledger, "--threads", chance.choice("12")
            self.expect_confirmed(ledger, json.loads(output), " with its steps,")
        self.assertGreater(killed, 3)
