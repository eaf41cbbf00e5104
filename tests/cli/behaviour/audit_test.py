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

    def test_certificates_of_formulas(self):
        """Verdicts on formulas of CTL and CTL* are confirmed by what the run has left; a damaged certificate is not believed."""
        formulas = ["--ctl", "AG EF P0.critical", "--ctl", "AF P0.critical", "--ctl", "EG !P0.critical", "--ctl", "AG AF EX P1.critical", "--ctlstar", "E (G F P0.critical & G F P1.critical)",
                    "--ctlstar", "A G F P0.critical"]
        for measure in ("auto", "turn", "0"):
            ledger = f"run {measure}"
            with self.subTest(measure):
                checked = self.run_program("check", MODELS / "peterson.dve", *formulas, "--ledger", ledger, "--progress", measure)
                self.assertEqual(checked.returncode, 1, checked.stderr)
                finished = self.run_program("audit", ledger)
                self.assertEqual((finished.returncode, finished.stderr), (0, ""), finished.stdout)
                self.assertEqual(finished.stdout.count("confirmed by its certificate"), 6)
        path = self.folder / ledger / "certificate"
        content = bytearray(path.read_bytes())
        content[len(content) // 3] ^= 1
        path.write_bytes(content)
        self.assertEqual(self.run_program("audit", ledger).returncode, 1)
        path.unlink()
        finished = self.run_program("audit", ledger)
        self.assertEqual(finished.returncode, 1)
        self.assertIn("has no certificate", finished.stdout)

    def test_certificates_in_little_memory(self):
        """The states are taken in several ranges."""
        lines = "".join(f"process P{i} {{ int x; state s; init s; trans s -> s {{ guard x < 20; effect x = x + 1; }}; }}\n" for i in range(3))
        self.write("many.dve", lines + "system async;\n")
        checked = self.run_program("check", "many.dve", "--ctl", "AG EF {P0.x == 20 and P1.x == 20}", "--ctl", "EG {P2.x < 5}", "--ctlstar", "A (F G {P0.x == 20} | G F {P1.x == 3})", "--ledger", "run")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        for memory in ("1M", "256M"):
            with self.subTest(memory):
                finished = self.run_program("audit", "run", "--memory", memory)
                self.assertEqual((finished.returncode, finished.stderr), (0, ""), finished.stdout)
                self.assertEqual(finished.stdout.count("confirmed by its certificate"), 3)

    def test_a_certificate_without_room_costs_no_verdict(self):
        lines = "".join(f"process P{i} {{ int x; state s; init s; trans s -> s {{ guard x < 20; effect x = x + 1; }}; }}\n" for i in range(3))
        self.write("many.dve", lines + "system async;\n")
        formulas = [f"AG EF {{P0.x == {i} or P1.x == 20}}" for i in range(80)]
        options = [option for text in formulas for option in ("--ctl", text)]
        checked = self.run_program("check", "many.dve", *options, "--ledger", "run", "--disk", "300K")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("there is no certificate", checked.stderr)
        self.assertIn("has no certificate", self.run_program("audit", "run").stdout)
