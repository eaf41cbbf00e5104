"""Audits of whole runs: what a run has checked is read again, by other code, and means the same.

TIDELINE_RANDOM_INVARIANTS says how many runs there are with random invariants (default 60, of several invariants each).
"""

import os
import random

from program import EXAMPLES, MODELS, ProgramTest

RUNS = int(os.environ.get("TIDELINE_RANDOM_INVARIANTS", "60"))

# Of each kind that the manual speaks of: variables, elements, locations, lengths, messages, constants.
LOSSY = ["Sender.number", "Sender->payload", "Receiver->wrong", "Receiver.number", "data.length", "data[0].1", "data[0].0", "data[1].1", "Sender.ready", "3", "1", "0"]
PETERSON = ["flag[0]", "flag[1]", "flag[turn]", "turn", "P0.critical", "P1.waiting", "P0.idle", "true", "false", "2"]
LIGHTS = ["stop", "lit", "state", "lts.red", "lts.off", "1", "0"]
LIGHTS_TEXT = ('{"states": [{"name": "red", "labels": ["stop", "lit"]}, {"name": "green", "labels": ["lit"]}, "off"], "initial": "red", '
               '"edges": [["red", "green"], ["green", "off"], ["off", "red"], ["red", "off"]]}')
EVERY_NAME = """
const byte LIMIT = 3;
const int table[4] = {5, -7, 0, 2};
byte x = 1, a[3];
channel {byte, int} c[1];
process P {
  const byte STEP = 2;
  byte x, idle;
  state idle, work;
  init idle;
  trans
    idle -> work { sync c!{x, -3}; effect x = (x + STEP) % 5, idle = idle ^ 1; },
    work -> idle { effect a[x % LIMIT] = a[x % LIMIT] ^ 1; };
}
process Q { int y = -1, z; state s; init s; trans s -> s { sync c?{y, z}; }; }
system async;
"""
NAMES = ["x", "a[x]", "a[2]", "P.x", "P->idle", "P.idle", "Q.y", "Q->z", "c.length", "c[0].1", "LIMIT", "table[P.x]", "table[a[0]]", "P.STEP", "7", "0", "1"]

BINARY = ["imply", "or", "||", "and", "&&", "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "<<", ">>", "+", "-", "*", "/", "%"]
UNARY = ["-", "~", "not ", "!"]


def expression(choose, names, depth):
    """Parentheses only here and there, so that precedence matters."""
    if depth == 0 or choose.random() < 0.1:
        return choose.choice(names)
    if choose.random() < 0.15:
        return choose.choice(UNARY) + operand(choose, names, depth - 1)
    result = operand(choose, names, depth - 1)
    for _ in range(choose.choice((1, 1, 2))):
        result += f" {choose.choice(BINARY)} {operand(choose, names, depth - 1)}"
    return result


def operand(choose, names, depth):
    text = expression(choose, names, depth)
    return f"({text})" if choose.random() < 0.3 else text


class AuditTest(ProgramTest):
    def check_and_audit(self, model, *invariants, ledger="run"):
        """Whether each holds, after the audit has confirmed it."""
        options = []
        for text in invariants:
            options += [f"--invariant={text}"]
        checked = self.run_program("check", model, "--engine", "bfs", "--ledger", ledger, *options)
        self.assertIn(checked.returncode, (0, 1), checked.stdout + checked.stderr)
        verdicts = [line.split()[0] for line in checked.stdout.splitlines() if line.startswith(("HOLDS", "VIOLATED"))]
        self.assertEqual(len(verdicts), len(invariants), checked.stdout)
        finished = self.run_program("audit", ledger)
        if "so far" in checked.stdout:  # it has stopped at a violation: there is no claim
            self.assertIn("the run is not complete", finished.stdout)
        else:
            self.assertEqual((finished.returncode, finished.stderr), (0, ""), (invariants, checked.stdout, finished.stdout))
            self.assertTrue(finished.stdout.startswith("CONFIRMED"), finished.stdout)
        return verdicts

    def test_precedence_is_the_manuals(self):
        for number, text in enumerate(["1 or 0 and 0", "Sender.number >= 0", "!(data.length > 2)", "data[0].1 < 3 && 1", "1 | 2 & 0", "not 0 imply 1"]):
            with self.subTest(text):
                self.assertEqual(self.check_and_audit(EXAMPLES / "lossy_channel.dve", text, ledger=f"run{number}"), ["HOLDS"])

    def test_random_invariants(self):
        self.write("lights.json", LIGHTS_TEXT)
        self.write("every.dve", EVERY_NAME)
        subjects = [(EXAMPLES / "lossy_channel.dve", LOSSY), (MODELS / "peterson.dve", PETERSON), ("lights.json", LIGHTS), ("every.dve", NAMES)]
        confirmed = 0
        for seed in range(RUNS):
            choose = random.Random(seed)
            model, names = subjects[seed % len(subjects)]
            # So that a run is complete, and makes a claim, each is true somewhere: something or its contrary.
            texts = [f"({text}) or true or ({text})" if choose.random() < 0.2 else text
                     for text in (expression(choose, names, choose.choice((1, 2, 3, 4))) for _ in range(3))]
            with self.subTest(seed=seed, invariants=texts):
                verdicts = self.check_and_audit(model, *texts, ledger=f"run{seed}")
                confirmed += verdicts.count("HOLDS")
        self.assertGreater(confirmed, RUNS // 4)

    def test_temporary_files_go_where_the_user_says(self):
        self.check_and_audit(MODELS / "peterson.dve", "true")
        finished = self.run_program("audit", "run", TMPDIR=str(self.folder / "nowhere"))
        self.assertEqual(finished.returncode, 3)
        self.assertIn("nowhere: no temporary file can be made here", finished.stderr)
