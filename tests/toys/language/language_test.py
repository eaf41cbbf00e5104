"""A language that only has its two rows works with everything: engines, properties, traces, ledgers, audits."""

import itertools
import json
import unittest

from program import ProgramTest

MODEL = """# balls go round
box left 3 3
box middle 2 0
box right 3 0
move left middle
move middle right
move right left   # and back
"""


def reachable(boxes, moves):
    """States, steps and deadlocks by brute force: boxes are (capacity, balls), moves are (from, to)."""
    initial = tuple(balls for _, balls in boxes)
    seen, waiting, steps, deadlocks = {initial}, [initial], 0, 0
    while waiting:
        state = waiting.pop()
        enabled = 0
        for source, target in moves:
            if state[source] == 0 or state[target] == boxes[target][0]:
                continue
            enabled += 1
            successor = list(state)
            successor[source] -= 1
            successor[target] += 1
            successor = tuple(successor)
            if successor not in seen:
                seen.add(successor)
                waiting.append(successor)
        steps += enabled
        deadlocks += enabled == 0
    return len(seen), steps, deadlocks


class ToyLanguage(ProgramTest):
    def report(self, *arguments, status=0):
        run = self.run_program(*arguments, "--json", "report.json")
        self.assertEqual(run.returncode, status, run.stderr)
        return json.loads((self.folder / "report.json").read_text())

    def test_every_engine_counts_what_brute_force_counts(self):
        for capacities in itertools.product((0, 1, 3), repeat=3):
            boxes = [(capacities[0], capacities[0]), (capacities[1], 0), (capacities[2], capacities[2] // 2)]
            moves = [(0, 1), (1, 2), (2, 0)]
            text = "".join(f"box b{i} {c} {n}\n" for i, (c, n) in enumerate(boxes))
            text += "".join(f"move b{a} b{b}\n" for a, b in moves)
            self.write("m.boxes", text)
            for engine in ("bfs", "dfs", "sweep", "auto"):
                report = self.report("explore", "m.boxes", "--engine", engine)
                with self.subTest(boxes=boxes, engine=engine):
                    self.assertEqual((report["states"], report["transitions"], report["deadlocks"]),
                                     reachable(boxes, moves))
        self.assertEqual(report["model"]["format"], "boxes")

    def test_properties_have_verdicts_and_confirmed_runs(self):
        self.write("m.boxes", MODEL)
        report = self.report("check", "m.boxes", "--invariant", "left + middle + right == 3",
                             "--invariant", "right < 3", "--deadlock", "--ltl", "F {right == 1}", status=1)
        verdicts = {p["formula"]: p["verdict"] for p in report["properties"]}
        self.assertEqual(verdicts["left + middle + right == 3"], "holds")
        self.assertEqual(verdicts["right < 3"], "violated")
        trace = next(p["trace"] for p in report["properties"] if p["formula"] == "right < 3")
        self.assertEqual(len(trace["states"]), 7)  # three balls, two moves each

    def test_a_trace_names_the_line_of_a_move(self):
        self.write("m.boxes", MODEL)
        run = self.run_program("check", "m.boxes", "--invariant", "right == 0", "--engine", "bfs")
        self.assertIn("(m.boxes:5)", run.stdout)
        self.assertIn("(m.boxes:6)", run.stdout)

    def test_a_run_with_a_ledger_is_audited(self):
        self.write("m.boxes", MODEL)
        self.report("check", "m.boxes", "--invariant", "left <= 3", "--ledger", "ledger")
        audit = self.run_program("audit", "ledger")
        self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)

    def test_mistakes_are_told_with_their_place(self):
        for text, message in (
            ("box a 2 1\nmove a bb\n", "m.boxes:2:8: error: no such box: 'bb'"),
            ("box a 2 3\n", "m.boxes:1:9: error: the box has no room"),
            ("bix a 2 3\n", "m.boxes:1:1: error: unknown statement 'bix'"),
            ("", "there is no box"),
        ):
            with self.subTest(text=text):
                self.write("m.boxes", text)
                run = self.run_program("explore", "m.boxes")
                self.assertEqual(run.returncode, 2)
                self.assertIn(message, run.stderr)

    def test_other_languages_are_not_in_the_table(self):
        self.write("m.dve", "system async;")
        run = self.run_program("explore", "m.dve")
        self.assertEqual(run.returncode, 2)
        self.assertIn(".boxes", run.stderr)


if __name__ == "__main__":
    unittest.main()
