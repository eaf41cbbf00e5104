"""Traces are made after the verdict, within the limits of the run: they may be absent, and the verdict stands."""

import json
import os
import signal
import subprocess
import time

from program import BINARY, PATIENCE, ProgramTest

MEGABYTE = 1024 * 1024


def chain(thousands):
    """One run of 1000 * thousands - 1 steps, which ends in a deadlock."""
    return ("int a = 0; int b = 0; int c = 2; int d = 3; int e = 4; int f = 5; int g = 6; int h = 7;\n"
            "process P { state s; init s; trans\n  s -> s { guard a < 999; effect a = a + 1; },\n"
            f"  s -> s {{ guard a == 999 and b < {thousands - 1}; effect a = 0, b = b + 1; }};\n}}\nsystem async;\n")


def grid(limit, faults=0, sum_of_faults=0):
    """Three counters, and transitions that are faulty where the counters have a certain sum."""
    transitions = [f"s -> s {{ guard {x} < {limit}; effect {x} = {x} + 1; }}" for x in "abc"]
    transitions += [f"s -> s {{ guard a + b + c == {sum_of_faults - n}; effect z[{10 + n}] = 1; }}" for n in range(faults)]
    return "int a = 0; int b = 0; int c = 0; byte z[4];\nprocess P { state s; init s; trans\n" + ",\n".join(transitions) + ";\n}\nsystem async;\n"


class EvidenceTest(ProgramTest):
    def measured(self, *arguments):
        """Exit status, seconds and the most memory that a run had."""
        start = time.monotonic()
        with open(self.folder / "output", "wb") as output:
            process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, time.monotonic() - start, usage.ru_maxrss * 1024

    def report(self, *arguments):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        return json.loads(finished.stdout)

    def test_a_long_trace_is_written_in_little_memory(self):
        steps = 59_999
        self.write("chain.dve", chain(60))
        command = "check", "chain.dve", "--deadlock", "--engine", "bfs", "--memory", "16M"
        status, _, memory = self.measured(*command)
        self.assertEqual(status, 1)
        self.assertLess(memory, 116 * MEGABYTE)
        with open(self.folder / "output", encoding="utf-8") as output:
            self.assertEqual(sum(1 for line in output if " P: s -> s (chain.dve:" in line), steps)
        status, _, memory = self.measured(*command, "--quiet", "--json", "r.json", "--itf", "t.json")
        self.assertEqual(status, 1)
        self.assertLess(memory, 116 * MEGABYTE)
        report = json.loads((self.folder / "r.json").read_text(encoding="utf-8"))
        trace = json.loads((self.folder / "t.json").read_text(encoding="utf-8"))
        self.assertEqual(len(trace["states"]), steps + 1)
        self.assertEqual((trace["states"][-1]["a"], trace["states"][-1]["b"]), (999, 59))
        self.assertEqual(report["properties"][0]["trace"]["states"], trace["states"])
        self.assertNotIn("trace_reason", report["properties"][0])

    def test_the_time_limit_holds_for_traces(self):
        self.write("chain.dve", chain(400))
        status, seconds, _ = self.measured("check", "chain.dve", "--deadlock", "--engine", "bfs", "--time", "1500ms", "--json", "r.json")
        self.assertLess(seconds, 4)
        report = json.loads((self.folder / "r.json").read_text(encoding="utf-8"))
        verdict = report["properties"][0]
        self.assertIn((status, verdict["verdict"]), ((1, "violated"), (3, "unknown")))
        if verdict["verdict"] == "violated" and verdict["trace"] is None:
            self.assertEqual(verdict["trace_reason"], "time")

    def test_only_the_first_faults_have_traces(self):
        self.write("faults.dve", grid(5, 14, 15))
        for question in (("--invariant", "a >= 0"), ("--ltl", "G {a < 9}"), ("--invariant", "a >= 0", "--engine", "dfs")):
            with self.subTest(question):
                report = self.report("check", "faults.dve", *question)
                self.assertEqual(len(report["faults"]), 14)
                self.assertEqual(sorted(fault["text"] for fault in report["faults"]),
                                 [f"index {10 + n} is outside the array z[4]" for n in range(14)])
                without = [fault for fault in report["faults"] if fault["trace"] is None]
                self.assertEqual(len(without), 4)
                for fault in without:
                    self.assertEqual(fault["trace_reason"], "only the first 10 faults have one")
        finished = self.run_program("check", "faults.dve", "--invariant", "a >= 0")
        self.assertIn("\nno run is shown for 4 faults: only the first 10 faults have one\n", finished.stdout)

    def test_faults_on_the_way_to_a_property_of_runs_do_not_take_a_search_each(self):
        self.write("faults.dve", grid(70, 60, 205))
        status, seconds, _ = self.measured("check", "faults.dve", "--ltl", "G {a < 99}", "--time", "3s", "--quiet", "--json", "r.json")
        self.assertLess(seconds, 6)
        self.assertEqual(status, 1)
        report = json.loads((self.folder / "r.json").read_text(encoding="utf-8"))
        self.assertEqual(report["properties"][0]["verdict"], "unknown")
        for fault in report["faults"]:
            if fault["trace"] is None:
                self.assertIn(fault["trace_reason"], ("time", "only the first 10 faults have one"))
            else:
                self.assertEqual(sum(fault["trace"]["states"][-1][x] for x in "abc"), len(fault["trace"]["states"]) - 1)

    def test_traces_do_not_depend_on_the_number_of_threads(self):
        self.write("grid.dve", grid(25))
        for options in (("--engine", "bfs"), ("--engine", "sweep", "--progress", "a / 4 + b / 4 + c / 4"),
                        ("--engine", "sweep", "--progress", "a"), ("--engine", "bfs", "--ledger", "l"),
                        ("--engine", "sweep", "--progress", "a", "--ledger", "none")):
            for question in (("--deadlock",), ("--invariant", "a + b + c < 40", "--invariant", "a < 100")):
                traces = []
                for threads in (1, 2, 3):
                    self.run_program("check", "grid.dve", *question, *options, "--threads", threads, "--quiet", "--itf", "t.json")
                    traces.append((self.folder / "t.json").read_text(encoding="utf-8"))
                    subprocess.run(["rm", "-rf", self.folder / "l"], check=True)
                with self.subTest(options=options, question=question):
                    self.assertNotEqual(traces[0], "")
                    self.assertEqual(traces[0], traces[1])
                    self.assertEqual(traces[0], traces[2])

    def test_an_interrupt_ends_a_report_that_is_being_written(self):
        self.write("chain.dve", chain(300))
        process = self.start_program("check", "chain.dve", "--deadlock", "--engine", "bfs", "--quiet", "--json", "r.json")
        report = self.folder / "r.json"
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (not report.exists() or report.stat().st_size < MEGABYTE):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        process.communicate(timeout=PATIENCE)
        self.assertLess(time.monotonic() - start, 3)
        self.assertEqual(process.returncode, 1, "the verdict stands")
        verdict = json.loads(report.read_text(encoding="utf-8"))["properties"][0]
        self.assertEqual((verdict["verdict"], verdict["trace_reason"]), ("violated", "interrupted"))
        self.assertEqual(verdict["trace"]["incomplete"], "interrupted")
        self.assertGreater(len(verdict["trace"]["states"]), 0)

    def test_many_faulty_steps_are_counted_in_linear_time(self):
        # A million states, each with a faulty step. A list that is searched for each of them takes minutes.
        self.write("faults.dve", "byte x; byte y; byte z; byte a[3];\nprocess P { state s; init s; trans\n"
                   + "".join(f"  s -> s {{ guard {v} < {limit}; effect {v} = {v} + 1; }},\n" for v, limit in (("x", 255), ("y", 255), ("z", 15)))
                   + "  s -> s { effect a[3 + z] = 1; };\n}\nsystem async;\n")
        for command in (("explore", "faults.dve", "--engine", "bfs"), ("explore", "faults.dve", "--engine", "sweep", "--ledger", "l"),
                        ("check", "faults.dve", "--ltl", "G {x < 300}")):
            with self.subTest(command=command):
                report = self.report(*command)
                self.assertEqual((report["states"], report["faults"][0]["occurrences"]), (1 << 20, 1 << 20))
