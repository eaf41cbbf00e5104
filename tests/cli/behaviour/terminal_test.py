"""What a person at a terminal sees: the status line and colours. A pseudo-terminal plays the terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import time

from program import BINARY, MODELS, ProgramTest, counters, environment

ESCAPE = "\x1b["


class TerminalTest(ProgramTest):
    def shown(self, *arguments, streams=("stdout", "stderr"), columns=100, **changes):
        """What appears on a terminal that the given streams are connected to; the other ones are dropped."""
        outside, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        handles = {name: inside if name in streams else subprocess.DEVNULL for name in ("stdout", "stderr")}
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=environment(**{"TERM": "xterm", **changes}), **handles)
        os.close(inside)
        data = b""
        try:
            while piece := os.read(outside, 65536):
                data += piece
        except OSError:
            pass  # the program has ended, and with it the terminal
        os.close(outside)
        self.status = process.wait(timeout=30)
        return data.decode("utf-8").replace("\r\n", "\n")

    def test_a_long_run_shows_a_status_line(self):
        self.write("big.dve", counters())
        text = self.shown("explore", "big.dve", "--engine", "bfs", "--time", "1500ms", streams=("stderr",))
        lines = text.split("\r")
        self.assertGreater(len(lines), 2)
        self.assertRegex(lines[1], r"^[\d,]+ states \| [\d.]+ [kM]?/s \| [\d,]+ open \| [\d.]+ [KM]B \| [\d.]+ m?s\s*$")
        self.assertEqual(lines[-1].strip(), "", "the line is removed at the end")
        self.assertNotIn("\n", text)

    def test_the_status_line_fits_the_terminal(self):
        self.write("big.dve", counters())
        text = self.shown("explore", "big.dve", "--engine", "bfs", "--time", "1s", streams=("stderr",), columns=30)
        self.assertGreater(len(text), 0)
        self.assertLess(max(map(len, text.split("\r"))), 30)

    def test_a_short_run_shows_none(self):
        self.assertEqual(self.shown("explore", MODELS / "peterson.dve", "--engine", "bfs", streams=("stderr",)), "")

    def first_output(self, *arguments):
        """Seconds from the start of the program to the first byte on the terminal."""
        outside, inside = pty.openpty()
        start = time.monotonic()
        process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=inside, stderr=inside, env=environment(TERM="xterm"))
        os.close(inside)
        try:
            os.read(outside, 1)
            return time.monotonic() - start
        finally:
            process.kill()
            process.wait()
            os.close(outside)

    def test_something_is_shown_within_half_a_second(self):
        self.write("big.dve", counters())
        n = 400_000
        self.write("ring.aut", f"des (0, {n}, {n})\n" + "".join(f"({i}, a, {(i + 1) % n})\n" for i in range(n)))
        cases = {"a search in memory": ("explore", "big.dve"), "a search for a measure": ("explore", "big.dve", "--engine", "sweep"), "a product": ("check", "big.dve", "--ltl", "G F {P0.x == 3}"),
                 "a large file": ("explore", "ring.aut"), "trials": ("progress", "big.dve")}
        for name, arguments in cases.items():
            with self.subTest(name):
                # Other programs may keep the processors busy for a while.
                times = []
                while len(times) < 10 and not any(each < 0.5 for each in times):
                    times.append(self.first_output(*arguments, "--time", "5s"))
                self.assertLess(min(times), 0.5, times)

    def test_a_sweep_that_never_goes_back_says_how_far_it_is(self):
        self.write("long.dve", "int n;\nprocess P { state s; init s; trans s -> s { guard n < 2000000; effect n = n + 1; }; }\n"
                   "process Q { byte x, y; state s; init s; trans s -> s { effect x = (x + 1) % 200; }, s -> s { effect y = (y + 1) % 200; }; }\nsystem async;\n")
        text = self.shown("explore", "long.dve", "--engine", "sweep", "--progress", "n", "--time", "4s", streams=("stderr",), columns=160)
        self.assertRegex(text, r"\d % of the measure(, perhaps [\d.]+ .* left)?")

    def test_quiet_shows_nothing(self):
        self.write("big.dve", counters())
        self.assertEqual(self.shown("explore", "big.dve", "--engine", "bfs", "--time", "1s", "--quiet"), "")
        self.assertEqual(self.status, 3)

    def test_no_status_line_without_a_terminal(self):
        self.write("big.dve", counters())
        self.assertEqual(self.run_program("explore", "big.dve", "--engine", "bfs", "--time", "1s").stderr, "")

    def test_verdicts_have_colours_on_a_terminal(self):
        text = self.shown("check", MODELS / "peterson.dve", "--deadlock")
        self.assertIn(ESCAPE, text)
        self.assertRegex(text, r"^\x1b\[[\d;]+mHOLDS\x1b\[0m     deadlock-free\n")

    def test_no_colours_where_they_are_not_wanted(self):
        for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with self.subTest(changes):
                text = self.shown("check", MODELS / "philosophers.dve", "--deadlock", **changes)
                self.assertTrue(text.startswith("VIOLATED  deadlock-free\n"))
                self.assertNotIn(ESCAPE, text)

    def test_no_colours_in_a_file(self):
        finished = self.run_program("check", MODELS / "philosophers.dve", "--deadlock", TERM="xterm")
        self.assertNotIn(ESCAPE, finished.stdout)
