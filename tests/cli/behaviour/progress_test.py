"""Measures that are found without asking, and what `tideline progress` reports."""

import json
import os
import re

from program import counters, ProgramTest

COUNTING = """
byte sent = 0; byte got = 0; byte wire = 0;
process Sender {
  state idle, busy, done;
  init idle;
  trans
    idle -> busy { guard sent < 60 and wire == 0; effect sent = sent + 1, wire = 1; },
    busy -> idle { guard wire == 0; },
    busy -> done { guard sent == 60 and wire == 0; };
}
process Receiver {
  state wait, have;
  init wait;
  trans
    wait -> have { guard wire == 1; effect got = got + 1; },
    have -> wait { effect wire = 0; };
}
process Spinner { byte n; state a, b, c; init a; trans a -> b { effect n = 1; }, b -> c { effect n = 2; }, c -> a { effect n = 0; }; }
system async;
"""


class ProgressTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("count.dve", COUNTING)

    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--json", "-", "--quiet")
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def test_exploration_uses_what_was_found(self):
        full = self.report("explore", "count.dve", "--engine", "bfs")
        swept = self.report("explore", "count.dve", "--ledger", "run")
        for name in ("states", "transitions", "deadlocks"):
            self.assertEqual(swept[name], full[name])
        self.assertEqual((swept["engine"], swept["progress"]["source"], swept["expanded"]), ("sweep", "auto", full["states"]))
        self.assertLess(swept["peak_states"], full["states"] / 5)
        self.assertIn("a measure of progress was found", swept["engine_reason"])
        # All states fit into the pilot run, so that nothing is left to guess.
        self.assertAlmostEqual(swept["progress"]["predicted_share"], swept["peak_states"] / swept["states"])

    def test_what_was_found_can_be_given(self):
        found = self.report("explore", "count.dve", "--engine", "sweep")
        given = self.report("explore", "count.dve", "--progress", ",".join(found["progress"]["components"]))
        for name in ("states", "layers", "sweeps", "peak_states", "reread", "widest_layer"):
            self.assertEqual(given[name], found[name])
        self.assertEqual(given["progress"]["source"], "user")

    def test_basic_sweeps_get_a_measure_that_is_certified(self):
        swept = self.report("explore", "count.dve", "--engine", "sweep-basic")
        self.assertEqual((swept["sweeps"], swept["progress"]["monotonic"], swept["progress"]["source"]), (1, "proven", "auto"))

    def test_a_check_of_few_states_is_breadth_first(self):
        checked = self.report("check", "count.dve", "--invariant", "got <= sent")
        self.assertEqual((checked["engine"], checked["properties"][0]["verdict"]), ("bfs", "holds"))
        self.assertIn("fit into memory", checked["engine_reason"])

    def test_the_command_tells_what_is_known(self):
        finished = self.run_program("progress", "count.dve", "--measure", "--svg", "layers.svg")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        text = finished.stdout
        for words in ("Measure\n", "[never decreases]", "Predicted layers", "Actual layers", "transitions in the pilot run", "Next best", "--progress EXPR"):
            self.assertIn(words, text)
        self.assertRegex(text, r"Pilot run    [\d,]+ states, all there are")
        drawing = (self.folder / "layers.svg").read_text()
        self.assertTrue(drawing.startswith("<svg") and drawing.endswith("</svg>\n"))
        self.assertGreater(drawing.count("<rect"), 10)

    def test_the_command_as_json(self):
        report = self.report("progress", "count.dve", "--measure")
        self.assertTrue(report["pilot"]["complete"])
        self.assertEqual(sum(report["actual_layers"]), report["actual_states"])
        self.assertEqual(report["actual_layers"], report["predicted_layers"])
        self.assertEqual(sum(report["predicted_layers"]), report["pilot"]["states"])
        steps = sum(t["forward"] + t["level"] + t["back"] for t in report["transitions"])
        self.assertEqual(steps, self.report("explore", "count.dve", "--engine", "bfs")["transitions"])
        back = [t["text"] for t in report["transitions"] if t["back"] > 0]
        self.assertTrue(all(re.match(r"\w+: \w+ -> \w+ \(line \d+\)", text) for text in back), back)

    def test_a_given_measure_is_rated_beside_the_found_ones(self):
        report = self.report("progress", "count.dve", "--progress", "0 - got")
        self.assertTrue(report["given"])
        self.assertEqual((report["measures"][0]["components"], report["measures"][0]["monotonic_components"]), (["0 - got"], 0))
        self.assertGreater(report["measures"][0]["peak_share"], report["measures"][1]["peak_share"])
        finished = self.run_program("progress", "count.dve", "--progress", "nothing")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("unknown name 'nothing'", finished.stderr)

    def test_the_command_predicts_what_runs_take(self):
        self.write("many.dve", counters(4, 20))
        for model in ("count.dve", "many.dve"):
            report = self.report("progress", model)["forecast"]
            states = self.report("explore", model, "--engine", "bfs")["states"]
            self.assertEqual((report["states"], report["states_exact"], report["bfs"]["fits"]), (states, True, True))
            self.assertGreater(report["bfs"]["seconds"], 0)
            self.assertGreater(report["sweep"]["seconds"], 0)
        self.write("huge.dve", counters(8, 60))
        report = self.report("progress", "huge.dve", "--memory", "64M")["forecast"]
        self.assertEqual((report["states_exact"], report["memory"]), (False, 64 << 20))
        self.assertNotEqual(report["bfs"]["fits"], True)
        self.assertGreater(report["bfs"]["bytes_per_state"], 4)
        self.assertLess(report["bfs"]["most_states"], (64 << 20) / 4)
        text = self.run_program("progress", "huge.dve", "--memory", "64M").stdout
        self.assertRegex(text, r"Forecast     (more than|perhaps) [\d,]+ states")
        self.assertRegex(text, r"in memory    .*64\.0 MB")
        self.assertRegex(text, r"sweep        ")
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tideline-")], [])

    def test_projections(self):
        report = self.report("progress", "count.dve", "--progress", "projection")
        self.assertEqual((report["source"], report["given"]), ("projection", False))
        for measure in report["measures"]:
            for component in measure["components"]:
                self.assertRegex(component, r"^[\w.]+(\[\d+\])?$")
        used = self.report("explore", "count.dve", "--engine", "sweep", "--progress", "projection")["progress"]["components"]
        self.assertEqual(report["measures"][0]["components"], used)

    def test_a_system_without_progress(self):
        self.write("one.dve", "process P { state a; init a; trans a -> a {}; }\nsystem async;\n")
        finished = self.run_program("progress", "one.dve")
        self.assertEqual(finished.returncode, 0)
        self.assertIn("No measure of progress was found", finished.stdout)
        explored = self.report("explore", "one.dve", "--ledger", "run")
        self.assertEqual((explored["engine"], explored["progress"]["source"]), ("bfs", "none"))
        self.assertIn("no measure of progress", explored["engine_reason"])

    def test_resuming_takes_the_measure_from_the_ledger(self):
        stopped = self.report("explore", "count.dve", "--ledger", "run", "--states", "100", status=3)
        self.assertFalse(stopped["complete"])
        resumed = self.report("resume", "run")
        whole = self.report("explore", "count.dve", "--engine", "sweep")
        for name in ("states", "transitions", "deadlocks", "expanded", "layers"):
            self.assertEqual(resumed[name], whole[name])
        self.assertEqual(resumed["progress"]["components"], whole["progress"]["components"])
        self.assertEqual(resumed["progress"]["source"], "auto")

    def test_auto_looks_for_no_measure(self):
        explored = self.report("explore", "count.dve")
        self.assertEqual((explored["engine"], explored["progress"]["source"], explored["sweeps"]), ("bfs", "none", 0))
        self.assertIn("fit into memory", explored["engine_reason"])

    def test_a_limit_ends_the_search_for_a_measure(self):
        self.write("many.dve", counters(12, 200))
        finished = self.run_program("progress", "many.dve", "--time", "100ms")
        self.assertEqual((finished.returncode, finished.stdout), (3, ""))
        # On a busy machine the time may be over before.
        self.assertRegex(finished.stderr, "stopped (before measures were rated|while the)")

    def test_a_limit_of_memory_does_not_make_the_pilot_smaller(self):
        processes = "".join(f"process P{i} {{ byte n; state a; init a; trans a -> a {{ guard n < 45; effect n = n + 1; }}; }}\n" for i in range(3))
        self.write("wide.dve", f"byte room[70];\n{processes}system async;\n")
        free, limited = (self.report("progress", "wide.dve", *options)["pilot"] for options in ((), ("--memory", "4M")))
        self.assertGreater(free["states"], 90_000)
        self.assertEqual(free, limited)

    def test_explicit_systems_have_progress_too(self):
        edges = "\n".join(f'({i}, "step", {i + 1})' for i in range(40))
        self.write("line.aut", f"des (0, 40, 41)\n{edges}\n")
        swept = self.report("explore", "line.aut", "--engine", "sweep")
        self.assertEqual((swept["engine"], swept["states"], swept["sweeps"]), ("sweep", 41, 1))
        self.assertLess(swept["peak_states"], 5)

    def test_explicit_systems_are_ordered_by_their_graph(self):
        # Circles of three, one after the other; and one large circle with short cuts. Numbers do not show the order.
        number = [(i * 77 + 5) % 300 for i in range(300)]
        chain = [(i, i - 2 if i % 3 == 2 else i + 1) for i in range(300)] + [(i, i + 3) for i in range(297)]
        circle = [(i, (i + 1) % 300) for i in range(300)] + [(i, i + 2) for i in range(298)]
        for name, edges, passes in (("chain", chain, 1), ("circle", circle, 2)):
            states = [{"name": f"s{number[i]}"} for i in range(300)]
            states.sort(key=lambda state: int(state["name"][1:]))
            self.write(f"{name}.json", json.dumps({"states": states, "initial": f"s{number[0]}",
                                                   "edges": [[f"s{number[a]}", f"s{number[b]}"] for a, b in edges]}))
            self.write(f"{name}.aut", f"des ({number[0]}, {len(edges)}, 300)\n" +
                       "".join(f'({number[a]}, "step", {number[b]})\n' for a, b in edges))
            for path in (f"{name}.json", f"{name}.aut"):
                with self.subTest(path):
                    swept = self.report("explore", path, "--engine", "sweep")
                    self.assertEqual((swept["engine"], swept["states"], swept["expanded"], swept["sweeps"]), ("sweep", 300, 300, passes))
                    self.assertLess(swept["peak_states"], 8)
                    found = self.report("progress", path)["measures"][0]
                    self.assertEqual(found["monotonic_components"] > 0, passes == 1)

    def test_a_measure_that_cannot_be_evaluated(self):
        for options in ([], ["--json", "-"], ["--quiet"], ["--measure"]):
            with self.subTest(options):
                finished = self.run_program("progress", "count.dve", "--progress", "1/wire", *options)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertEqual(finished.stderr, "--progress: error: the measure cannot be evaluated in a state that is reached: 1/wire where wire = 0\n"
                                                  "  expected a measure without division by zero, indices outside an array and the like\n")

    def test_the_measure_of_the_model_is_the_one_that_is_told(self):
        self.write("own.dve", "// tideline progress: got\n" + COUNTING)
        report = self.report("progress", "own.dve")
        self.assertEqual((report["source"], report["measures"][0]["components"]), ("model", ["got"]))
        self.assertEqual(self.report("explore", "own.dve", "--engine", "sweep")["progress"]["components"], ["got"])
        self.assertIn("Measure (of the model)\n  1. got", self.run_program("progress", "own.dve").stdout)
        # Another one where it is asked for.
        self.assertEqual(self.report("progress", "own.dve", "--progress", "sent")["measures"][0]["components"], ["sent"])
