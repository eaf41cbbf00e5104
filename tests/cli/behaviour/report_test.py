"""The report as a page: its data are those of the JSON report. (What the page does with them is tested in a browser, tests/web.)"""

import json
import re

from program import EXAMPLES, ProgramTest


class ReportTest(ProgramTest):
    def data_of(self, path):
        text = (self.folder / path).read_text(encoding="utf-8")
        return json.loads(re.search(r'<script type="application/json" id="data">\n(.*?)</script>', text, re.S).group(1))

    def test_the_page_has_the_report_the_history_and_the_command(self):
        finished = self.run_program("check", EXAMPLES / "peterson.dve", "--ltl", "G F P0.critical", "--report", "page.html", "--json", "report.json")
        self.assertEqual(finished.returncode, 1, finished.stderr)
        data = self.data_of("page.html")
        self.assertEqual(data["report"], json.loads((self.folder / "report.json").read_text()))
        self.assertEqual(data["command"], f"tideline check {EXAMPLES / 'peterson.dve'} --ltl 'G F P0.critical' --report page.html --json report.json")
        self.assertIsInstance(data["history"], list)

    def test_a_resumed_run_writes_it_too(self):
        self.run_program("explore", EXAMPLES / "lossy_channel.dve", "--engine", "bfs", "--ledger", "L", "--states", "100", "--report", "page.html")
        self.assertFalse(self.data_of("page.html")["report"]["complete"])
        self.assertEqual(self.run_program("resume", "L").returncode, 0)
        self.assertTrue(self.data_of("page.html")["report"]["complete"])

    def test_it_takes_the_place_of_no_other_file(self):
        model = self.write("m.dve", (EXAMPLES / "peterson.dve").read_text())
        for options, text in [(("--report", "m.dve"), "--report names the model"),
                              (("--json", "x", "--report", "x"), "--report names the same file as --json"),
                              (("--ctl", "AG EF P0.critical", "--itf", "x", "--evidence-dot", "x"), "--evidence-dot names the same file as --itf")]:
            finished = self.run_program("check", model, "--deadlock", *options)
            self.assertEqual(finished.returncode, 2)
            self.assertIn(text, finished.stderr)
        finished = self.run_program("check", model, "--deadlock", "--report", "missing/page.html")
        self.assertEqual(finished.returncode, 2, finished.stderr)
