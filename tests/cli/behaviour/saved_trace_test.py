"""tideline trace: saved traces in other forms."""

import re

from program import EXAMPLES, MODELS, ProgramTest

PHILOSOPHERS = MODELS / "philosophers.dve"
PETERSON = MODELS / "peterson.dve"


class SavedTraceTest(ProgramTest):
    def saved(self, model, *question):
        self.assertEqual(self.run_program("check", model, *question, "--itf", "t.json", "--quiet").returncode, 1)

    def shown(self, *arguments, status=0):
        finished = self.run_program("trace", "t.json", *arguments)
        self.assertEqual((finished.returncode, finished.stderr), (status, ""))
        return finished.stdout

    def test_text(self):
        self.saved(PHILOSOPHERS, "--deadlock")
        text = self.shown()
        self.assertEqual(text, self.shown("--to", "text"))
        self.assertTrue(text.startswith("deadlock (violated)\n 0  initial state\n      fork = {0, 0, 0, 0, 0}\n      Philosopher0 = think\n"))
        self.assertRegex(text, r"\n 1  Philosopher\d: think -> one \(line \d+\)\n      fork: ")

    def test_a_lasso(self):
        self.saved(PETERSON, "--ltl", "G F P0.critical")
        text = self.shown()
        self.assertRegex(text, r"      the cycle begins here, in state \d+\n")
        self.assertRegex(text, r"      back to state \d+: the cycle is closed\n$")
        self.assertRegex(self.shown("--to", "mermaid"), r"\n    loop for ever\n(?s:.)*\n    end\n$")
        self.assertRegex(self.shown("--to", "dot"), r"  s\d+ -> s\d+ \[label=\"P1: critical -> idle")

    def test_sequence_diagrams_of_a_rendezvous(self):
        self.write("m.dve", "channel c;\nprocess S { state a, b; init a; trans a -> b { sync c!3; }; }\nprocess R { byte x; state p, q; init p; trans p -> q { sync c?x; }; }\nsystem async;\n")
        self.saved("m.dve", "--deadlock")
        mermaid = self.shown("--to", "mermaid")
        self.assertTrue(mermaid.startswith("sequenceDiagram\n    participant p0 as S\n    participant p1 as R\n    p0->>p1: c"), mermaid)
        self.assertTrue(mermaid.endswith("\n    Note over p0: a -> b\n    Note over p1: p -> q\n"), mermaid)
        plantuml = self.shown("--to", "plantuml")
        self.assertTrue(plantuml.startswith('@startuml\nparticipant "S" as p0\nparticipant "R" as p1\np0 -> p1: c'), plantuml)
        self.assertTrue(plantuml.endswith("@enduml\n"))

    def test_a_page(self):
        self.saved(EXAMPLES / "vending_machine.aut", "--deadlock")
        page = self.shown("--to", "html")
        self.assertEqual(page.count("<tr>"), 6)
        self.assertEqual(len(re.findall(r"class=\"changed\"", page)), 4)
        self.assertNotRegex(page, r"https?://")

    def test_replay(self):
        self.saved(PHILOSOPHERS, "--deadlock")
        self.assertEqual(self.shown("--replay", PHILOSOPHERS), "deadlock: no step is possible\nthe model has this run: 5 steps\n")
        self.write("other.dve", PHILOSOPHERS.read_text().replace("fork[0] == 0", "fork[0] == 7"))
        self.assertIn("the model has no step to this state\n", self.shown("--replay", "other.dve", status=1))

    def test_what_is_no_trace(self):
        for content, message in (("{", "this is no JSON"), ("[]", "this is no trace"), ('{"vars": [], "states": [3]}', "a state of this trace is no object"),
                                 ('{"vars": [], "states": [{}], "loop": 4}', "the loop of this trace leads to a state that it has not")):
            self.write("t.json", content)
            finished = self.run_program("trace", "t.json")
            self.assertEqual((finished.returncode, finished.stdout), (2, ""))
            self.assertIn(message, finished.stderr)
        finished = self.run_program("trace", "t.json", "--to", "gif")
        self.assertIn("--to: unknown form 'gif'", finished.stderr)
