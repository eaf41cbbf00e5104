"""Sweeps from the command line: measures and their errors, verdicts with traces, limits, and what the report says."""

import json
import signal
import time

from program import ProgramTest, counters

# 10 x 11 states; n and k only grow, so n + k is monotonic and -k is not.
GRID = """byte n = 0;
int k = -5;
process P {
  state s;
  init s;
  trans
    s -> s { guard n < 9; effect n = n + 1; },
    s -> s { guard k < 5; effect k = k + 1; };
}
system async;
"""

# A counter that starts again at the end.
RING = """byte x = 0;
process P {
  state s;
  init s;
  trans
    s -> s { guard x < 99; effect x = x + 1; },
    s -> s { guard x == 99; effect x = 0; };
}
system async;
"""

# x and y go round in each of ten rounds.
ROUNDS = """byte n = 0;
byte x = 0;
byte y = 0;
process P {
  state s;
  init s;
  trans
    s -> s { guard n < 9; effect n = n + 1; },
    s -> s { guard x < 19; effect x = x + 1; },
    s -> s { guard x == 19; effect x = 0; },
    s -> s { guard y < 5; effect y = y + 1; },
    s -> s { guard y == 5; effect y = 0; };
}
system async;
"""

# Three counters to nine.
CUBE = "byte x = 0; byte y = 0; byte z = 0;\n" + "".join(
    f"process {name.upper()} {{ state s; init s; trans s -> s {{ guard {name} < 9; effect {name} = {name} + 1; }}; }}\n" for name in "xyz") + "system async;\n"

SWEEPS = ("sweep", "sweep-basic")


class SweepTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("grid.dve", GRID)
        self.write("ring.dve", RING)

    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def refused(self, *arguments):
        finished = self.run_program(*arguments)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        return finished.stderr


class FiguresTest(SweepTest):
    def test_a_monotonic_measure_gives_the_figures_of_the_full_search(self):
        full = self.report("explore", "grid.dve", "--engine", "bfs")
        self.assertEqual((full["sweeps"], full["sweep_details"], full["progress"]["source"]), (0, [], "none"))
        for engine in ("auto", *SWEEPS):
            with self.subTest(engine):
                swept = self.report("explore", "grid.dve", "--engine", engine, "--progress", "n + k")
                for name in ("complete", "reason", "states", "transitions", "deadlocks", "expanded"):
                    self.assertEqual(swept[name], full[name])
                self.assertEqual(swept["engine"], "sweep" if engine == "auto" else engine)
                self.assertEqual((swept["layers"], swept["sweeps"], swept["persistent"], swept["regress_edges"]), (20, 1, 0, 0))
                self.assertEqual(swept["progress"], {"source": "user", "monotonic": "proven", "components": ["n + k"], "predicted_share": None})
                self.assertEqual(swept["sweep_details"], [{"peak_states": swept["peak_states"], "expanded": 110}])
                self.assertLess(swept["peak_states"], 25)
                self.assertEqual(swept["widest_layer"], 10)

    def test_with_a_ledger_every_state_is_expanded_once(self):
        full = self.report("explore", "ring.dve")
        for measure in ("x", "-x", "x % 7", "0"):
            with self.subTest(measure):
                report = self.report("explore", "ring.dve", "--engine", "sweep", "--progress", measure)
                self.assertEqual((report["complete"], report["persistent"], report["expanded"]), (True, 0, full["states"]))
                for name in ("states", "transitions", "deadlocks"):
                    self.assertEqual(report[name], full[name])
                self.assertGreater(report["ledger_bytes"], 0)
        self.assertGreater(self.report("explore", "ring.dve", "--engine", "sweep", "--progress", "-x")["reread"], 0)

    def test_counts_are_null_after_several_sweeps_without_a_ledger(self):
        report = self.report("explore", "ring.dve", "--progress", "x", "--ledger", "none")
        self.assertEqual((report["complete"], report["sweeps"], report["expanded"], report["persistent"]), (True, 2, 200, 1))
        self.assertEqual((report["states"], report["transitions"], report["deadlocks"]), (None, None, None))
        self.assertEqual(report["progress"]["monotonic"], "refuted")
        self.assertEqual(sum(sweep["expanded"] for sweep in report["sweep_details"]), 200)
        report = self.report("check", "ring.dve", "--progress", "x", "--deadlock", "--ledger", "none")
        self.assertEqual((report["properties"][0]["verdict"], report["properties"][0]["states"]), ("holds", None))

    def test_persistent_states_go_with_the_round_that_certainly_never_comes_again(self):
        rounds = self.write("rounds.dve", ROUNDS)
        # Nothing is certified of a quotient.
        whole = self.report("explore", rounds, "--engine", "sweep", "--progress", "n / 1, x", "--ledger", "none")
        self.assertEqual((whole["sweeps"], whole["persistent"], whole["expanded"], whole["layers"]), (2, 60, 2400, 200))
        nested = self.report("explore", rounds, "--engine", "sweep", "--progress", "n, x", "--ledger", "none")
        self.assertEqual((nested["sweeps"], nested["persistent"], nested["expanded"], nested["layers"]), (11, 6, 2400, 200))
        self.assertLess(nested["peak_states"], whole["peak_states"])
        self.assertEqual((nested["complete"], nested["states"], nested["regress_edges"]), (True, None, whole["regress_edges"]))
        report = self.report("check", rounds, "--progress", "n, x", "--ledger", "none", "--invariant", "n < 9 or x < 19 or y < 5",
                             "--engine", "sweep", status=1)
        self.assertEqual(report["properties"][0]["verdict"], "violated")

    def test_a_vector_is_swept_on_a_broad_front(self):
        cube = self.write("cube.dve", CUBE)
        for ledger in ("none", "auto"):
            with self.subTest(ledger):
                peaks = []
                for measure, layers in (("x, y, z", 1000), ("x + y + z", 28), ("product(x, y, z)", 1000)):
                    report = self.report("explore", cube, "--engine", "sweep", "--progress", measure, "--ledger", ledger)
                    self.assertEqual((report["states"], report["sweeps"], report["layers"], report["regress_edges"]), (1000, 1, layers, 0))
                    peaks.append(report["peak_states"])
                self.assertEqual(peaks, [101, 150, 81])
                self.assertEqual(report["progress"]["components"], ["x + y + z", "x", "y"])

    def test_a_vector_puts_first_what_never_decreases(self):
        rounds = self.write("rounds.dve", ROUNDS)
        report = self.report("explore", rounds, "--engine", "sweep", "--progress", "product(x, y, n)", "--ledger", "none")
        self.assertEqual(report["progress"]["components"], ["n", "x + y", "x"])
        self.assertEqual((report["complete"], report["sweeps"], report["layers"]), (True, 11, 1200))
        self.report("explore", rounds, "--engine", "sweep", "--progress", "product(x, y, n)", "--ledger", "run", "--states", "300", status=3)
        resumed = self.report("resume", "run")
        self.assertEqual((resumed["states"], resumed["expanded"], resumed["progress"]["components"]), (1200, 1200, ["n", "x + y", "x"]))

    def test_components_are_compared_lexicographically(self):
        report = self.report("explore", "grid.dve", "--engine", "sweep-basic", "--progress", "n, k")
        self.assertEqual((report["layers"], report["states"], report["progress"]["components"]), (110, 110, ["n", "k"]))

    def test_a_measure_without_bits_is_one_layer(self):
        report = self.report("explore", "grid.dve", "--engine", "sweep-basic", "--progress", "7")
        self.assertEqual((report["layers"], report["states"], report["peak_states"]), (1, 110, 110))

    def test_with_another_engine_the_measure_is_not_used(self):
        for engine in ("bfs", "dfs"):
            report = self.report("explore", "grid.dve", "--engine", engine, "--progress", "1 / n")
            self.assertEqual((report["states"], report["sweeps"], report["progress"]["source"]), (110, 0, "none"))

    def test_an_explicit_system_may_bring_its_measure(self):
        light = self.write("light.json", json.dumps({
            "states": [{"name": "red", "progress": 0}, {"name": "green", "progress": 2}, {"name": "off", "progress": 9}],
            "initial": "red", "edges": [["red", "green"], ["green", "red"], ["green", "off"]]}))
        own = self.report("explore", light, "--engine", "sweep")
        self.assertEqual(own["progress"]["source"], "user")
        self.assertEqual(len(own["progress"]["components"]), 1)
        self.assertEqual((own["complete"], own["layers"], own["sweeps"], own["persistent"], own["states"]), (True, 3, 2, 0, 3))
        forgetful = self.report("explore", light, "--engine", "sweep", "--ledger", "none")
        self.assertEqual((forgetful["complete"], forgetful["layers"], forgetful["sweeps"], forgetful["persistent"]), (True, 3, 2, 1))
        self.assertEqual(self.report("explore", light)["sweeps"], 0)
        self.assertEqual(self.report("explore", light, "--engine", "bfs")["sweeps"], 0)
        given = self.report("explore", light, "--engine", "sweep", "--progress", "0")
        self.assertEqual((given["sweeps"], given["progress"]["components"]), (1, ["0"]))
        self.assertIn("needs a progress measure", self.refused("explore", light, "--engine", "sweep", "--progress", "none"))


class MeasureMistakeTest(SweepTest):
    def test_a_sweep_needs_a_measure(self):
        for engine in SWEEPS:
            self.assertEqual(self.refused("explore", "grid.dve", "--engine", engine, "--progress", "none"),
                             f"tideline: error: the engine {engine} needs a progress measure\n"
                             "  give one with --progress EXPR[,EXPR...], most significant first\n")
        # Two processes that go round: no measure never decreases.
        self.write("round.dve", "process P { state a, b; init a; trans a -> b {}, b -> a {}; }\n"
                                "process Q { state a, b; init a; trans a -> b {}, b -> a {}; }\nsystem async;\n")
        self.assertEqual(self.refused("explore", "round.dve", "--engine", "sweep-basic"),
                         "tideline: error: the engine sweep-basic needs a progress measure, and none was found\n"
                         "  give one with --progress EXPR[,EXPR...], most significant first\n")

    def test_a_sweep_without_progress_has_one_layer(self):
        self.write("one.dve", "process P { state a; init a; }\nsystem async;\n")
        finished = self.run_program("explore", "one.dve", "--engine", "sweep", "--json", "-")
        report = json.loads(finished.stdout)
        self.assertEqual((report["complete"], report["states"], report["layers"], report["progress"]["components"]), (True, 1, 1, ["0"]))
        self.assertIn("tideline: notice: no measure of progress was found; the sweep has one layer\n", finished.stderr)

    def test_positions_are_those_of_the_whole_text(self):
        self.assertEqual(self.refused("explore", "grid.dve", "--progress", "n, m+1, k"),
                         "--progress:1:4: error: unknown name 'm'\n"
                         "  n, m+1, k\n"
                         "     ^\n")
        self.assertTrue(self.refused("explore", "grid.dve", "--progress", "n,\nk,\nfoo").startswith("--progress:3:1: error: "))

    def test_empty_components(self):
        for text, column in (("", 1), ("n,", 3), (",n", 1), ("n,,k", 3)):
            with self.subTest(text):
                first = self.refused("explore", "grid.dve", "--progress", text).splitlines()[0]
                self.assertEqual(first, f"--progress:1:{column}: error: a component of the measure is empty")

    def test_a_measure_without_a_value(self):
        for engine in SWEEPS:
            for command in (("explore",), ("check", "--deadlock")):
                errors = self.refused(command[0], "grid.dve", *command[1:], "--engine", engine, "--progress", "-10 / (k + 3)")
                self.assertIn("--progress: error: the measure cannot be evaluated in the last of these states\n", errors)
                self.assertIn("k: -4 -> -3", errors)
                self.assertIn("  expected a measure without division by zero", errors)
        errors = self.refused("explore", "grid.dve", "--progress", "10 / n")
        self.assertIn(" 0  a reachable state\n", errors)
        self.assertNotIn(" 1  ", errors)

    def test_the_step_told_is_the_one_without_a_value_where_steps_commute(self):
        # Steps of different processes commute: most successors of a state are left out because another order leads to them.
        processes = "".join(f"process P{i} {{ state s, t; init s; trans s -> t {{ effect x{i} = 1; }}; }}\n" for i in range(4))
        self.write("commute.dve", "byte x0; byte x1; byte x2; byte x3;\n" + processes + "system async;\n")
        for progress, before, after in (("1 / (1 - x1 * x2)", ("x1", "x2"), 2), ("1 / (2 - x0 - x3)", ("x0", "x3"), 2), ("1 / (1 - x3)", ("x3",), 1)):
            for options in ((), ("--ledger", "none"), ("--threads", "2"), ("--successors", "interpret")):
                with self.subTest(progress, options=options):
                    errors = self.refused("explore", "commute.dve", "--engine", "sweep", "--progress", progress, *options)
                    self.assertIn("--progress: error: the measure cannot be evaluated in the last of these states\n", errors)
                    steps = [line for line in errors.splitlines() if "0 -> 1" in line]
                    self.assertEqual(len(steps), 1, errors)
                    self.assertTrue(any(f"{name}: 0 -> 1" in steps[0] for name in before), errors)

    def test_sweep_basic_tells_the_step_back(self):
        errors = self.refused("explore", "grid.dve", "--engine", "sweep-basic", "--progress", "n, -k")
        self.assertTrue(errors.startswith(
            "--progress: error: the measure is not monotonic: this step goes from n = 0, -k = 5 to n = 0, -k = 4\n"), errors)
        self.assertTrue(errors.endswith("  --engine sweep takes measures that are not monotonic\n"), errors)


class VerdictTest(SweepTest):
    def test_a_violation_comes_with_a_shortest_trace(self):
        for engine in SWEEPS:
            with self.subTest(engine):
                report = self.report("check", "grid.dve", "--invariant", "n + k < 3", "--engine", engine, "--progress", "n + k", status=1)
                self.assertEqual(report["reason"], "violation")
                (found,) = report["properties"]
                self.assertEqual(found["verdict"], "violated")
                self.assertEqual(len(found["trace"]["states"]), 9)

    def test_deadlocks(self):
        report = self.report("check", "grid.dve", "--deadlock", "--progress", "n, k", status=1)
        self.assertEqual(len(report["properties"][0]["trace"]["states"]), 20)
        self.assertEqual(self.report("check", "ring.dve", "--deadlock", "--progress", "x")["properties"][0]["verdict"], "holds")
        self.assertEqual(self.report("check", "ring.dve", "--deadlock", "--progress", "-x")["properties"][0]["verdict"], "holds")

    def test_faults(self):
        self.write("fault.dve", GRID.replace("n < 9", "n < 300"))
        report = self.report("explore", "fault.dve", "--progress", "n", status=1)
        (fault,) = report["faults"]
        self.assertEqual((fault["kind"], fault["occurrences"], report["complete"]), ("range", 11, True))
        self.assertEqual(len(fault["trace"]["states"]), 256)

    def test_failed_assertions_of_an_exploration(self):
        self.write("assert.dve", GRID.replace("  trans", "  assert s: n < 4;\n  trans"))
        report = self.report("explore", "assert.dve", "--progress", "n + k", status=1)
        self.assertTrue(report["complete"])
        self.assertEqual(len(report["faults"][0]["trace"]["states"]), 5)

    def test_the_search_for_the_trace_of_an_exploration_ends_with_it(self):
        # A counter to 3 that fails an assertion, beside one to two million: breadth-first the failure is near.
        self.write("long.dve", "int a = 0; byte b = 0; byte x = 0;\nprocess P {\n  state s;\n  init s;\n  assert s: x < 3;\n  trans\n"
                               "    s -> s { guard x < 3; effect x = x + 1; },\n"
                               "    s -> s { guard a < 30000; effect a = a + 1; },\n"
                               "    s -> s { guard a == 30000 and b < 5; effect a = 0, b = b + 1; };\n}\nsystem async;\n")
        report = self.report("explore", "long.dve", "--engine", "sweep-basic", "--progress", "b, a, x", status=1)
        self.assertEqual((report["complete"], report["states"]), (True, 4 * 6 * 30001))
        self.assertEqual(len(report["faults"][0]["trace"]["states"]), 4)

    def test_a_trace_that_memory_does_not_suffice_for_is_missing_and_the_violation_stands(self):
        # The only violation lies at the end; sweeping needs a few states, a breadth-first search millions.
        self.write("deep.dve", "int a = 0; int b = 0; byte c = 0;\nprocess P {\n  state s;\n  init s;\n  trans\n"
                               "    s -> s { guard a < 2000; effect a = a + 1; },\n"
                               "    s -> s { guard b < 2000; effect b = b + 1; };\n}\nsystem async;\n")
        sweep = "deep.dve", "--progress", "a + b", "--ledger", "none"
        limited = "check", *sweep, "--invariant", "a + b < 4000", "--memory", "8M"
        (found,) = self.report(*limited, status=1)["properties"]
        self.assertEqual((found["verdict"], found["trace"]), ("violated", None))
        finished = self.run_program(*limited)
        self.assertEqual(finished.returncode, 1)
        self.assertIn("invariant is violated; no run is shown: memory limit reached\n", finished.stdout)


class SweepLimitTest(SweepTest):
    def setUp(self):
        super().setUp()
        self.write("big.dve", counters())

    def check_big(self, *options, progress="P0.x"):
        return "check", "big.dve", "--invariant", "P0.x <= 200", "--deadlock", "--json", "-", "--progress", progress, *options

    def expect_unknown(self, finished, text, errors, reason):
        self.assertEqual(finished, 3)
        report = json.loads(text)
        self.assertEqual((report["complete"], report["reason"]), (False, reason))
        for found in report["properties"]:
            self.assertEqual((found["verdict"], found["reason"]), ("unknown", reason))
        self.assertNotIn("HOLDS", errors)
        return report

    def test_a_time_limit(self):
        start = time.monotonic()
        finished = self.run_program(*self.check_big("--time", "1s"))
        self.assertLess(time.monotonic() - start, 10)
        report = self.expect_unknown(finished.returncode, finished.stdout, finished.stderr, "time")
        self.assertEqual(report["progress"]["monotonic"], "unknown")

    def test_a_memory_limit(self):
        for progress in ("P0.x", "P0.x, P1.x, P2.x, P3.x", "P0.x + P1.x + P2.x + P3.x + P4.x"):
            with self.subTest(progress):
                finished = self.run_program(*self.check_big("--memory", "2M", "--time", "50s", progress=progress))
                self.expect_unknown(finished.returncode, finished.stdout, finished.stderr, "memory")

    def test_a_signal(self):
        process = self.start_program(*self.check_big())
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        self.expect_unknown(process.returncode, output, errors, "interrupted")
