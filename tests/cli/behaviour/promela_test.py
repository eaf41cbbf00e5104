"""Promela models as their users run them. The figures are SPIN's (spin -a -o1 -o2 -o3; cc -DSAFETY -DNOREDUCE -DNOCLAIM; pan -c0), transitions less one."""

import json

from program import ProgramTest

PETERSON = """\
bool flag[2];
byte turn, inside;
ltl exclusion { [] (inside < 2) }
ltl entered { <> (inside == 1) }
active [2] proctype P() {
  do
  :: flag[_pid] = true; turn = 1 - _pid;
     (!flag[1 - _pid] || turn == _pid);
critical:
     inside++; assert(inside == 1); inside--;
     flag[_pid] = false
  od
}
"""
ATOMIC = """\
chan hand = [0] of { byte };
byte x;
proctype Giver(byte n) { atomic { x = n; hand!n; x = 0 } }
proctype Taker() { byte y; atomic { hand?y; x = x + y } ; d_step { if :: y > 1 -> y = 1 :: else -> y = 0 fi; x = 0 } }
init { atomic { run Giver(1); run Giver(2); run Taker(); run Taker() } }
"""
WORKERS = """\
byte done;
proctype Worker(byte n) { if :: n > 0 -> run Worker(n - 1) :: else fi; done++ }
init { run Worker(3); (_nr_pr == 1); assert(done == 4) }
"""
LOST = """\
chan q = [2] of { byte, bit };
active proctype Sender() { byte i; do :: i < 3 -> q!!i,1; i++ :: else -> break od }
active proctype Receiver() { byte v; do :: q??1,_ -> skip :: q?v,_ :: timeout -> break od; assert(v != 2) }
"""
CLAIM = """\
byte x;
active proctype P() { do :: x = (x + 1) % 4 od }
never { do :: x != 2 :: x == 2 -> break od; accept: do :: true od }
"""
STUCK = """\
byte x;
active proctype P() { x = 1; (x == 2) }
active proctype Q() { end: (x == 3) }
"""


class PromelaTest(ProgramTest):
    def report(self, command, text, *arguments):
        path = self.write("model.pml", text)
        finished = self.run_program(command, path, *arguments, "--quiet", "--json", "-")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return json.loads(finished.stdout), finished.returncode

    def test_states_and_transitions_are_those_of_spin(self):
        expected = {PETERSON: (38, 64), WORKERS: (57, 112), CLAIM: (4, 4), STUCK: (2, 1)}
        for text, (states, transitions) in expected.items():
            for engine in ("bfs", "dfs", "sweep"):
                for successors in ("native", "interpret"):
                    with self.subTest(text=text, engine=engine, successors=successors):
                        found, _ = self.report("explore", text, "--engine", engine, "--successors", successors)
                        self.assertEqual((found["states"], found["transitions"]), (states, transitions))

    def test_states_inside_atomic_sequences_are_not_counted(self):
        for successors in ("native", "interpret"):
            found, status = self.report("explore", ATOMIC, "--successors", successors)
            self.assertEqual((found["states"], status), (96, 0))

    def test_what_a_model_states_is_checked(self):
        found, status = self.report("check", PETERSON)
        verdicts = {p["name"]: p["verdict"] for p in found["properties"]}
        self.assertEqual(verdicts, {"end-state": "holds", "exclusion": "holds", "entered": "holds"})
        self.assertEqual(status, 0)

    def test_one_property(self):
        found, _ = self.report("check", PETERSON, "--property", "entered")
        self.assertEqual([(p["name"], p["verdict"]) for p in found["properties"]], [("entered", "holds")])
        path = self.write("model.pml", PETERSON)
        finished = self.run_program("check", path, "--property", "enterd")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("the model has no property 'enterd'\n", finished.stderr)
        self.assertIn("did you mean 'entered'?", finished.stderr)

    def test_a_formula_that_does_not_hold(self):
        found, status = self.report("check", PETERSON.replace("<> (inside == 1)", "<> P[0]@critical"), "--property", "entered")
        self.assertEqual(([p["verdict"] for p in found["properties"]], status), (["violated"], 1))

    def test_an_assertion_that_fails(self):
        found, status = self.report("check", LOST)
        self.assertEqual(([f["kind"] for f in found["faults"]], status), (["assertion"], 1))
        self.assertEqual(found["faults"][0]["text"], "violated: assert(v != 2)")

    def test_an_invalid_end_state(self):
        found, status = self.report("check", STUCK)
        self.assertEqual(([(p["name"], p["verdict"]) for p in found["properties"]], status), ([("end-state", "violated")], 1))
        _, status = self.report("check", STUCK.replace("(x == 2)", "end: (x == 2)"))
        self.assertEqual(status, 0)

    def test_a_never_claim(self):
        found, status = self.report("check", CLAIM)
        verdicts = {p["name"]: p["verdict"] for p in found["properties"]}
        self.assertEqual((verdicts, status), ({"end-state": "holds", "never": "violated"}, 1))
        found, status = self.report("check", CLAIM.replace("% 4", "% 2"))
        self.assertEqual(status, 0)

    def test_acceptance_and_non_progress(self):
        text = """\
byte x;
active proctype P() { do :: x = 1; MARK x = 2 :: x = 3 -> OTHER break od }
"""
        for mark, other, option, status in (("accept:", "", "--acceptance", 1), ("", "accept:", "--acceptance", 0), ("", "", "--acceptance", 0),
                                            ("progress:", "", "--non-progress", 0), ("", "progress:", "--non-progress", 1), ("", "", "--non-progress", 1)):
            with self.subTest(mark=mark, other=other, option=option):
                found, ended = self.report("check", text.replace("MARK", mark).replace("OTHER", other), option)
                self.assertEqual(([p["name"] for p in found["properties"]], ended), ([option[2:]], status))
        # Runs that end: at an accept label they stay, progress they have.
        self.assertEqual(self.report("check", "byte x;\nactive proctype P() { x = 1; accept: (x == 2) }\n", "--acceptance")[1], 1)
        self.assertEqual(self.report("check", "byte x;\nactive proctype P() { x = 1; (x == 2) }\n", "--non-progress")[1], 0)
        finished = self.run_program("check", self.write("model.pml", text), "--non-progress", "--acceptance")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("--non-progress is asked alone", finished.stderr)

    def test_fairness_with_atomic_sequences(self):
        text = """\
byte x;
active proctype P() { do :: atomic { x = 1; x = 0 } od }
active proctype Q() { atomic { x = 2; x = 3 }; accept: do :: true od }
ltl done { <> (Q@accept) }
"""
        self.assertEqual(self.report("check", text, "--property", "done")[1], 1)
        self.assertEqual(self.report("check", text, "--property", "done", "--fair", "weak")[1], 0)

    def test_macros_and_included_files(self):
        self.write("part.h", "#define TOP 3\n")
        text = "#include \"part.h\"\n#ifndef LOW\n#define LOW 0\n#endif\nbyte x = LOW;\nactive proctype P() { do :: x < TOP -> x++ :: else -> break od }\n"
        self.assertEqual(self.report("explore", text)[0]["states"], 9)
        self.assertEqual(self.report("explore", text, "-D", "LOW=2")[0]["states"], 5)
        self.assertEqual(self.report("explore", text, "-D", "LOW")[0]["states"], 7)

    def test_processes_that_no_pilot_run_has_seen(self):
        text = """\
int n;
proctype Late() { n = 0 }
active proctype P() { do :: n < 20000 -> n++ :: n == 20000 -> run Late(); (_nr_pr == 1); break od }
"""
        found, status = self.report("explore", text)
        self.assertEqual((found["faults"], status), ([], 0))

    def test_an_invariant_over_processes(self):
        path = self.write("model.pml", PETERSON)
        finished = self.run_program("check", path, "--invariant", "not (P_0.critical and P_1.critical)")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        finished = self.run_program("check", path, "--invariant", "not P_1.critical")
        self.assertEqual(finished.returncode, 1, finished.stderr)

    def test_formulas_of_branching_time(self):
        path = self.write("model.pml", """\
byte x;
active proctype A() { do :: x < 3 -> x++ :: x == 3 -> break od }
active proctype B() { end: do :: x == 2 -> x = 0 od }
""")
        for formula, status in (("AG EF x == 3", 1), ("EF valid_end", 0), ("EF (x == 3 && AG !valid_end)", 1), ("AG (x < 4)", 0)):
            for engine in ("auto", "labelling", "ledger"):
                with self.subTest(formula=formula, engine=engine):
                    finished = self.run_program("check", path, "--ctl", formula, "--engine", engine)
                    self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
        self.assertEqual(self.run_program("check", path, "--ctl", "EF valid_end", "--engine", "ledger", "--ledger", "L").returncode, 0)
        audit = self.run_program("audit", "L")
        self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
        for refused in (("EF deadlock",), ("EF valid_end", "--deadlocks", "finite")):
            finished = self.run_program("check", path, "--ctl", *refused)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("may end properly", finished.stderr)
            self.assertNotIn("--end-states", finished.stderr)

    def test_a_ledger_knows_proper_ends(self):
        proper = self.write("proper.pml", "byte x;\nactive proctype A() { x = 1 }\nactive proctype B() { end: do :: x == 2 -> skip od }\n")
        improper = self.write("improper.pml", "byte x;\nactive proctype A() { if :: x = 1 :: x = 3 fi }\nactive proctype B() { if :: x == 1 -> skip :: x == 2 -> skip fi }\n")
        for path, status in ((proper, 0), (improper, 1)):
            for extra in ((), ("--record", "labels"), ("--engine", "bfs")):
                with self.subTest(path=path, extra=extra):
                    ledger = path.stem + "".join(extra)
                    # The invariant keeps the search from ending at the first violation.
                    finished = self.run_program("check", path, "--property", "end-state", "--invariant", "x < 9", *extra, "--ledger", ledger)
                    self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
                    audit = self.run_program("audit", ledger)
                    self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
        for formula in ("G (valid_end -> x == 1)", "F G np_ || F accept_", "F G valid_end"):
            ledger = f"L{len(formula)}"
            self.assertEqual(self.run_program("check", proper, "--ltl", formula, "--engine", "sweep", "--ledger", ledger).returncode, 0)
            audit = self.run_program("audit", ledger)
            self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)

    def test_included_files_are_part_of_the_model(self):
        self.write("limit.h", "#define LIMIT 60\n")
        path = self.write("model.pml", '#include "limit.h"\nbyte n;\nactive proctype P() { do :: n < 20 -> n++ :: n == LIMIT -> (false) :: n == 20 -> break od }\n')
        for arguments in (("--engine", "bfs"), ("--ltl", "F n == 20", "--engine", "sweep")):
            self.write("limit.h", "#define LIMIT 60\n")
            ledger = f"L{len(arguments)}"
            self.assertEqual(self.run_program("check", path, *arguments, "--ledger", ledger, "--states", "20").returncode, 3)
            self.write("limit.h", "#define LIMIT 3\n")
            refused = self.run_program("resume", ledger)
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn("the model has changed", refused.stderr)
            self.write("limit.h", "#define LIMIT 60\n")
            self.assertEqual(self.run_program("resume", ledger).returncode, 0)
            self.assertEqual(self.run_program("audit", ledger).returncode, 0)
            self.write("limit.h", "#define LIMIT 3\n")
            audit = self.run_program("audit", ledger)
            self.assertEqual(audit.returncode, 1)
            self.assertIn("is not the model that was explored", audit.stdout)

    # The pilot that looks for created processes does not come as far as C.
    LATE = """\
byte a, b, n;
proctype C() { n = 1; (n == 98) }
active proctype A() { do :: a < 250 -> a++ :: a == 250 && b == 250 -> run C(); break od }
active proctype B() { do :: b < 250 -> b++ :: b == 250 -> break od }
"""

    def test_a_ledger_without_room_for_a_process_proves_nothing(self):
        path = self.write("late.pml", self.LATE)
        self.assertEqual(self.run_program("check", path, "--quiet").returncode, 1)
        finished = self.run_program("check", path, "--engine", "sweep", "--ledger", "L")
        self.assertEqual(finished.returncode, 2)
        self.assertIn("more processes are created", finished.stderr)
        audit = self.run_program("audit", "L")
        self.assertEqual(audit.returncode, 1, audit.stdout)
        self.assertIn("create a process that the run did not know", audit.stdout)

    def test_a_run_that_is_resumed_meets_another_process(self):
        path = self.write("late.pml", self.LATE)
        cut = self.run_program("check", path, "--engine", "sweep", "--states", "5000")
        self.assertEqual(cut.returncode, 3, cut.stderr)
        left = next(self.folder.glob("tideline-*"))
        finished = self.run_program("resume", left)
        self.assertEqual(finished.returncode, 1, finished.stderr)
        self.assertIn("VIOLATED  end-state", finished.stdout)
        self.assertEqual(list(self.folder.glob("tideline-*")), [])

    def test_created_processes_are_audited(self):
        path = self.write("model.pml", WORKERS)
        for arguments in (("explore",), ("check",), ("check", "--ltl", "F done == 4", "--engine", "sweep"), ("check", "--ctl", "AF done == 4", "--engine", "ledger")):
            command, *options = arguments
            ledger = "-".join(arguments).replace(" ", "")
            self.assertEqual(self.run_program(command, path, *options, "--ledger", ledger).returncode, 0)
            audit = self.run_program("audit", ledger)
            self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)
            self.assertIn("CONFIRMED", audit.stdout)

    def test_names_of_labels_are_taken(self):
        for name, declaration in (("valid_end", "byte valid_end = 1;"), ("accept_", "byte accept_;"), ("valid_end", "byte valid_end[2];")):
            finished = self.run_program("check", self.write("model.pml", declaration + "\nactive proctype P() { (false) }\n"))
            self.assertEqual(finished.returncode, 2)
            self.assertIn(f"'{name}' is a name of Tideline's own", finished.stderr)

    def test_cycles_without_progress_are_asked_for_alone(self):
        path = self.write("model.pml", "byte n;\nactive proctype P() { do :: n < 3 -> n++ :: n == 3 -> break od }\n")
        self.assertEqual(self.run_program("check", path, "--non-progress").returncode, 0)
        for other in (("--deadlock",), ("--invariant", "n < 4"), ("--ctl", "EF n == 3"), ("--ctlstar", "E F n == 3")):
            finished = self.run_program("check", path, "--non-progress", *other)
            self.assertEqual(finished.returncode, 2)
            self.assertIn("--non-progress is asked alone", finished.stderr)

    def test_an_atomic_sequence_without_an_end(self):
        found, status = self.report("explore", "int n;\nactive proctype P() { atomic { do :: n++ od } }\n")
        self.assertEqual(([f["kind"] for f in found["faults"]], status), (["endless"], 1))

    def test_macros_and_folders_of_the_command_line_stay_with_the_ledger(self):
        (self.folder / "included").mkdir()
        self.write("included/defs.h", "byte x = N;\n")
        self.write("counter.pml", '#include "defs.h"\nactive proctype P() { do :: x < 40 -> x++ :: else -> break od; assert(x == LAST) }\n')
        given = ("-I", "included", "-D", "N=3", "-DLAST=40")
        undisturbed = self.run_program("explore", "counter.pml", *given, "--quiet", "--json", "-")
        self.assertEqual(undisturbed.returncode, 0, undisturbed.stderr)
        states = json.loads(undisturbed.stdout)["states"]
        cut = self.run_program("explore", "counter.pml", *given, "--engine", "bfs", "--ledger", "L", "--states", "5", "--quiet")
        self.assertEqual(cut.returncode, 3, cut.stderr)
        resumed = self.run_program("resume", "L", "--quiet", "--json", "-")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        self.assertEqual(json.loads(resumed.stdout)["states"], states)
        self.assertEqual(self.run_program("audit", "L").returncode, 0)
        self.assertEqual(self.run_program("check", "counter.pml", "-I", "included", "-D", "N=3", "-D", "LAST=39", "--quiet").returncode, 1)
        missing = self.run_program("check", "counter.pml", "-D", "N=3")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("defs.h", missing.stderr)
