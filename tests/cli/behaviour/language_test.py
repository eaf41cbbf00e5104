"""Automata of labels as the specification of a model."""

import json

from program import ROOT, ProgramTest

EXAMPLES = ROOT / "examples"
HIDE = "[A-Z].*|to_.*"

TYPED = """channel {byte} c;
process P { byte x; state s; init s; trans s -> s { guard x < 3; sync c!x; effect x = x + 1; }; }
process Q { byte y; state s; init s; trans s -> s { sync c?y; }; }
system async;
"""


class LanguageTest(ProgramTest):
    def check(self, *arguments):
        finished = self.run_program("check", *arguments, "--json", "-", "--quiet")
        self.assertIn(finished.returncode, (0, 1), finished.stderr)
        return {p["name"]: p for p in json.loads(finished.stdout)["properties"]}

    def test_the_connection_has_the_order_of_its_service(self):
        for more in ((), ("--engine", "dfs"), ("--stubborn", "auto"), ("--engine", "sweep", "--progress", "language_rank[language], Client->sent")):
            with self.subTest(more):
                found = self.check(EXAMPLES / "connection.dve", "--language", EXAMPLES / "connection_service.aut", "--hide", HIDE, *more)
                self.assertEqual(found["language"]["verdict"], "holds")

    def test_the_hasty_one_has_not(self):
        text = (EXAMPLES / "connection.dve").read_text().replace("const byte hasty = 0", "const byte hasty = 1")
        model = self.write("hasty.dve", text)
        found = self.check(model, "--language", EXAMPLES / "connection_service.aut", "--hide", HIDE)["language"]
        self.assertEqual(found["verdict"], "violated")
        self.assertEqual(found["note"], "visible labels: c_request c_confirm")
        self.assertIsNotNone(found["trace"])

    def test_messages_are_parts_of_labels(self):
        model = self.write("m.dve", TYPED)
        right = self.write("right.aut", 'des (0, 3, 4)\n(0, "c(0)", 1)\n(1, "c(1)", 2)\n(2, "c(2)", 3)\n')
        wrong = self.write("wrong.aut", 'des (0, 2, 3)\n(0, "c(0)", 1)\n(1, "c(2)", 2)\n')
        self.assertEqual(self.check(model, "--language", right)["language"]["verdict"], "holds")
        found = self.check(model, "--language", wrong)["language"]
        self.assertEqual((found["verdict"], found["note"]), ("violated", "visible labels: c(0) c(1)"))
        self.assertEqual(self.check(model, "--language", wrong, "--rename", "c(1)=c(2)", "--hide", r"c\(2\)")["language"]["verdict"], "holds")

    def test_runs_must_end_in_final_states(self):
        model = self.write("m.dve", TYPED)
        right = self.write("right.aut", 'des (0, 3, 4)\n(0, "c(0)", 1)\n(1, "c(1)", 2)\n(2, "c(2)", 3)\n')
        self.assertEqual(self.check(model, "--language", right, "--final", "3")["language-end"]["verdict"], "holds")
        self.assertEqual(self.check(model, "--language", right, "--final", "0,2")["language-end"]["verdict"], "violated")

    def test_a_model_is_a_specification(self):
        model = self.write("m.dve", TYPED)
        self.assertEqual(self.check(model, "--language", model)["language"]["verdict"], "holds")
        fewer = self.write("fewer.dve", TYPED.replace("x < 3", "x < 2"))
        self.assertEqual(self.check(fewer, "--language", model)["language"]["verdict"], "holds")
        self.assertEqual(self.check(model, "--language", fewer)["language"]["verdict"], "violated")

    def test_a_specification_that_has_changed_is_noticed(self):
        self.write("system.aut", 'des (0, 6, 7)\n' + "".join(f'({i},"{"ab"[i % 2]}",{i + 1})\n' for i in range(6)))
        self.write("spec.aut", 'des (0, 2, 2)\n(0,"a",1)\n(1,"b",0)\n')
        cut = self.run_program("check", "system.aut", "--language", "spec.aut", "--engine", "sweep", "--ledger", "L", "--states", "3")
        self.assertEqual(cut.returncode, 3, cut.stderr)
        self.write("spec.aut", 'des (0, 2, 2)\n(0,"a",1)\n(1,"c",0)\n')
        finished = self.run_program("resume", "L")
        self.assertEqual(finished.returncode, 2, finished.stdout)
        self.assertIn("spec.aut has changed since the run began", finished.stderr)

    def test_wrong_requests_are_refused(self):
        model = self.write("m.dve", TYPED)
        right = self.write("right.aut", 'des (0, 1, 2)\n(0, "c(0)", 1)\n')
        for arguments, reason in ((("--language", right, "--final", "7"), "there is no state 7"), (("--language", right, "--final", "a"), "no list of states"),
                                  (("--language", right, "--hide", "("), "not a regular expression"), (("--language", right, "--rename", "c"), "FROM=TO"),
                                  (("--hide", "c"), "give one with --language"), (("--language", "absent.aut"), "absent.aut"),
                                  (("--language", right, "--final", "0", "--deadlock"), "check --deadlock")):
            with self.subTest(arguments):
                finished = self.run_program("check", model, *arguments)
                self.assertEqual(finished.returncode, 2, finished.stdout)
                self.assertIn(reason, finished.stderr)
