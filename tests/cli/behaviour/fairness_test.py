"""Fair runs: --fair weak and --fair strong, the engine graph, and refusals."""

import json

from program import MODELS, ProgramTest

# Q can always move. Taker can move whenever P is in b, which is again and again, but never for long.
MODEL = """\
byte x;
process P { state a, b; init a; trans a -> b {}, b -> a {}; }
process Q { state q, done; init q; trans q -> done {}, done -> done {}; }
process Taker { state r, got; init r; trans r -> got { guard P.b; }, got -> got {}; }
system async;
"""


class FairnessTest(ProgramTest):
    def report(self, path, *arguments):
        finished = self.run_program("check", path, *arguments, "--quiet", "--json", "-")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)

    def verdict(self, path, *arguments):
        return self.report(path, *arguments)["properties"][0]["verdict"]

    def test_kinds_of_fairness(self):
        path = self.write("model.dve", MODEL)
        expected = {  # none, weak, strong
            "F Q.done": ("violated", "holds", "holds"),
            "F Taker.got": ("violated", "violated", "holds"),
            "F P.b": ("violated", "holds", "holds"),
            "G F moved(P)": ("violated", "holds", "holds"),
            "F G !enabled(Taker) | F Taker.got": ("violated", "violated", "holds"),
            "G !Q.done": ("violated", "violated", "violated"),
        }
        for formula, verdicts in expected.items():
            for fair, verdict in zip(("none", "weak", "strong"), verdicts):
                for engine in ("auto", "graph", "sweep") + (("couvreur",) if fair != "strong" else ()):
                    with self.subTest(formula=formula, fair=fair, engine=engine):
                        self.assertEqual(self.verdict(path, "--ltl", formula, "--fair", fair, "--engine", engine), verdict)

    def test_branching_time(self):
        path = self.write("model.dve", MODEL)
        expected = {  # none, weak, strong
            "A F Q.done": ("violated", "holds", "holds"),
            "A F Taker.got": ("violated", "violated", "holds"),
            "E G !Taker.got": ("holds", "holds", "violated"),
            "A G E F Taker.got": ("holds", "holds", "holds"),
            "A G (P.a -> A F P.b)": ("violated", "holds", "holds"),
            "A[!Q.done U (E G !Taker.got)]": ("holds", "holds", "violated"),
            "E G (P.a | Taker.r)": ("holds", "holds", "violated"),
            "A G A F P.b": ("violated", "holds", "holds"),
            "A (G F P.b & F Q.done)": ("violated", "holds", "holds"),
            "E (G F P.b & G !Taker.got)": ("holds", "holds", "violated"),
            "A (G F P.b -> F Taker.got)": ("violated", "violated", "holds"),
        }
        for formula, verdicts in expected.items():
            logic = "--ctlstar" if "(G F" in formula else "--ctl"
            for fair, verdict in zip(("none", "weak", "strong"), verdicts):
                for engine in ("auto", "labelling", "ledger"):
                    progress = ("--progress", "x + P.a + Q.done") if engine == "ledger" else ()
                    with self.subTest(formula=formula, fair=fair, engine=engine):
                        found = self.report(path, logic, formula, "--fair", fair, "--engine", engine, *progress)["properties"][0]
                        self.assertEqual(found["verdict"], verdict)
                        self.assertIn("evidence", found)

    def test_audits_say_that_fair_paths_have_no_certificate(self):
        path = self.write("model.dve", MODEL)
        finished = self.run_program("check", path, "--ctl", "A F Q.done", "--fair", "weak", "--engine", "ledger", "--ledger", "L", "--progress", "x")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertIn("what holds of fair paths is not certified", finished.stderr)
        finished = self.run_program("audit", "L")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("has no certificate that could be checked", finished.stdout)

    def test_states_are_not_copied(self):
        path = self.write("model.dve", MODEL)
        plain = self.report(path, "--ltl", "F Q.done | F !Q.done", "--engine", "couvreur")
        fair = self.report(path, "--ltl", "F Q.done | F !Q.done", "--engine", "couvreur", "--fair", "weak")
        for figure in ("states", "transitions"):
            self.assertEqual(plain[figure], fair[figure])

    def test_results_of_graph_do_not_depend_on_threads(self):
        for formula in ("G F P0.critical", "G (P0.waiting -> F P0.critical)"):
            reports = [self.report(MODELS / "peterson.dve", "--engine", "graph", "--ltl", formula, "--threads", str(n))
                       for n in (1, 2, 3)]
            for figure in ("states", "transitions", "complete", "reason"):
                self.assertEqual(len({str(report[figure]) for report in reports}), 1, figure)
            self.assertEqual(len({json.dumps(report["properties"][0]["trace"]) for report in reports}), 1)

    def test_more_processes_than_marks(self):
        processes = "".join(f"process P{i} {{ state a, b; init a; trans a -> b {{ guard x == {i}; effect x = x + 1; }}; }}\n"
                            for i in range(70))
        path = self.write("model.dve", "byte x;\n" + processes + "process Z { state z; init z; trans z -> z {}; }\nsystem async;\n")
        for fair, verdict in (("none", "violated"), ("weak", "holds"), ("strong", "holds")):
            self.assertEqual(self.verdict(path, "--ltl", "F P69.b", "--fair", fair), verdict)
        for fair, engine in (("weak", "couvreur"), ("weak", "sweep"), ("strong", "sweep")):
            finished = self.run_program("check", path, "--ltl", "F P69.b", "--fair", fair, "--engine", engine)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("the engine graph has no such limit", finished.stderr)
        # No change to a sweep that could not be fair.
        for fair in ("weak", "strong"):
            self.assertEqual(self.report(path, "--ltl", "F P69.b", "--fair", fair, "--change-at", "5")["engine"], "graph")

    def test_strong_fairness_goes_on_after_a_change_to_the_sweep(self):
        path = self.write("model.dve", MODEL)
        for formula, verdict in (("F Taker.got", "holds"), ("G !Q.done", "violated"), ("G F moved(P)", "holds"), ("F {x == 1}", "violated")):
            with self.subTest(formula=formula):
                report = self.report(path, "--ltl", formula, "--fair", "strong", "--change-at", "2")
                self.assertEqual((report["engine"], report["properties"][0]["verdict"]), ("sweep", verdict))

    def test_property_processes(self):
        watched = MODEL.replace("system async;", """\
process Watch { state w; init w; accept w; trans w -> w { guard not Q.done; }; }
system async property Watch;""")
        path = self.write("model.dve", watched)
        for fair, verdict in (("none", "violated"), ("weak", "holds"), ("strong", "holds")):
            for engine in ("auto", "graph", "sweep"):
                self.assertEqual(self.verdict(path, "--fair", fair, "--engine", engine), verdict)

    def test_refusals(self):
        path = self.write("model.dve", MODEL)
        for arguments, message in (
            (("--deadlock", "--fair", "weak"), "--fair is about properties of runs"),
            (("--ctl", "A F P.b", "--fair", "weak", "--engine", "prod"), "is a matter of components"),
            (("--ctl", "A F P.b", "--fair", "weak", "--engine", "local"), "does not visit all states"),
            (("--ctl", "A G A F P.b", "--fair", "weak", "--engine", "scc-ctl", "--progress", "x"), "the engine scc-ctl does not know fairness"),
            (("--ltl", "F P.b", "--fair", "strong", "--engine", "couvreur"), "does not decide strong fairness"),
            (("--ltl", "F P.b", "--fair", "fully"), "--fair: unknown kind of fairness 'fully'"),
        ):
            with self.subTest(arguments=arguments):
                finished = self.run_program("check", path, *arguments)
                self.assertEqual(finished.returncode, 2)
                self.assertIn(message, finished.stderr)
