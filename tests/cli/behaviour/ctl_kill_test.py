"""Runs of the engine `ledger` that are killed, at any moment from the first state to the last frame of the certificate, and resumed.

TIDELINE_KILLS says how many kills there are (default 4): `make test-long` has 20.
"""

import json
import os
import random
import signal
import subprocess
import time

from program import ProgramTest

KILLS = int(os.environ.get("TIDELINE_KILLS", "4"))
FORMULAS = ["--ctl", "AG EF {P0.x == 9 and P1.x == 9}", "--ctl", "AG (AF {P2.x == 9} & EX EF {P3.x == 5})", "--ctl", "EG {P0.x < 5}", "--ctl", "E[{P1.x < 3} U EG {P0.x < 2}]",
            "--ctlstar", "E (F {P0.x == 3} & G F {P1.x == 9})", "--ctlstar", "A (F G {P0.x == 9} | G F {P1.x == 3})"]


def answers(report):
    """Verdicts and evidence, which must not depend on how often a run was killed."""
    return [(p["name"], p["verdict"], p.get("evidence")) for p in report["properties"]], report["states"], report["transitions"]


class CtlKillTest(ProgramTest):
    def model(self):
        # A counter that may begin again makes cycles; the sweep has layers of all sizes.
        lines = "".join(f"process P{i} {{ int x; state s; init s; trans s -> s {{ guard x < 9; effect x = x + 1; }}{extra}; }}\n"
                        for i, extra in enumerate(("", ", s -> s { guard x == 9; effect x = 7; }", "", "")))
        return self.write("many.dve", lines + "system async;\n")

    def test_killed_runs_are_resumed(self):
        self.model()
        options = ("--quiet", "--json", "-")
        start = time.monotonic()
        finished = self.run_program("check", "many.dve", *FORMULAS, "--progress", "P0.x + P2.x", "--ledger", "whole", *options)
        duration = time.monotonic() - start
        self.assertEqual(finished.returncode, 1, finished.stderr)
        expected = answers(json.loads(finished.stdout))
        self.assertEqual(self.run_program("audit", "whole").returncode, 0)
        choose = random.Random(1)
        kills = 0
        run = 0
        while kills < KILLS:
            run += 1
            ledger = f"run{run}"
            arguments = ("check", "many.dve", *FORMULAS, "--progress", "P0.x + P2.x", "--ledger", ledger, *options)
            for _ in range(3):  # one run is killed several times
                process = self.start_program(*arguments)
                try:
                    process.wait(choose.uniform(0, duration))
                    break
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
                # Before there is a header there is no ledger, and the run begins again.
                if (self.folder / ledger / "header.json").exists():
                    arguments = ("resume", ledger, *options)
            finished = self.run_program(*arguments)
            if finished.returncode == 2 and arguments[0] == "check":  # it had come to its end before it was killed
                finished = self.run_program("resume", ledger, *options)
            with self.subTest(run):
                self.assertEqual(finished.returncode, 1, finished.stderr)
                self.assertEqual(answers(json.loads(finished.stdout)), expected)
                audited = self.run_program("audit", ledger)
                self.assertEqual(audited.returncode, 0, audited.stdout)
                self.assertEqual(audited.stdout.count("confirmed by its certificate"), 6)
