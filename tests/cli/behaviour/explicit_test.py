"""Large explicit systems: reading and exploring take time in proportion to the file, and end when they are told to."""

import json
import resource
import signal
import time
import unittest

from program import ProgramTest

EDGES = 2  # per state


def edges(states):
    """A ring with a chord from every state."""
    for state in range(states):
        yield state, (state + 1) % states
        yield state, (state * 7919 + 13) % states


def aut(states):
    lines = (f'({start}, "a{start % 50}", {end})\n' for start, end in edges(states))
    return f"des (0, {EDGES * states}, {states})\n" + "".join(lines)


def ring(states):
    return f"des (0, {states}, {states})\n" + "".join(f"({state}, a, {(state + 1) % states})\n" for state in range(states))


def kripke(states):
    return json.dumps({"states": states, "initial": 0, "edges": [list(edge) for edge in edges(states)]})


class ExplicitTest(ProgramTest):
    def explored(self, name, states, transitions):
        """Processor seconds, which other processes do not change by much."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        finished = self.run_program("explore", name, "--json", "-", "--quiet")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(finished.returncode, 0, finished.stderr)
        report = json.loads(finished.stdout)
        self.assertEqual((report["complete"], report["states"], report["transitions"]), (True, states, transitions))
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_time_is_linear_in_the_file(self):
        for format, text, degree in (("aut", aut, EDGES), ("json", kripke, EDGES), ("aut", ring, 1)):
            with self.subTest(text.__name__):
                seconds = []
                for states in (25_000, 200_000):
                    self.write(f"system.{format}", text(states))
                    seconds.append(self.explored(f"system.{format}", states, degree * states))
                # Eight times the file; what is quadratic takes 64 times as long.
                self.assertLess(seconds[1], 20 * max(seconds[0], 0.05))

    def test_a_signal_ends_it_whatever_it_does(self):
        self.write("ring.aut", ring(300_000))
        for delay in (0.05, 0.3, 0.8):
            with self.subTest(delay):
                process = self.start_program("explore", "ring.aut")
                time.sleep(delay)
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=10)
                self.assertIn(process.returncode, (0, 3))  # it may have been finished


if __name__ == "__main__":
    unittest.main()
