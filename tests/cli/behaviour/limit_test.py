"""Runs that are ended early: by a limit, a signal or a closed pipe. Such a run never says that something holds."""

import json
import os
import signal
import subprocess
import time

from program import BINARY, MODELS, ProgramTest, counters, environment


class LimitTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("big.dve", counters())

    def expect_partial(self, text, reason):
        report = json.loads(text)
        self.assertEqual((report["complete"], report["reason"]), (False, reason))
        self.assertGreater(report["states"], 0)
        for found in report["properties"]:
            self.assertEqual((found["verdict"], found["reason"]), ("unknown", reason))
        return report

    def check_big(self, *options):
        return "check", "big.dve", "--invariant", "P0.x <= 200", "--deadlock", "--json", "-", *options

    def test_a_time_limit(self):
        for engine in ("bfs", "dfs"):
            with self.subTest(engine):
                start = time.monotonic()
                finished = self.run_program(*self.check_big("--time", "1s", "--engine", engine))
                self.assertLess(time.monotonic() - start, 5)
                self.assertEqual(finished.returncode, 3)
                report = self.expect_partial(finished.stdout, "time")
                self.assertGreater(report["seconds"], 0.9)
                self.assertNotIn("HOLDS", finished.stderr)
                self.assertIn("UNKNOWN   deadlock-free (time limit reached)\n", finished.stderr)
                self.assertIn("stopped: time limit reached; ", finished.stderr)

    def test_a_memory_limit(self):
        for engine in ("bfs", "dfs"):
            with self.subTest(engine):
                finished = self.run_program(*self.check_big("--memory", "150M", "--time", "50s", "--engine", engine))
                self.assertEqual(finished.returncode, 3)
                report = self.expect_partial(finished.stdout, "memory")
                self.assertNotIn("HOLDS", finished.stderr)
                self.assertLessEqual(report["peak_rss_bytes"], (150 * 1.1 + 100) * 1024 * 1024)  # without the program's own 100 MB

    def test_limits_end_loading(self):
        # Two processes with two thousand transitions each make four million rendezvous.
        halves = [", ".join(f"s -> s {{ sync c{sign}; }}" for _ in range(2000)) for sign in "!?"]
        self.write("pairs.dve", "channel c;\n" + "".join(f"process P{i} {{ state s; init s; trans {half}; }}\n" for i, half in enumerate(halves)) + "system async;\n")
        start = time.monotonic()
        finished = self.run_program("explore", "pairs.dve", "--time", "300ms")
        self.assertLess(time.monotonic() - start, 3)
        self.assertEqual((finished.returncode, finished.stdout), (3, ""))
        self.assertRegex(finished.stderr, "^pairs.dve: error: stopped while the (file was parsed|model was translated)\n  the limit on time is reached\n$")
        # As many labels as states.
        states = ", ".join(f'{{"labels": ["p{i}"]}}' for i in range(400_000))
        self.write("labels.json", f'{{"states": [{states}], "initial": 0, "edges": []}}')
        finished = self.run_program("explore", "labels.json", "--memory", "1M", "--engine", "bfs")
        self.assertEqual(finished.returncode, 3)
        self.assertRegex(finished.stderr, "^labels.json: error: stopped while the (file was parsed|model was translated)\n  the limit on memory is reached\n$")

    def test_a_limit_while_loading_has_a_report(self):
        halves = [", ".join(f"s -> s {{ sync c{sign}; }}" for _ in range(2000)) for sign in "!?"]
        self.write("pairs.dve", "channel c;\n" + "".join(f"process P{i} {{ state s; init s; trans {half}; }}\n" for i, half in enumerate(halves)) + "system async;\n")
        finished = self.run_program("check", "pairs.dve", "--deadlock", "--invariant", "true", "--time", "200ms", "--json", "j.json")
        self.assertEqual(finished.returncode, 3, finished.stderr)
        report = json.loads((self.folder / "j.json").read_text())
        self.assertEqual((report["complete"], report["reason"], report["states"]), (False, "time", 0))
        self.assertEqual([(p["name"], p["verdict"], p["reason"]) for p in report["properties"]], [("invariant", "unknown", "time"), ("deadlock", "unknown", "time")])

    def test_widening_the_packing_is_within_the_limit(self):
        # A long chain whose second counter outgrows its bits when there are 480,000 states.
        self.write("chain.dve", "int a = 0; int b = 0;\nprocess P { state s; init s; trans s -> s { guard a < 29999; effect a = a + 1; },\n"
                                "s -> s { guard a == 29999 and b < 20; effect a = 0, b = b + 1; }; }\nsystem async;\n")
        start = time.monotonic()
        self.assertIn(self.run_program("explore", "chain.dve", "--engine", "bfs", "--time", "1s", "--quiet").returncode, (0, 3))
        self.assertLess(time.monotonic() - start, 3)

    def test_a_pipe_that_nobody_writes_to_does_not_outlive_the_limit(self):
        os.mkfifo(self.folder / "model.dve")
        start = time.monotonic()
        self.assertEqual(self.run_program("explore", "model.dve", "--time", "300ms").returncode, 3)
        self.assertLess(time.monotonic() - start, 3)

    def test_many_properties_are_within_the_limit(self):
        self.write("m.dve", "byte x; process P { state s; init s; trans s -> s { guard x < 9; effect x = x + 1; }; } system async;\n")
        self.write("p.txt", "".join(f"p{i}: invariant x != {i + 100}\n" for i in range(40_000)))
        start = time.monotonic()
        self.assertIn(self.run_program("check", "m.dve", "--properties", "p.txt", "--time", "300ms", "--quiet").returncode, (0, 3))
        self.assertLess(time.monotonic() - start, 4)

    def test_a_search_for_a_measure_leaves_time_to_the_search(self):
        # Two hundred senders and receivers: the effects of forty thousand rendezvous take long to look at.
        text = "channel c;\n" + "".join(f"process S{i} {{ state a, b; init a; trans a -> b {{ sync c!; }}; }}\nprocess R{i} {{ state a, b; init a; trans a -> b {{ sync c?; }}; }}\n"
                                         for i in range(150))
        self.write("pairs.dve", text + "system async;\n")
        report = json.loads(self.run_program("explore", "pairs.dve", "--time", "4s", "--quiet", "--json", "-").stdout)
        self.assertEqual(report["reason"], "time")
        self.assertGreater(report["states"], 0)

    def test_a_model_from_a_fifo_is_read_once(self):
        text = ("byte n;\nprocess P { state s; init s; trans s -> s { guard n < 9; effect n = n + 1; }; }\n"
                "process W { state q; init q; accept q; trans q -> q { guard n < 9; }; }\nsystem async property W;\n")
        os.mkfifo(self.folder / "model.dve")
        for arguments in (("explore", "--engine", "sweep", "--progress", "n"), ("check",)):
            with self.subTest(arguments):
                process = self.start_program(arguments[0], "model.dve", *arguments[1:])
                with open(self.folder / "model.dve", "w", encoding="utf-8") as fifo:
                    fifo.write(text)
                _, errors = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 0, errors)

    def test_an_automaton_of_many_states(self):
        self.write("ring.dve", "byte x;\nprocess P { state s; init s; trans s -> s { effect x = (x + 1) % 5; }; }\nsystem async;\n")
        count = 20_000
        edges = "".join(f"State: {i}\n[0] {(i + 1) % count}\n[!0] {i * 7 % count} {{0}}\n" for i in range(count))
        self.write("large.hoa", f'HOA: v1\nStates: {count}\nStart: 0\nAP: 1 "x == 0"\nAcceptance: 1 Inf(0)\n--BODY--\n{edges}--END--\n')
        start = time.monotonic()
        finished = self.run_program("check", "ring.dve", "--automaton", "large.hoa", "--time", "10s", "--memory", "64M", "--json", "-", "--quiet")
        self.assertLess(time.monotonic() - start, 12)
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertLess(json.loads(finished.stdout)["peak_rss_bytes"], 200 * 1024 * 1024)

    def test_a_small_memory_limit_of_a_sweep_that_ends(self):
        self.write("wide.dve", counters(3, 80))
        command = "explore", "wide.dve", "--engine", "sweep", "--progress", "(P0.x * 7 + P1.x * 11 + P2.x * 13) % 5", "--successors", "interpret", "--json", "-", "--quiet"
        own = json.loads(self.run_program(*command, "--states", "1").stdout)["peak_rss_bytes"]
        for megabytes in (4, 16):
            with self.subTest(megabytes):
                report = json.loads(self.run_program(*command, "--memory", f"{megabytes}M").stdout)
                self.assertEqual((report["complete"], report["states"], report["expanded"]), (True, 81 ** 3, 81 ** 3))
                self.assertLessEqual(report["peak_rss_bytes"], own + megabytes * 1.1 * 1024 * 1024)

    def test_a_memory_limit_below_what_the_program_needs(self):
        finished = self.run_program("check", "big.dve", "--deadlock", "--memory", "1K")
        self.assertEqual(finished.returncode, 3)
        self.assertTrue(finished.stdout.startswith("UNKNOWN   deadlock-free (memory limit reached)\n"), finished.stdout)

    def test_a_violation_beats_a_limit(self):
        finished = self.run_program("check", "big.dve", "--invariant", "P0.x < 3", "--deadlock", "--time", "300ms")
        self.assertEqual(finished.returncode, 1)
        self.assertTrue(finished.stdout.startswith("VIOLATED  invariant: P0.x < 3\nUNKNOWN   deadlock-free (time limit reached)\n"), finished.stdout)

    def test_what_the_first_states_violate_stays_violated_in_the_sweep_that_follows(self):
        # The sweep does not come to P0.x == 2 for long.
        finished = self.run_program("check", "big.dve", "--invariant", "P0.x < 250", "--invariant", "P0.x < 2", "--states", "150000")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertTrue(finished.stdout.startswith("UNKNOWN   invariant 1: P0.x < 250 (as many states as asked for)\nVIOLATED  invariant 2: P0.x < 2\n"), finished.stdout)

    def test_a_limit_that_is_not_reached_changes_nothing(self):
        finished = self.run_program("check", MODELS / "peterson.dve", "--deadlock", "--time", "1h", "--memory", "1T")
        self.assertEqual(finished.returncode, 0)

    def wait_until_signals_are_caught(self, process):
        """The program's own handler stands a few milliseconds after its start."""
        for _ in range(2000):
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                caught = next(line for line in status if line.startswith("SigCgt"))
            if int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1:
                return
            time.sleep(0.005)
        self.fail("the program does not catch SIGINT")

    def test_a_signal_ends_the_search_with_what_is_known(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                process = self.start_program(*self.check_big())
                self.wait_until_signals_are_caught(process)
                time.sleep(0.3)
                process.send_signal(number)
                output, errors = process.communicate(timeout=10)
                self.assertEqual(process.returncode, 3)
                self.expect_partial(output, "interrupted")
                self.assertNotIn("HOLDS", errors)
                self.assertIn("stopped: interrupted; ", errors)

    def test_a_second_signal_ends_the_program_at_once(self):
        process = self.start_program(*self.check_big())
        self.wait_until_signals_are_caught(process)
        # Two of one kind could become one; the pause lets both arrive before the program can act on the first.
        for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
            process.send_signal(number)
        output, _ = process.communicate(timeout=10)
        self.assertIn(process.returncode, (-signal.SIGINT, -signal.SIGTERM))
        self.assertEqual(output, "")


class ClosedPipeTest(ProgramTest):
    def test_a_reader_that_has_enough_is_no_error(self):
        for arguments in (["check", str(MODELS / "philosophers.dve"), "--deadlock", "--trace", "full"],
                          ["convert", str(MODELS / "leader_ring.dve"), "--to", "model"],
                          ["check", str(MODELS / "philosophers.dve"), "--deadlock", "--json", "-", "--quiet"],
                          ["--help"]):
            with self.subTest(arguments):
                read_end, write_end = os.pipe()
                os.close(read_end)
                with os.fdopen(write_end, "wb") as pipe:
                    finished = subprocess.run([BINARY, *arguments], stdout=pipe, stderr=subprocess.PIPE, env=environment(), timeout=30)
                self.assertEqual(finished.stderr, b"")
                self.assertEqual(finished.returncode, -signal.SIGPIPE)

    def test_a_full_disk_is_told(self):
        for arguments in (["explore", MODELS / "peterson.dve"], ["convert", MODELS / "leader_ring.dve", "--to", "model"], ["--help"]):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                process = self.start_program(*arguments, stdout=full)
                _, errors = process.communicate(timeout=30)
                self.assertEqual((process.returncode, errors), (4, "tideline: error: standard output could not be written completely\n"))
