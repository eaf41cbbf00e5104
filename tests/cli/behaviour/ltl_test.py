"""Properties of runs: formulas, automata and property processes, with the runs that violate them."""

import json
import time

from program import EXAMPLES, MODELS, ProgramTest, counters

RESPONSE = "G (P0.waiting -> F P0.critical)"
RECURRENCE = "G F P0.critical"

# Counts x up to 3, where it stops.
STOPPING = "byte x;\nprocess P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; }\nsystem async;\n"

# Accepts runs on which x is 3 for ever.
WATCHED = STOPPING.replace("system async;", """\
process Watch {
  state wait, three;
  init wait;
  accept three;
  trans wait -> wait {}, wait -> three { guard x == 3; }, three -> three { guard x == 3; };
}
system async property Watch;""")


class LtlTest(ProgramTest):
    def report(self, *arguments, status):
        finished = self.run_program("check", *arguments, "--quiet", "--json", "-")
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        return json.loads(finished.stdout)

    def property(self, *arguments, status):
        return self.report(*arguments, status=status)["properties"][0]

    def test_a_formula_that_holds(self):
        report = self.report(MODELS / "peterson.dve", "--ltl", RESPONSE, status=0)
        self.assertEqual((report["engine"], report["complete"], report["reason"]), ("couvreur", True, None))
        [found] = report["properties"]
        self.assertEqual((found["name"], found["logic"], found["formula"], found["verdict"]), ("ltl", "ltl", RESPONSE, "holds"))
        self.assertIsNone(found["trace"])
        # It has seen what a full search of the product sees.
        explored = json.loads(self.run_program("explore", MODELS / "peterson.dve", "--ltl", RESPONSE, "--quiet", "--json", "-").stdout)
        for figure in ("states", "transitions", "deadlocks"):
            self.assertEqual(report[figure], explored[figure])

    def test_a_formula_that_is_violated_has_a_run_with_a_cycle(self):
        report = self.report(MODELS / "peterson.dve", "--ltl", RECURRENCE, status=1)
        self.assertEqual((report["complete"], report["reason"]), (False, "violation"))
        trace = report["properties"][0]["trace"]
        states = trace["states"]
        self.assertLess(trace["loop"], len(states))
        self.assertIn("closing-step", trace["#meta"])
        self.assertNotIn("(automaton)", trace["vars"])
        for state in states[trace["loop"]:]:
            self.assertNotEqual(state["P0"], "critical")

    def test_the_run_is_shown_with_its_cycle(self):
        finished = self.run_program("check", MODELS / "peterson.dve", "--ltl", RECURRENCE)
        self.assertEqual(finished.returncode, 1)
        self.assertTrue(finished.stdout.startswith(f"VIOLATED  ltl: {RECURRENCE}\ndecided before all states were visited; "), finished.stdout)
        self.assertRegex(finished.stdout, r"\n +the cycle begins here, in state \d+\n")
        self.assertRegex(finished.stdout, r"\n +back to state \d+: the cycle is closed\n")

    def test_a_deadlock_repeats_for_ever(self):
        self.write("model.dve", STOPPING)
        self.assertEqual(self.property("model.dve", "--ltl", "F G {x == 3}", status=0)["verdict"], "holds")
        found = self.property("model.dve", "--ltl", "G F {x < 3}", status=1)
        self.assertEqual((len(found["trace"]["states"]), found["trace"]["loop"]), (4, 3))
        finished = self.run_program("check", "model.dve", "--ltl", "G F {x < 3}", "--trace", "actions", "--engine", "couvreur")
        self.assertIn(" 4  nothing moves\n", finished.stdout)
        self.assertIn("back to state 3: the cycle is closed\n", finished.stdout)

    def test_a_safety_formula_ends_at_the_step_that_violates_it(self):
        self.write("model.dve", STOPPING)
        report = self.report("model.dve", "--ltl", "G ({x == 1} -> X {x == 3})", status=1)
        self.assertEqual(report["engine"], "bfs")
        trace = report["properties"][0]["trace"]
        self.assertEqual([state["x"] for state in trace["states"]], [0, 1, 2])
        self.assertEqual((trace["#meta"]["bad-prefix"]["state"], "loop" in trace), (2, False))
        finished = self.run_program("check", "model.dve", "--ltl", "G {x < 2}", "--trace", "actions")
        self.assertIn(" 2  P: s -> s (model.dve:2)\n      this step violates the formula: no run that begins like this satisfies it\n", finished.stdout)
        self.assertIn("engine        bfs (a safety formula: a monitor decides it breadth-first)\n", finished.stdout)
        finished = self.run_program("check", "model.dve", "--ltl", "{x == 1}", "--trace", "actions")
        self.assertIn("this state violates the formula: no run that begins here satisfies it\n", finished.stdout)

    def test_every_engine_ends_a_safety_formula_at_that_step(self):
        self.write("model.dve", STOPPING)
        for engine in ("couvreur", "ndfs", "map", "graph", "sweep", "ltl-sweep-offline", "ltl-sweep-online"):
            for formula, values in (("G ({x == 1} -> X {x == 3})", [0, 1, 2]), ("G {x < 2}", [0, 1, 2]), ("X !{x == 1}", [0, 1])):
                with self.subTest(engine=engine, formula=formula):
                    trace = self.property("model.dve", "--ltl", formula, "--engine", engine, status=1)["trace"]
                    self.assertEqual([state["x"] for state in trace["states"]], values)
                    self.assertEqual((trace["#meta"]["bad-prefix"]["state"], "loop" in trace), (len(values) - 1, False))
        # It takes a deadlock that stays, and a formula that is none of safety.
        for formula in ("G ({x == 3} -> X X {x != 3})", "G F {x < 3}"):
            self.assertEqual(self.property("model.dve", "--ltl", formula, "--engine", "couvreur", status=1)["trace"]["loop"], 3)
        trace = self.property(MODELS / "peterson.dve", "--ltl", "G !P0.critical", "--engine", "graph", "--fair", "strong", status=1)["trace"]
        self.assertIn("bad-prefix", trace["#meta"])

    def test_a_safety_formula_that_a_deadlock_violates_has_a_cycle(self):
        self.write("model.dve", STOPPING)
        trace = self.property("model.dve", "--ltl", "G ({x == 3} -> X X {x != 3})", status=1)["trace"]
        self.assertEqual((len(trace["states"]), trace["loop"]), (4, 3))

    def test_a_bad_prefix_that_no_infinite_run_extends_is_none_where_only_those_count(self):
        self.write("model.dve", STOPPING)
        self.assertEqual(self.property("model.dve", "--ltl", "G {x < 2}", "--deadlocks", "ignore", status=0)["verdict"], "holds")
        self.assertEqual(self.property("model.dve", "--ltl", "G {x < 2}", "--deadlocks", "finite", status=1)["verdict"], "violated")

    def test_a_safety_formula_that_holds_says_where_it_is_vacuous(self):
        found = self.property(MODELS / "peterson.dve", "--ltl", "G (P0.critical && P1.critical -> X P0.idle)", status=0)
        self.assertTrue(found["vacuous"])
        self.assertFalse(self.property(MODELS / "peterson.dve", "--ltl", "G (P0.critical -> !P1.critical)", status=0).get("vacuous"))

    def test_a_safety_formula_changes_to_the_sweep_when_memory_is_short(self):
        self.write("model.dve", counters(3, 90))
        plain = self.report("model.dve", "--ltl", "G ({P0->x == 90} -> X {P0->x != 1})", status=0)
        changed = json.loads(self.run_program("check", "model.dve", "--ltl", "G ({P0->x == 90} -> X {P0->x != 1})", "--change-at", "1000",
                                              "--quiet", "--json", "-").stdout)
        self.assertEqual((plain["engine"], changed["engine"]), ("bfs", "sweep"))
        self.assertEqual([changed[f] for f in ("states", "transitions", "expanded")], [plain[f] for f in ("states", "transitions", "expanded")])
        self.assertEqual(changed["properties"][0]["verdict"], "holds")

    def test_an_automaton_of_bad_runs(self):
        claim = self.run_program("convert", "--ltl", f"!({RECURRENCE})", "--to", "never")
        self.write("bad.never", claim.stdout)
        found = self.property(MODELS / "peterson.dve", "--automaton", "bad.never", status=1)
        self.assertEqual((found["logic"], found["formula"]), ("automaton", "bad.never"))
        claim = self.run_program("convert", "--ltl", f"!({RESPONSE})", "--to", "hoa")
        self.write("bad.hoa", claim.stdout)
        self.assertEqual(self.property(MODELS / "peterson.dve", "--automaton", "bad.hoa", status=0)["verdict"], "holds")

    def test_a_property_process_of_the_model(self):
        self.write("model.dve", WATCHED)
        found = self.property("model.dve", status=1)
        self.assertEqual((found["name"], found["logic"], found["verdict"]), ("Watch", "automaton", "violated"))
        self.assertEqual(found["trace"]["states"][found["trace"]["loop"]]["Watch"], "three")
        self.write("model.dve", WATCHED.replace("x == 3", "x == 2"))
        self.assertEqual(self.property("model.dve", status=0)["verdict"], "holds")

    def test_a_property_process_without_accepting_locations_holds(self):
        self.write("model.dve", WATCHED.replace("  accept three;\n", ""))
        self.assertEqual(self.property("model.dve", status=0)["verdict"], "holds")

    def test_generalised_acceptance_needs_every_set(self):
        model = STOPPING.replace("guard x < 3; effect x = x + 1", "effect x = 1 - x").replace("system async;", """\
process Watch {
  state a, b;
  init a;
  accept genbuchi (a), (b);
  trans a -> a {}, a -> b { guard x == 1; }, b -> b {}, b -> a { guard LAST; };
}
system async property Watch;""")
        self.write("model.dve", model.replace("LAST", "x == 0"))
        self.assertEqual(self.property("model.dve", status=1)["verdict"], "violated")
        self.write("model.dve", model.replace("LAST", "x == 7"))
        self.assertEqual(self.property("model.dve", status=0)["verdict"], "holds")

    def test_several_properties_of_both_kinds(self):
        report = self.report(MODELS / "peterson.dve", "--ltl", RESPONSE, "--ltl", RECURRENCE, "--invariant", "P0.idle", "--deadlock", status=1)
        found = [(p["name"], p["verdict"]) for p in report["properties"]]
        self.assertEqual(found, [("invariant", "violated"), ("deadlock", "holds"), ("ltl 1", "holds"), ("ltl 2", "violated")])

    def test_engines_decide_what_they_can(self):
        for arguments, message in ((("--ltl", RESPONSE, "--engine", "bfs"), "the engine bfs does not decide linear-time properties"),
                                   (("--ltl", RESPONSE, "--engine", "sweep-basic", "--progress", "P0"), "the engine sweep-basic does not decide linear-time properties"),
                                   (("--deadlock", "--engine", "couvreur"), "the engine couvreur decides linear-time properties, not invariants")):
            with self.subTest(arguments):
                finished = self.run_program("check", MODELS / "peterson.dve", *arguments)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn(message, finished.stderr)
        self.assertEqual(self.run_program("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--engine", "couvreur").returncode, 0)

    def test_every_way_to_compute_steps_gives_the_same(self):
        for formula, status in ((RESPONSE, 0), (RECURRENCE, 1)):
            native, interpreted = (self.report(MODELS / "peterson.dve", "--ltl", formula, "--successors", way, status=status) for way in ("native", "interpret"))
            self.assertEqual(native["states"], interpreted["states"])
            self.assertEqual(native["properties"][0]["trace"], interpreted["properties"][0]["trace"])

    def test_limits_leave_it_unknown(self):
        self.write("model.dve", counters())
        for limit, reason in ((("--states", "1000"), "states"), (("--time", "200ms"), "time"), (("--memory", "64M", "--ledger", "none"), "memory")):
            with self.subTest(limit):
                report = self.report("model.dve", "--ltl", "G {P0->x <= 200}", *limit, status=3)
                self.assertEqual((report["complete"], report["reason"]), (False, reason))
                self.assertEqual((report["properties"][0]["verdict"], report["properties"][0]["reason"]), ("unknown", reason))

    def test_a_violation_close_to_the_start_of_a_large_model_is_found_at_once(self):
        self.write("model.dve", counters())
        self.assertLess(self.property("model.dve", "--ltl", "G {P0->x != 3}", "--time", "20s", status=1)["states"], 100_000)

    def test_a_fault_leaves_it_unknown(self):
        self.write("model.dve", STOPPING.replace("x = x + 1", "x = 2 / (1 - x)"))
        finished = self.run_program("check", "model.dve", "--ltl", "G {x <= 200}")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("UNKNOWN   ltl: G {x <= 200} (a run-time fault of the model came in between)\nFAULT     ", finished.stdout)

    def test_an_atom_that_cannot_be_evaluated_leaves_it_unknown(self):
        self.write("model.dve", STOPPING)
        finished = self.run_program("check", "model.dve", "--ltl", "G {6 / (2 - x) != 1}")
        self.assertEqual(finished.returncode, 1)
        self.assertIn("FAULT     division: '6 / (2 - x) != 1' cannot be evaluated\n", finished.stdout)

    def test_an_atom_that_cannot_be_evaluated_does_not_hide_a_violation(self):
        self.write("model.dve", STOPPING)
        finished = self.run_program("check", "model.dve", "--ltl", "G F {x < 3} && G F {6 / (3 - x) == 2}", "--trace", "actions")
        self.assertEqual((finished.returncode, finished.stderr), (1, ""))
        self.assertTrue(finished.stdout.startswith("VIOLATED  ltl: "), finished.stdout)
        self.assertIn("back to state 3: the cycle is closed\n", finished.stdout)

    def test_a_translation_that_explodes_leaves_it_unknown(self):
        formula = " && ".join(f"({{x == {i}}} U ({{x > {i}}} U {{x < {i}}}))" for i in range(20))
        self.write("model.dve", STOPPING)
        report = self.run_program("check", "model.dve", "--ltl", f"!({formula})", "--time", "500ms", "--quiet", "--json", "-")
        self.assertEqual(report.returncode, 3)
        self.assertEqual(json.loads(report.stdout)["properties"][0]["verdict"], "unknown")

    def test_a_translator_that_closes_its_output_is_ended_too(self):
        start = time.monotonic()
        finished = self.run_program("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--ltl-translator", "exec >&- 2>&-; sleep 8; : %s", "--time", "1s")
        self.assertLess(time.monotonic() - start, 4)
        self.assertEqual(finished.returncode, 3)
        self.assertIn("was ended: it took too long", finished.stderr)

    def test_a_wrong_translation_gives_no_verdict_and_the_translator_is_blamed(self):
        # It claims that every run is bad.
        self.write("claim", "never { accept_all: skip }\n")
        for engine in ("couvreur", "graph", "sweep", "ndfs", "map"):
            with self.subTest(engine):
                finished = self.run_program("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--ltl-translator", "cat claim #", "--engine", engine)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""))
                self.assertIn(f"--ltl-translator: error: the automaton for '{RESPONSE}' is wrong: it accepts a run that does not violate the formula", finished.stderr)
                self.assertNotIn("internal error", finished.stderr)

    def test_kripke_structures_and_labels(self):
        self.assertEqual(self.property(EXAMPLES / "traffic_light.json", "--ltl", "G !(cars_go && walkers_go)", status=0)["verdict"], "holds")
        self.property(EXAMPLES / "traffic_light.json", "--ltl", "F walkers_go", status=1)


class ExactSweepTest(ProgramTest):
    def report(self, *arguments):
        finished = self.run_program("check", *arguments, "--engine", "sweep", "--quiet", "--json", "-")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)

    def test_every_state_is_expanded_once(self):
        plain = json.loads(self.run_program("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--engine", "couvreur", "--quiet", "--json", "-").stdout)
        for measure in ("auto", "P0", "P0,P1", "3 - P0", "0"):
            for threads in (1, 2):
                with self.subTest(measure=measure, threads=threads):
                    report = self.report(MODELS / "peterson.dve", "--ltl", RESPONSE, "--progress", measure, "--threads", threads)
                    self.assertEqual((report["engine"], report["complete"]), ("sweep", True))
                    self.assertEqual(report["properties"][0]["verdict"], "holds")
                    self.assertEqual((report["states"], report["expanded"]), (plain["states"], plain["states"]))
                    self.assertGreater(report["properties"][0]["residual"]["nodes"], 0)

    def test_a_violation_has_a_run(self):
        for measure in ("auto", "P0", "P1,P0", "3 - P1"):
            with self.subTest(measure=measure):
                report = self.report(MODELS / "peterson.dve", "--ltl", RECURRENCE, "--progress", measure)
                self.assertEqual(report["properties"][0]["verdict"], "violated")
                trace = report["properties"][0]["trace"]
                for state in trace["states"][trace["loop"]:]:
                    self.assertNotEqual(state["P0"], "critical")

    def test_property_processes_and_fairness(self):
        path = self.write("model.dve", WATCHED)
        self.assertEqual(self.report(path, "--progress", "x")["properties"][0]["verdict"], "violated")
        self.assertEqual(self.report(MODELS / "peterson.dve", "--ltl", RECURRENCE, "--fair", "weak")["properties"][0]["verdict"], "holds")
        finished = self.run_program("check", path, "--engine", "sweep", "--ledger", "none")
        self.assertEqual(finished.returncode, 2)


class VacuityTest(ProgramTest):
    def property(self, path, formula, *arguments):
        finished = self.run_program("check", path, "--ltl", formula, *arguments, "--quiet", "--json", "-")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout)["properties"][0]

    def test_a_left_side_that_is_never_true(self):
        path = self.write("model.dve", STOPPING)
        for formula in ("G ({x == 4} -> P.s)", "G ({x == 4} -> F {x == 0})", "G ({x == 1} & {x == 2} -> X {x == 7})",
                        "G (!{x <= 3} -> G F {x == 0})"):
            for engine in ("auto", "couvreur", "graph"):
                with self.subTest(formula=formula, engine=engine):
                    found = self.property(path, formula, "--engine", engine)
                    self.assertEqual((found["verdict"], found.get("vacuous")), ("holds", True))
        finished = self.run_program("check", path, "--ltl", "G ({x == 4} -> P.s)")
        self.assertIn("HOLDS     ltl: G ({x == 4} -> P.s) (vacuously: \"x == 4\" is never true)\n", finished.stdout)

    def test_a_left_side_that_is_true_somewhere(self):
        path = self.write("model.dve", STOPPING)
        for formula, verdict in (("G ({x == 3} -> P.s)", "holds"), ("G ({x == 3} -> F {x == 3})", "holds"),
                                 ("G ({x == 3} -> F {x == 0})", "violated"), ("F {x == 3}", "holds"), ("G P.s", "holds"),
                                 ("G ({x == 0} -> F {x == 1})", "holds"), ("G (false -> P.s)", "holds")):
            with self.subTest(formula=formula):
                found = self.property(path, formula)
                self.assertEqual(found["verdict"], verdict)
                self.assertNotIn("vacuous", found)
