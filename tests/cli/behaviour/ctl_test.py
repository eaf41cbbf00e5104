"""Branching time: formulas of CTL and CTL*, engines, readings of deadlocks, evidence as a tree."""

import json

from program import EXAMPLES, MODELS, ProgramTest

# s0 -> s1 -> s2 (a deadlock), s0 -> s0; q holds in s2 only.
CHAIN = """{"states": [{"name": "s0", "labels": ["p"]}, {"name": "s1", "labels": ["p"]}, {"name": "s2", "labels": ["q"]}],
 "initial": [0], "edges": [[0, 0], [0, 1], [1, 2]]}"""

# Two initial states; q holds in the second one only.
TWO = """{"states": [{"name": "s0", "labels": ["p"]}, {"name": "s1", "labels": ["p", "q"]}], "initial": [0, 1], "edges": [[0, 0], [1, 1]]}"""

ENGINES = ("auto", "labelling", "prod", "local", "ledger")


class CtlTest(ProgramTest):
    def report(self, *arguments, status):
        finished = self.run_program("check", *arguments, "--quiet", "--json", "-")
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        return json.loads(finished.stdout)

    def test_every_engine_decides_it(self):
        for formula, status in (("AG EF P0.critical", 0), ("AF P0.critical", 1), ("A[!P0.critical W P0.waiting]", 0), ("EG !P0.critical", 0),
                                ("AG (P0.waiting -> AF P0.critical)", 0), ("AG {not (P0.critical and P1.critical)}", 0), ("EX EX P1.critical", 1)):
            for engine in ENGINES:
                with self.subTest(formula=formula, engine=engine):
                    [found] = self.report(MODELS / "peterson.dve", "--ctl", formula, "--engine", engine, status=status)["properties"]
                    self.assertEqual((found["name"], found["logic"], found["formula"]), ("ctl", "ctl", formula))
                    self.assertEqual(found["verdict"], "violated" if status else "holds")

    def test_ctlstar(self):
        for formula, status in (("E (G F P0.critical & G F P1.critical)", 0), ("A (F G P0.critical -> false)", 0), ("A G F P0.critical", 1),
                                ("AG E (F P0.critical & X X true)", 0)):
            for engine in ("auto", "labelling", "ledger"):
                with self.subTest(formula=formula, engine=engine):
                    self.report(MODELS / "peterson.dve", "--ctlstar", formula, "--engine", engine, status=status)
        finished = self.run_program("check", MODELS / "peterson.dve", "--ctlstar", "A G F P0.critical", "--engine", "prod")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("the engine prod decides CTL, not CTL*", finished.stderr)

    def test_formulas_that_are_wrong(self):
        for option, formula, message in (("--ctl", "G p", "p"), ("--ctl", "AG nothing", "nothing"), ("--ctlstar", "G F P0.critical", "formula of paths"),
                                         ("--ctl", "A G F P0.critical", "")):
            with self.subTest(formula):
                finished = self.run_program("check", MODELS / "peterson.dve", option, formula)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn(message, finished.stderr)

    def test_readings_of_deadlocks(self):
        self.write("chain.json", CHAIN)
        cases = {"AG EX true": (0, 1, 0), "EF q": (0, 0, 1), "AF EG true": (0, 0, 0), "EF AX false": (1, 0, 1), "EG p": (0, 0, 0), "AG p": (1, 1, 0)}
        for formula, statuses in cases.items():
            for reading, status in zip(("stutter", "finite", "ignore"), statuses):
                for engine in ENGINES:
                    with self.subTest(formula=formula, reading=reading, engine=engine):
                        finished = self.run_program("check", "chain.json", "--ctl", formula, "--deadlocks", reading, "--engine", engine)
                        self.assertEqual(finished.returncode, status, finished.stdout)
        finished = self.run_program("check", "chain.json", "--ctlstar", "E G F p", "--deadlocks", "finite")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("no meaning on paths that end", finished.stderr)

    def test_several_initial_states(self):
        self.write("two.json", TWO)
        for engine in ENGINES:
            with self.subTest(engine):
                report = self.report("two.json", "--ctl", "AG p", "--ctl", "AG q", "--ctl", "EF q", "--engine", engine, status=1)
                self.assertEqual([p["verdict"] for p in report["properties"]], ["holds", "violated", "violated"])
                self.assertEqual(report["properties"][1]["evidence"]["initial"], 0)

    def test_evidence_is_a_tree(self):
        self.write("chain.json", CHAIN)
        for engine in ENGINES:
            with self.subTest(engine):
                [found] = self.report("chain.json", "--ctl", "EF (p & EX q) & AG (q -> AX q)", "--engine", engine, status=0)["properties"]
                root = found["evidence"]["root"]
                self.assertEqual((root["kind"], root["value"]), ("parts", True))
                path = next(child for child in root["children"] if child["kind"] == "path")
                self.assertEqual([state["state"] if "state" in state else state["lts"] for state in path["path"]["states"]], ["s0", "s1"])
                self.assertTrue(found["evidence"]["complete"])

    def test_evidence_has_a_size(self):
        self.write("chain.json", CHAIN)
        formula = "EF EF EF EF EX q"
        [found] = self.report("chain.json", "--ctl", formula, "--evidence", "2", status=0)["properties"]
        self.assertFalse(found["evidence"]["complete"])
        self.assertIn("...", self.run_program("check", "chain.json", "--ctl", formula, "--evidence", "2").stdout)
        [found] = self.report("chain.json", "--ctl", formula, "--evidence", "all", status=0)["properties"]
        self.assertTrue(found["evidence"]["complete"])

    def test_evidence_as_a_drawing(self):
        self.write("chain.json", CHAIN)
        self.run_program("check", "chain.json", "--ctl", "EF q", "--evidence-dot", "tree.dot")
        text = (self.folder / "tree.dot").read_text()
        self.assertTrue(text.startswith("digraph evidence {"))
        self.assertIn("EF q", text)

    def test_states_that_satisfy_it(self):
        self.write("chain.json", CHAIN)
        for engine in ("auto", "labelling", "prod"):
            with self.subTest(engine):
                [found] = self.report("chain.json", "--ctl", "AG EF q", "--satisfying", "--list", "1", "--engine", engine, status=0)["properties"]
                self.assertEqual({s["formula"]: s["states"] for s in found["satisfying"]}, {"q": 1, "EF q": 3, "AG EF q": 3})
                self.assertTrue(all(len(s["listed"]) == 1 for s in found["satisfying"]))
        for arguments, message in ((("--satisfying", "--engine", "local"), "cannot count"), (("--list", "2"), "without --satisfying"),
                                   (("--order", "components"), "for the engine prod"), (("--evidence", "0"), "--evidence")):
            with self.subTest(arguments):
                finished = self.run_program("check", "chain.json", "--ctl", "EF q", *arguments)
                self.assertEqual(finished.returncode, 2)
                self.assertIn(message, finished.stderr)

    def test_atoms_that_speak_of_steps(self):
        for engine in ("auto", "labelling", "prod", "local", "ledger"):
            with self.subTest(engine):
                report = self.report(MODELS / "philosophers.dve", "--ctl", "EF deadlock", "--ctl", "AG enabled(Philosopher0)", "--ctl", "AG (deadlock -> AG deadlock)", "--engine", engine, status=1)
                self.assertEqual([p["verdict"] for p in report["properties"]], ["holds", "violated", "holds"])
        finished = self.run_program("check", MODELS / "philosophers.dve", "--ctl", "AG moved(Philosopher0)")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("speaks of a step", finished.stderr)

        finished = self.run_program("check", MODELS / "philosophers.dve", "--ctl", "EF deadlock", "--ctl", "AG (deadlock -> !enabled(Philosopher1))", "--ctl", "AG EX enabled(Philosopher0)", "--ledger", "run")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        finished = self.run_program("audit", "run")
        self.assertEqual(finished.returncode, 0, finished.stdout)
        self.assertEqual(finished.stdout.count("confirmed by its certificate"), 3)

    def test_atoms_that_speak_of_steps_layer_by_layer(self):
        self.write("end.dve", "process P { int x; state s; init s; trans s -> s { guard x < 5; effect x = x + 1; }; }\n"
                   "process Q { int y; state a, b; init a; trans a -> b { guard P.x > 2; }, b -> a {}; }\nsystem async;\n".replace("P.x", "P->x"))
        for formula, status in (("AG EF !enabled(P)", 0), ("AG AF !enabled(P)", 1), ("AG EF deadlock", 1), ("AG EF enabled(Q)", 0), ("AG AF enabled(Q)", 0)):
            for engine in ("labelling", "ledger", "scc-ctl"):
                with self.subTest(formula=formula, engine=engine):
                    self.report("end.dve", "--ctl", formula, "--engine", engine, "--progress", "P->x" if engine != "labelling" else "auto", status=status)

    def test_layers(self):
        """The running example of the paper of 2017, completed as its text demands: layers of 1, 5 and 6 states."""
        verdicts = {"AG EF p": "holds", "AG AF (p | q)": "holds", "AG EF q": "violated", "AG AF p": "violated"}
        for engine in (*ENGINES, "scc-ctl"):
            for formula, verdict in verdicts.items():
                with self.subTest(engine=engine, formula=formula):
                    [found] = self.report(EXAMPLES / "layers.json", "--ctl", formula, "--engine", engine, status=0 if verdict == "holds" else 1)["properties"]
                    self.assertEqual(found["verdict"], verdict)
                    if verdict == "violated":
                        self.assertEqual(found["evidence"]["root"]["kind"], "path")
        report = self.report(EXAMPLES / "layers.json", "--ctl", "AG EF p", "--engine", "scc-ctl", status=0)
        self.assertEqual((report["states"], report["transitions"], report["layers"], report["widest_layer"], report["peak_states"]), (12, 15, 3, 6, 7))
        basic = json.loads(self.run_program("explore", EXAMPLES / "layers.json", "--engine", "sweep-basic", "--quiet", "--json", "-").stdout)
        self.assertEqual((basic["states"], basic["layers"], basic["peak_states"]), (12, 3, 7))

    def test_what_scc_ctl_refuses(self):
        cases = ((("--ctl", "EF p"), "decides AG EF p and AG AF p alone"), (("--ctl", "AG EF AX p"), "decides AG EF p and AG AF p alone"),
                 (("--ctl", "AG EF p", "--deadlocks", "ignore"), "behind the exits of a layer"), (("--ctl", "AG EF p", "--ledger", "dir", "--record", "edges"), "records the spanning tree alone"),
                 (("--ctl", "AG EF p", "--progress", "-state"), "monotonic"))
        for arguments, message in cases:
            with self.subTest(arguments):
                finished = self.run_program("check", EXAMPLES / "layers.json", "--engine", "scc-ctl", *arguments)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn(message, finished.stderr)

    def test_a_spanning_tree(self):
        """scc-ctl and sweep-basic write it as the sweep leaves the layers; what is there can be confirmed, but for the verdict."""
        report = self.report(EXAMPLES / "layers.json", "--engine", "scc-ctl", "--ctl", "AG EF p", "--ledger", "tree", status=0)
        self.assertEqual((report["states"], report["transitions"], report["peak_states"]), (12, 15, 7))
        finished = self.run_program("audit", "tree")
        self.assertEqual(finished.stdout.count("NOT CONFIRMED"), 1, finished.stdout)
        self.assertIn("has no certificate", finished.stdout)
        self.assertIn("states        12\ntransitions   15\n", finished.stdout)
        finished = self.run_program("resume", "tree", "--quiet", "--json", "-")  # decided again
        self.assertEqual((finished.returncode, json.loads(finished.stdout)["properties"][0]["verdict"]), (0, "holds"))
        finished = self.run_program("explore", EXAMPLES / "layers.json", "--engine", "sweep-basic", "--ledger", "basic")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        finished = self.run_program("audit", "basic")
        self.assertEqual(finished.returncode, 0, finished.stdout)
        finished = self.run_program("explore", EXAMPLES / "layers.json", "--engine", "sweep-basic", "--progress", "-state", "--ledger", "not monotonic")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("monotonic", finished.stderr)

    def test_engines_without_a_ledger_refuse_it(self):
        for engine, arguments in (("labelling", ("--ctl", "AG EF p")), ("prod", ("--ctl", "AG EF p")), ("local", ("--ctl", "AG EF p")), ("dfs", ("--deadlock",)), ("couvreur", ("--ltl", "G p")), ("ndfs", ("--ltl", "G p"))):
            with self.subTest(engine):
                finished = self.run_program("check", EXAMPLES / "layers.json", "--engine", engine, *arguments, "--ledger", "dir")
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn(f"the engine {engine} writes no ledger", finished.stderr)

    def test_ledgers(self):
        for measure in ("auto", "state", "-state", "state % 3", "7"):
            with self.subTest(measure):
                report = self.report(EXAMPLES / "layers.json", "--ctl", "AG EF p", "--ctl", "AG AF p", "--ctlstar", "E (G F q & G !p)", "--engine", "ledger", "--progress", measure,
                                     "--satisfying", status=1)
                self.assertEqual([p["verdict"] for p in report["properties"]], ["holds", "violated", "holds"])
                self.assertEqual(report["engine"], "ledger")
                self.assertGreater(report["properties"][0]["figures"]["clusters"], 0)
                self.assertEqual([s["states"] for s in report["properties"][0]["satisfying"]], [2, 12, 12])
        finished = self.run_program("check", EXAMPLES / "layers.json", "--ctl", "AG EF p", "--engine", "ledger", "--ledger", "none")
        self.assertEqual(finished.returncode, 2)

    def test_a_ledger_is_resumed(self):
        finished = self.run_program("check", MODELS / "philosophers.dve", "--ctl", "AG EF Philosopher0.think", "--ctl", "EF Philosopher0.one", "--ledger", "dir", "--states", "20", "--quiet", "--json", "-")
        self.assertEqual(finished.returncode, 3)
        self.assertEqual([p["verdict"] for p in json.loads(finished.stdout)["properties"]], ["unknown", "unknown"])
        for _ in range(2):
            finished = self.run_program("resume", "dir", "--quiet", "--json", "-")
            self.assertEqual(finished.returncode, 1, finished.stderr)
            report = json.loads(finished.stdout)
            self.assertEqual([p["verdict"] for p in report["properties"]], ["violated", "holds"])
            self.assertEqual((report["engine"], report["states"]), ("ledger", 242))
            self.assertEqual(report["properties"][0]["evidence"]["root"]["kind"], "path")

    def test_files_of_properties(self):
        self.write("p.properties", "again: ctl AG EF P0.critical\nnever violated: ctl AG !P0.critical\nboth: ctlstar E (G F P0.critical & G F P1.critical)\nsafe: invariant not (P0.critical and P1.critical)\n")
        finished = self.run_program("check", MODELS / "peterson.dve", "--properties", "p.properties", "--expect", "--quiet")
        self.assertEqual(finished.returncode, 0, finished.stdout + finished.stderr)

    def test_a_search_that_takes_long_is_continued_by_labelling(self):
        # More states than are visited on the fly: the first formula needs all of them, the second a few.
        lines = "".join(f"process P{i} {{ int x; state s; init s; trans s -> s {{ guard x < 17; effect x = x + 1; }}; }}\n" for i in range(4))
        self.write("many.dve", lines + "system async;\n")
        report = self.report("many.dve", "--ctl", "AG EF {P0.x == 17 and P1.x == 17}", "--ctl", "EF {P0.x == 3}", status=0)
        self.assertEqual(report["engine"], "local, labelling")
        self.assertEqual([p["verdict"] for p in report["properties"]], ["holds", "holds"])
        self.assertEqual(report["states"], 18 ** 4)

    def test_a_graph_that_does_not_fit_into_memory_goes_to_disk(self):
        lines = "".join(f"process P{i} {{ int x; state s; init s; trans s -> s {{ guard x < 13; effect x = x + 1; }}; }}\n" for i in range(5))
        self.write("many.dve", lines + "system async;\n")
        report = self.report("many.dve", "--ctl", "AG EF {P0.x == 13 and P1.x == 13}", "--memory", "8M", status=0)
        self.assertEqual((report["engine"], report["states"], report["properties"][0]["verdict"]), ("ledger", 14 ** 5, "holds"))
        finished = self.run_program("check", "many.dve", "--ctl", "AG EF {P0.x == 13 and P1.x == 13}", "--memory", "8M", "--ledger", "none", "--quiet")
        self.assertEqual(finished.returncode, 3)

    def test_components_first_and_threads(self):
        for arguments in (("--engine", "prod", "--order", "components"), ("--engine", "labelling", "--threads", "2")):
            with self.subTest(arguments):
                [found] = self.report(EXAMPLES / "peterson.dve", "--ctl", "AG EF P0.critical", *arguments, status=0)["properties"]
                self.assertGreater(found["figures"]["edge_visits"], 0)

    def test_limits_leave_it_unknown(self):
        [found] = self.report(MODELS / "philosophers.dve", "--ctl", "AG EF Philosopher0.one", "--engine", "labelling", "--states", "10", status=3)["properties"]
        self.assertEqual((found["verdict"], found["reason"]), ("unknown", "states"))
