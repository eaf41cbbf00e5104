"""Sweeps for linear-time properties with a ledger: they are resumed after kills, and what holds is audited."""

import json
import shutil
import os
import random
import signal
import subprocess

from program import BINARY, MODELS, ProgramTest, counters

# Counts x up to 3, where it stops; the property process accepts runs on which x is 2 for ever.
WATCHED = """\
byte x;
process P { state s; init s; trans s -> s { guard x < 3; effect x = x + 1; }; }
process Watch {
  state wait, two;
  init wait;
  accept two;
  trans wait -> wait {}, wait -> two { guard x == 2; }, two -> two { guard x == 2; };
}
system async property Watch;
"""
RESPONSE = "G (P0.waiting -> F P0.critical)"


class CertificateTest(ProgramTest):
    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--quiet", "--json", "-")
        self.assertEqual(finished.returncode, status, finished.stdout + finished.stderr)
        return json.loads(finished.stdout)

    def test_what_holds_is_confirmed_by_its_certificate(self):
        self.write("watched.dve", WATCHED)
        for name, arguments in (("formula", (MODELS / "peterson.dve", "--ltl", RESPONSE)), ("process", ("watched.dve",))):
            with self.subTest(name):
                report = self.report("check", *arguments, "--ledger", name, "--engine", "sweep")
                self.assertEqual(report["properties"][0]["verdict"], "holds")
                finished = self.run_program("audit", name)
                self.assertEqual(finished.returncode, 0, finished.stdout)
                self.assertIn(": holds, confirmed by its certificate\n", finished.stdout)

    def test_auto_sweeps_where_a_ledger_is_asked_for(self):
        report = self.report("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--ledger", "run")
        self.assertEqual(report["engine"], "sweep")
        self.assertIn("confirmed by its certificate", self.run_program("audit", "run").stdout)

    def test_a_changed_certificate_is_not_confirmed(self):
        self.report("check", MODELS / "peterson.dve", "--ltl", RESPONSE, "--ledger", "run")
        path = self.folder / "run" / "cycles"
        whole = path.read_bytes()
        for cut in range(18, len(whole), max(1, len(whole) // 10)):
            path.write_bytes(whole[:cut])
            finished = self.run_program("audit", "run")
            self.assertEqual(finished.returncode, 1, finished.stdout)
            self.assertIn("NOT CONFIRMED   cycles", finished.stdout)
        path.unlink()
        self.assertNotIn("confirmed by its certificate", self.run_program("audit", "run").stdout)

    def test_certificates_where_some_runs_do_not_count(self):
        for formula, *more in ((RESPONSE, "--fair", "weak"), ("G (P0.waiting -> X F P0.critical)", "--deadlocks", "finite"),
                               (RESPONSE, "--deadlocks", "ignore"), (RESPONSE, "--end-states", "P0.idle"),
                               ("G F P0.critical", "--fair", "weak"), ("G (enabled(P0) | enabled(P1)) | F deadlock",)):
            with self.subTest(formula=formula, more=more):
                self.report("check", MODELS / "peterson.dve", "--ltl", formula, "--ledger", "run", "--engine", "sweep", *more)
                finished = self.run_program("audit", "run")
                self.assertEqual(finished.returncode, 0, finished.stdout)
                self.assertIn(": holds, confirmed by its certificate\n", finished.stdout)
                shutil.rmtree(self.folder / "run")

    def test_no_certificate_says_why(self):
        self.write("watched.dve", WATCHED)
        for reason, *arguments in (("what holds of strongly fair runs has none", MODELS / "peterson.dve", "--ltl", RESPONSE, "--fair", "strong"),
                                   ("a formula that reads moved(P) has none", MODELS / "peterson.dve", "--ltl", "G (P0.waiting -> F moved(P0))"),
                                   ("a property process has none under fairness", "watched.dve", "--fair", "weak"),
                                   ("a property process has none under fairness", "watched.dve", "--deadlocks", "ignore")):
            with self.subTest(reason=reason, arguments=arguments):
                finished = self.run_program("check", *arguments, "--ledger", "run", "--engine", "sweep")
                self.assertEqual(finished.returncode, 0, finished.stderr)
                self.assertIn("there will be no certificate: " + reason, finished.stderr)
                self.assertFalse((self.folder / "run" / "cycles").exists())
                finished = self.run_program("audit", "run")
                self.assertNotIn("confirmed by its certificate", finished.stdout)
                self.assertEqual(finished.returncode, 1)
                shutil.rmtree(self.folder / "run")

    def test_a_violation_leaves_no_certificate(self):
        self.report("check", MODELS / "peterson.dve", "--ltl", "G F P0.critical", "--ledger", "run", "--engine", "sweep", status=1)
        self.assertFalse((self.folder / "run" / "cycles").exists())

    def test_a_run_that_was_stopped_is_resumed(self):
        self.write("model.dve", counters(3, 25))
        arguments = ("model.dve", "--ltl", "G ({P0.x == 3} -> F {P0.x != 3}) || F G {P0.x == 3}", "--engine", "sweep", "--progress", "P1.x")
        whole = self.report("check", *arguments, "--ledger", "whole")
        stopped = self.report("check", *arguments, "--ledger", "run", "--states", "5000", status=3)
        self.assertEqual(stopped["properties"][0]["verdict"], "unknown")
        resumed = self.report("resume", "run")
        for figure in ("states", "transitions", "deadlocks", "expanded", "layers"):
            self.assertEqual(resumed[figure], whole[figure], figure)
        self.assertEqual(resumed["properties"][0]["verdict"], "holds")
        self.assertIn("confirmed by its certificate", self.run_program("audit", "run").stdout)

    def test_a_violation_is_found_after_a_resume(self):
        self.write("model.dve", counters(3, 25))
        arguments = ("model.dve", "--ltl", "G ({P0.x == 25} -> F {P1.x == 25})", "--engine", "sweep", "--progress", "P1.x")
        self.report("check", *arguments, "--ledger", "run", "--states", "1500", status=3)
        found = self.report("resume", "run", status=1)["properties"][0]
        self.assertEqual(found["verdict"], "violated")
        self.assertIn("loop", found["trace"])

    def test_files_beside_the_ledger_count_for_the_disk(self):
        self.write("model.dve", counters(3, 40))
        arguments = ("check", "model.dve", "--ltl", "G ({P0.x == 3} -> F {P0.x != 3}) || F G {P0.x == 3}", "--engine", "sweep", "--progress", "P1.x")
        whole = self.report(*arguments, "--ledger", "whole")
        # Room for the ledger and its checkpoints, and not for the edges that are looked at.
        limit = whole["ledger_bytes"] * 3 // 2 // 1024
        stopped = self.report(*arguments, "--ledger", "run", "--disk", f"{limit}K", status=3)
        self.assertEqual((stopped["reason"], stopped["complete"], stopped["states"]), ("disk", False, whole["states"]))
        self.assertEqual(stopped["properties"][0]["verdict"], "unknown")
        self.assertFalse((self.folder / "run" / "cycles").exists())
        self.assertLessEqual(sum(file.stat().st_size for file in (self.folder / "run").iterdir()), limit * 1024)
        resumed = self.report("resume", "run", "--disk", "1G")
        self.assertEqual((resumed["complete"], resumed["expanded"]), (True, whole["expanded"]))
        self.assertIn("confirmed by its certificate", self.run_program("audit", "run").stdout)

    def test_a_run_that_is_killed_is_resumed(self):
        self.write("model.dve", counters(3, 60))
        arguments = ("model.dve", "--ltl", "G ({P0.x == 3} -> F {P0.x != 3}) || F G {P0.x == 3}", "--engine", "sweep", "--progress", "P1.x")
        whole = self.report("check", *arguments)
        seconds = whole["seconds"]
        random.seed(3)
        for kill in range(int(os.environ.get("TIDELINE_KILLS", "4"))):
            ledger = self.folder / f"killed{kill}"
            command = ["check", *arguments, "--ledger", str(ledger)]
            for attempt in range(20):
                process = subprocess.Popen([BINARY, *map(str, command), "--quiet", "--json", "-"], cwd=self.folder,
                                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                try:
                    # The last attempts are left alone.
                    output, _ = process.communicate(timeout=random.random() * seconds * 1.2 if attempt < 3 else None)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    if (ledger / "header.json").exists():
                        command = ["resume", str(ledger)]
                    continue
                break
            self.assertEqual(process.returncode, 0, output)
            report = json.loads(output)
            for figure in ("states", "transitions", "deadlocks", "expanded"):
                self.assertEqual(report[figure], whole[figure], figure)
            self.assertEqual(report["properties"][0]["verdict"], "holds")
            finished = self.run_program("audit", ledger)
            self.assertIn("confirmed by its certificate", finished.stdout)
