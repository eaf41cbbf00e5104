"""Limits hold before the search too: while the packing is found out, while a model is compiled."""

import json
import random
import signal
import time

from program import ProgramTest

SLACK = 2.0  # seconds that a run may take beside its limit on a machine that does other things as well
OWN = 100  # megabytes of the program


def ring(edges):
    return f"des (0, {edges}, {edges})\n" + "".join(f"({i}, a, {(i + 1) % edges})\n" for i in range(edges))


def net(places, transitions):
    rng = random.Random(places)
    steps = []
    for _ in range(transitions):
        a, b, c = rng.sample(range(places), 3)
        steps.append(f"s -> s {{ guard p{a} > 0 && p{b} > 0 && p{c} < 3; effect p{a} = p{a} - 1, p{b} = p{b} - 1, p{c} = p{c} + 1; }}")
    variables = "".join(f"byte p{i} = {1 if i % 7 == 0 else 0};\n" for i in range(places))
    return variables + "process P { state s; init s; trans\n" + ",\n".join(steps) + ";\n}\nsystem async;\n"


def lockstep(processes):
    text = "".join(f"byte x{i};\n" for i in range(processes))
    text += "".join(f"process P{i} {{ state a, b; init a; trans a -> b {{ effect x{i} = 1; }}, a -> a {{}}, b -> a {{}}, b -> b {{}}; }}\n"
                    for i in range(processes))
    return text + "system sync;\n"


def rendezvous(processes):
    text = "channel c;\nbyte v[4];\n"
    for i in range(processes):
        text += f"process S{i} {{ state a, b; init a; trans a -> b {{ sync c!; effect v[0] = 1; }}, b -> a {{}}; }}\n"
        text += f"process R{i} {{ state a, b; init a; trans a -> b {{ sync c?; }}, b -> a {{}}; }}\n"
    return text + "system async;\n"


class BudgetTest(ProgramTest):
    def explore(self, *arguments):
        start = time.monotonic()
        finished = self.run_program("explore", *arguments, "--json", "-", "--quiet")
        return json.loads(finished.stdout), time.monotonic() - start

    def test_a_time_limit_ends_what_comes_before_the_search(self):
        self.write("ring.aut", ring(8000))
        self.write("net.dve", net(2000, 4000))
        self.write("lockstep.dve", lockstep(60))
        self.write("rendezvous.dve", rendezvous(200))
        for model in ("ring.aut", "net.dve", "lockstep.dve", "rendezvous.dve"):
            for options in (("--engine", "bfs"), ("--engine", "bfs", "--successors", "native")):
                with self.subTest((model, options)):
                    report, seconds = self.explore(model, "--time", "1s", *options)
                    self.assertLess(seconds, 1 + SLACK)
                    self.assertIn(report["reason"], (None, "time"))

    def test_a_time_limit_ends_the_search_for_symmetries(self):
        self.write("alike.dve", "byte x;\n" + "".join(f"process P{i} {{ state s, t; init s; trans s -> t {{ guard x < 3; effect x = x + 1; }}; }}\n" for i in range(1500))
                   + "system async;\n")
        report, seconds = self.explore("alike.dve", "--time", "1s", "--symmetry", "auto")
        self.assertLess(seconds, 1 + SLACK)
        self.assertEqual(report["reason"], "time")

    def test_a_time_limit_ends_the_search_for_a_measure(self):
        # States with one step, which takes long to find.
        self.write("chain.dve", "int x;\nprocess P { state s; init s; trans\n"
                   + ",\n".join(f"s -> s {{ guard x == {i}; effect x = {i + 1}; }}" for i in range(20_000)) + ";\n}\nsystem async;\n")
        report, seconds = self.explore("chain.dve", "--time", "500ms", "--engine", "sweep")
        self.assertLess(seconds, 0.5 + SLACK)
        self.assertEqual(report["reason"], "time")

    def test_an_explicit_graph_is_not_compiled(self):
        self.write("ring.aut", ring(100_000))
        report, seconds = self.explore("ring.aut")
        self.assertEqual((report["complete"], report["states"], report["compile_seconds"]), (True, 100_000, 0))
        finished = self.run_program("explore", "ring.aut", "--successors", "native")
        self.assertEqual(finished.returncode, 0)
        self.assertIn("notice: an explicit graph has nothing to compile", finished.stderr)

    def test_a_large_net_is_soon_searched(self):
        self.write("net.dve", net(2000, 16_000))
        for successors in ("auto", "native"):
            with self.subTest(successors):
                report, seconds = self.explore("net.dve", "--engine", "bfs", "--states", "100", "--successors", successors)
                self.assertGreaterEqual(report["states"], 100)
                self.assertLess(seconds, 10)

    def test_the_first_interrupt_ends_the_pilot_of_the_packing(self):
        self.write("lockstep.dve", lockstep(60))
        process = self.start_program("explore", "lockstep.dve", "--engine", "bfs")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        process.wait(20)
        self.assertLess(time.monotonic() - start, SLACK)
        self.assertEqual(process.returncode, 3)

    def test_large_models_keep_the_memory_limit(self):
        array = "byte a[100000];\nprocess P { state s; init s; trans\n"
        array += ",\n".join(f"s -> s {{ guard a[{4 * i}] == 0; effect a[{4 * i}] = 1; }}" for i in range(5000)) + ";\n}\nsystem async;\n"
        self.write("writes.dve", array)
        self.write("array.dve", "byte x[1000000];\nprocess P { state s, t; init s; trans s -> t { effect x[1] = 1; }; }\nsystem async;\n")
        self.write("slots.dve", "".join(f"byte x{i};\n" for i in range(32_000)) + "process P { state s; init s; trans "
                   + ", ".join(f"s -> s {{ guard x{i} < 8; effect x{i} = x{i} + 1; }}" for i in range(4)) + "; }\nsystem async;\n")
        labels = {"states": [{"labels": [f"l{i}"]} for i in range(20_000)], "initial": 0, "edges": [[i, (i + 1) % 20_000] for i in range(20_000)]}
        self.write("labels.json", json.dumps(labels))
        for model, engines, megabytes, states in (("writes.dve", ("auto", "bfs"), 64, None), ("array.dve", ("auto", "bfs"), 32, 2),
                                                  ("slots.dve", ("bfs",), 32, 6561), ("labels.json", ("auto", "bfs"), 64, 20_000)):
            for engine in engines:
                with self.subTest((model, engine)):
                    report, _ = self.explore(model, "--engine", engine, "--memory", f"{megabytes}M", "--time", "2s" if states is None else "20s")
                    self.assertLessEqual(report["peak_rss_bytes"], (megabytes + OWN) * 1024 * 1024)
                    if states is not None:
                        self.assertEqual((report["complete"], report["states"]), (True, states))
