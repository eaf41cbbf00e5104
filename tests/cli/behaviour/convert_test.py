"""State spaces as files: what is written can be read, and has the states, steps and deadlocks of the model."""

import json
import re
import shutil
import subprocess
import unittest

from program import EXAMPLES, MODELS, ProgramTest, counters

WITHOUT_FAULTS = [path for path in sorted(MODELS.glob("*.dve")) if not path.name.startswith("fault_")]
SMALL = [path for path in WITHOUT_FAULTS if path.name not in ("arithmetic.dve", "filter3.dve", "readers_writers.dve", "uncommitted.dve")]
EDGE = re.compile(r'  (?:start)?(\d+) -> (\d+)(?: \[label="((?:[^"\\]|\\.)*)"\])?')
NODE = re.compile(r'  (?:start)?(\d+) \[(?:shape=point, )?label="((?:[^"\\]|\\.)*)"(?:, shape=box)?\]')
GRAPHVIZ = shutil.which("dot")
FAN_OUT = "\n".join([
    "byte x = 0;", "process P {", "  state a, b;", "  init a;",
    "  trans a -> b { guard x == 0; effect x = 1; }, a -> b { guard x == 0; effect x = 2; }, b -> a { guard x == 2; };", "}", "system async;", ""])


class StateSpaceTest(ProgramTest):
    def convert(self, *arguments):
        finished = self.run_program("convert", *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        return finished.stdout

    def refused(self, *arguments, status=2):
        finished = self.run_program("convert", *arguments)
        self.assertEqual(finished.returncode, status, finished.stderr)
        return finished

    def report(self, *arguments):
        return json.loads(self.run_program("explore", *arguments, "--quiet", "--json", "-").stdout)

    def counts(self, *arguments):
        report = self.report(*arguments)
        return {name: report[name] for name in ("states", "transitions", "deadlocks")}

    def test_what_was_written_has_the_counts_of_the_model(self):
        for model in SMALL:
            expected = self.counts(model, "--engine", "bfs")
            for form, suffix in (("aut", "aut"), ("kripke", "json")):
                with self.subTest(f"{model.name} {form}"):
                    self.write(f"again.{suffix}", self.convert(model, "--to", form))
                    self.assertEqual(self.counts(f"again.{suffix}", "--engine", "bfs"), expected)

    def test_a_file_that_is_written_again_stays_the_same(self):
        for form, suffix in (("aut", "aut"), ("kripke", "json")):
            with self.subTest(form):
                first = self.convert(MODELS / "peterson.dve", "--to", form)
                self.write(f"first.{suffix}", first)
                self.assertEqual(self.convert(f"first.{suffix}", "--to", form), first)

    def test_threads_change_nothing(self):
        model = MODELS / "philosophers.dve"
        for form in ("aut", "dot", "kripke"):
            self.assertEqual(self.convert(model, "--to", form, "--threads", "2"), self.convert(model, "--to", form))

    def test_steps_are_called_what_traces_call_them(self):
        self.write("model.dve", FAN_OUT)
        trace = self.run_program("check", "model.dve", "--deadlock", "--trace", "actions").stdout
        step = re.search(r"(?m)^ 1  (.*)$", trace).group(1).replace("model.dve:", "line ")
        self.assertIn(f'(0, "{step}", 1)\n', self.convert("model.dve", "--to", "aut"))

    def test_a_drawing_has_every_state_and_step(self):
        for model in SMALL:
            with self.subTest(model.name):
                text = self.convert(model, "--to", "dot", "--label", "always=1 == 1")
                counted = self.counts(model, "--engine", "bfs")
                lines = text.splitlines()
                self.assertRegex(lines[0], r'^digraph "([^"\\]|\\.)*" \{$')
                self.assertEqual((lines[1], lines[-1]), ("  node [shape=circle]", "}"))
                nodes, edges = set(), 0
                for line in lines[2:-1]:
                    if match := EDGE.fullmatch(line):
                        edges += match.group(3) is not None
                    else:
                        match = NODE.fullmatch(line)
                        self.assertIsNotNone(match, line)
                        if match.group(2):
                            nodes.add(int(match.group(1)))
                            self.assertEqual(match.group(2), match.group(1) + " always")
                self.assertEqual((nodes, edges), (set(range(counted["states"])), counted["transitions"]))
                self.assertEqual(text.count("shape=box"), counted["deadlocks"])

    @unittest.skipIf(GRAPHVIZ is None, "Graphviz is not installed")
    def test_graphviz_reads_a_drawing(self):
        self.write("model.dot", self.convert(MODELS / "property_response.dve", "--to", "dot"))
        subprocess.run([GRAPHVIZ, "-Tcanon", "model.dot"], cwd=self.folder, check=True, capture_output=True)

    def test_labels_are_those_of_the_model(self):
        self.write("model.dve", (MODELS / "peterson.dve").read_text())
        text = self.convert("model.dve", "--to", "kripke", "--label", "c0=P0.critical", "--label", "c1=P1.critical")
        self.write("model.json", text)
        carried = [state["labels"] for state in json.loads(text)["states"]]
        self.assertTrue(any(carried) and not all(carried))
        for expression, converted in (("not (P0.critical and P1.critical)", "not (c0 and c1)"), ("not P0.critical", "not c0")):
            first = self.run_program("check", "model.dve", "--invariant", expression)
            second = self.run_program("check", "model.json", "--invariant", converted)
            self.assertEqual(first.returncode, second.returncode)
        # Labels of a file are kept when it is converted again.
        self.assertEqual(json.loads(self.convert("model.json", "--to", "kripke"))["states"], json.loads(text)["states"])

    def test_progress_sweeps_the_same_layers(self):
        for name, measure in (("leader_ring.dve", "leaders,Node0"), ("counters_sync.dve", "steps"), ("producer_consumer.dve", "Producer1.made,Producer2.made"),
                              ("philosophers.dve", "0 - 1")):
            with self.subTest(name):
                model = MODELS / name
                self.write("again.json", self.convert(model, "--to", "kripke", "--progress", measure))
                sweep = ("--engine", "sweep", "--ledger", "none")
                expected = self.report(model, *sweep, "--progress", measure)
                found = self.report("again.json", *sweep)
                for figure in ("states", "transitions", "deadlocks", "peak_states", "sweeps", "layers"):
                    self.assertEqual(found[figure], expected[figure], figure)

    def test_several_initial_states(self):
        self.write("two.json", json.dumps({"states": 3, "initial": [2, 1], "edges": [[1, 0], [2, 0, "a"]]}))
        text = self.convert("two.json", "--to", "kripke")
        self.assertEqual(json.loads(text), {"states": 3, "initial": [0, 1], "edges": [[0, 2, "a"], [1, 2, ""]]})
        self.assertIn("start1 -> 1\n", self.convert("two.json", "--to", "dot"))
        self.assertIn("has 2 initial states, an Aldebaran file has one", self.refused("two.json", "--to", "aut").stderr)

    def test_what_cannot_be_expressed_is_refused(self):
        for form in ("aut", "dot", "kripke"):
            finished = self.refused(MODELS / "fault_division.dve", "--to", form)
            self.assertEqual(finished.stdout, "")
            self.assertIn("has run-time faults (division)", finished.stderr)
        model = MODELS / "peterson.dve"
        for label in ("c", "=1", "1c=1", "not=1", "c c=1"):
            self.assertIn("does not begin with a name", self.refused(model, "--to", "kripke", "--label", label).stderr)
        self.assertIn("two labels 'c'", self.refused(model, "--to", "kripke", "--label", "c=1", "--label", "c=0").stderr)
        self.assertIn("unknown", self.refused(model, "--to", "kripke", "--label", "c=nobody").stderr)
        self.assertIn("cannot be evaluated in every state (division)", self.refused(model, "--to", "dot", "--label", "c=1 / turn == 1").stderr)
        self.assertIn("cannot be evaluated", self.refused(model, "--to", "kripke", "--progress", "1 / turn").stderr)
        self.assertIn("have no labels", self.refused(model, "--to", "aut", "--label", "c=1").stderr)
        self.assertIn("only Kripke structures", self.refused(model, "--to", "dot", "--progress", "turn").stderr)
        self.assertIn("conversions that write the states", self.refused(model, "--to", "model", "--threads", "2").stderr)

    def test_limits_hold(self):
        self.write("model.dve", counters())
        for arguments, message in ((("--to", "dot"), "has more than 10000 states"), (("--to", "aut", "--states", "500"), "has more than 500 states"),
                                   (("--to", "kripke", "--memory", "32M"), "limit on memory"), (("--to", "aut", "--time", "1s"), "limit on time")):
            with self.subTest(arguments):
                finished = self.refused("model.dve", *arguments, status=3)
                self.assertIn(message, finished.stderr)
                self.assertEqual(finished.stdout, "")
        # As many states as there are is not more than that.
        self.assertEqual(self.convert(EXAMPLES / "peterson.dve", "--to", "aut", "--states", "20"), self.convert(EXAMPLES / "peterson.dve", "--to", "aut"))
        self.refused(EXAMPLES / "peterson.dve", "--to", "aut", "--states", "19", status=3)
