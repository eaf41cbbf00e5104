"""What programs read: the JSON report by its schema, JUnit XML, SARIF, statistics line by line, completions."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as xml

from program import EXAMPLES, MODELS, ProgramTest, counters
from schema import violations

PHILOSOPHERS = MODELS / "philosophers.dve"
PETERSON = MODELS / "peterson.dve"


class FormatsTest(ProgramTest):
    def test_reports_are_as_the_schema_says(self):
        self.write("big.dve", counters())
        self.write("p.txt", "a holds: invariant turn <= 1\nb violated: ltl G F P0.critical\nc: deadlock\nd: ctl AG EF P0.critical\n")
        runs = (("explore", PETERSON), ("explore", PETERSON, "--ltl", "G F P0.critical"), ("explore", EXAMPLES / "lossy_channel.dve", "--engine", "sweep"), ("explore", MODELS / "fault_index.dve"),
                ("explore", "big.dve", "--time", "500ms"), ("explore", EXAMPLES / "vending_machine.aut"), ("explore", PETERSON, "--engine", "sweep-basic", "--progress", "0"),
                ("check", PHILOSOPHERS, "--deadlock", "--engine", "dfs"), ("check", PETERSON, "--invariant", "turn == 0"), ("check", PETERSON, "--properties", "p.txt", "--expect"),
                ("check", PETERSON, "--ltl", "G F P0.critical", "--engine", "sweep"), ("check", PETERSON, "--ctl", "AG EF P0.critical", "--satisfying", "--list", "2"), ("check", MODELS / "assert_holds.dve"),
                ("check", "big.dve", "--invariant", "true", "--states", "10"), ("check", PETERSON, "--ltl", "G (false -> F P0.critical)"))
        for arguments in runs:
            with self.subTest(" ".join(map(str, arguments))):
                finished = self.run_program(*arguments, "--json", "-", "--quiet")
                self.assertIn(finished.returncode, (0, 1, 3), finished.stderr)
                self.assertEqual(violations(json.loads(finished.stdout)), [])

    def test_the_schema_is_not_satisfied_by_anything(self):
        report = json.loads(self.run_program("explore", PETERSON, "--json", "-", "--quiet").stdout)
        for change in ({"states": "20"}, {"unheard": 1}, {"reason": "boredom"}, {"complete": 1}, {"layers": True}):
            self.assertEqual(len(violations({**report, **change})), 1, change)
        del report["depth"]
        self.assertEqual(violations(report), ["$: depth is missing"])

    def test_what_is_not_utf8_is_replaced_in_xml(self):
        name = os.fsdecode(b"odd\xff.dve")
        shutil.copy(PETERSON, self.folder / name)
        self.assertEqual(self.run_program("check", name, "--invariant", "turn <= 1", "--junit", "j.xml", "--quiet").returncode, 0)
        text = (self.folder / "j.xml").read_text(encoding="utf-8")
        xml.fromstring(text)
        self.assertIn("odd\ufffd.dve", text)

    def test_junit(self):
        finished = self.run_program("check", PETERSON, "--invariant", "turn <= 1", "--invariant", "not P0.critical & turn < 5", "--junit", "j.xml", "--quiet")
        self.assertEqual(finished.returncode, 1)
        suite = xml.parse(self.folder / "j.xml").getroot()
        self.assertEqual((suite.tag, suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("testsuite", "2", "1", "0"))
        first, second = suite.findall("testcase")
        self.assertEqual((first.get("name"), first.find("failure")), ("invariant 1: turn <= 1", None))
        self.assertEqual(second.find("failure").get("message"), "invariant 2: not P0.critical & turn < 5 (violated)")
        self.run_program("check", PETERSON, "--deadlock", "--states", "1", "--successors", "interpret", "--junit", "j.xml", "--quiet")
        self.assertEqual(xml.parse(self.folder / "j.xml").getroot().get("skipped"), "1")

    def test_expected_violations_are_successes(self):
        self.write("p.txt", "b violated: invariant turn == 0\n")
        self.assertEqual(self.run_program("check", PETERSON, "--properties", "p.txt", "--expect", "--junit", "j.xml", "--sarif", "s.json", "--quiet").returncode, 0)
        self.assertEqual(xml.parse(self.folder / "j.xml").getroot().get("failures"), "0")
        self.assertEqual(json.loads((self.folder / "s.json").read_text())["runs"][0]["results"], [])

    def test_sarif(self):
        self.assertEqual(self.run_program("check", PHILOSOPHERS, "--deadlock", "--sarif", "s.json", "--quiet").returncode, 1)
        log = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(log["version"], "2.1.0")
        result, = log["runs"][0]["results"]
        self.assertEqual((result["ruleId"], result["level"], result["message"]["text"]), ("deadlock", "error", "deadlock (violated)"))
        self.assertEqual([rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]], ["deadlock"])
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        self.assertEqual(len(steps), 5)
        region = steps[0]["location"]["physicalLocation"]["region"]
        self.assertIn("think -> one", PHILOSOPHERS.read_text().split("\n")[region["startLine"] - 1].replace("->", "->"))

    def test_statistics_line_by_line(self):
        self.write("big.dve", counters())
        self.run_program("explore", "big.dve", "--engine", "bfs", "--time", "2500ms", "--stats", "s.ndjson", "--quiet")
        lines = [json.loads(line) for line in (self.folder / "s.ndjson").read_text().splitlines()]
        self.assertGreaterEqual(len(lines), 2)
        for name in ("seconds", "states", "transitions", "expanded", "open", "rss_bytes"):
            values = [line[name] for line in lines]
            self.assertTrue(all(isinstance(value, (int, float)) for value in values))
        for name in ("seconds", "states"):
            values = [line[name] for line in lines]
            self.assertEqual(values, sorted(values))

    def test_files_that_cannot_be_written(self):
        for option in ("--junit", "--sarif", "--stats"):
            finished = self.run_program("check", PETERSON, "--deadlock", option, "missing/file")
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn("cannot be written", finished.stderr)
            self.assertIn(f"{option} names the model", self.run_program("check", PETERSON, "--deadlock", option, PETERSON).stderr)

    def completed(self, line):
        """What bash offers at the end of this line."""
        self.write("c.sh", self.run_program("completion", "bash").stdout)
        words = line.split(" ")
        quoted = " ".join(f"'{word}'" for word in words)
        script = f". ./c.sh; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tideline; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        finished = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True, encoding="utf-8", timeout=60)
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        return finished.stdout.split()

    def test_completion_for_bash(self):
        self.assertEqual(self.completed("tideline che"), ["check"])
        self.assertEqual(self.completed("tideline check --dead"), ["--deadlock", "--deadlocks"])
        self.assertEqual(self.completed("tideline check m.dve --fair "), ["none", "weak", "strong"])
        self.write("model.dve", "")
        self.assertEqual(self.completed("tideline explore mod"), ["model.dve"])

    def test_completion_for_zsh_has_every_option(self):
        text = self.run_program("completion", "zsh").stdout
        self.assertTrue(text.startswith("#compdef tideline\n"))
        for command in ("explore", "check", "convert", "simulate", "trace"):
            part = text.split(f"        {command}) _arguments")[1].split(";;")[0]
            for option in re.findall(r"(?m)^  (?:-h,)?(-{1,2}[A-Za-z-]+)", self.run_program(command, "--help").stdout.split("Options:")[1].split("Examples:")[0]):
                self.assertIn(f"{option}[", part)

    def test_the_manual_page_is_made_of_the_options(self):
        page = self.run_program("completion", "man").stdout
        self.assertIn("\n.TH TIDELINE 1 ", page)
        for command in ("explore", "check", "resume", "audit", "progress", "convert", "simulate", "trace"):
            part = page.split(f"\n.SS {command}\n")[1].split("\n.S")[0]
            for option in re.findall(r"(?m)^  (?:-h,)?(-{1,2}[A-Za-z-]+)", self.run_program(command, "--help").stdout.split("Options:")[1].split("Examples:")[0]):
                self.assertRegex(part, rf"(?m)^\.B {re.escape(option.replace('-', chr(92) + '-'))}( |$)")
        for status in range(5):
            self.assertRegex(page, rf"(?m)^\.B {status}$")

    def test_no_such_completion(self):
        finished = self.run_program("completion", "fish")
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
