"""Messages, printed texts and the contents of channels in traces, ITF and sequence charts."""

import json
import unittest

from program import ProgramTest

PROMELA = """mtype = { req, ack };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
mtype last;
active proctype Client() {
  byte id = 7;
  atomic { q!req,id; id++; q!req,id; printf("sent %d %e\\n", id, last) }
  r?id;
  assert(id != 9)
}
active proctype Server() {
  byte n;
  q??last,eval(8);
  q?<last,n>;
  q?req,n;
  printm(last);
  r!n + 2
}
"""

DVE = """channel {byte, byte} c[2];
process P { state s, t; init s; trans s -> t { sync c!{3, 4}; }; }
process Q { byte x, y; state s, t; init s; trans s -> t { guard x == 0; sync c?{x, y}; }; }
system async;
"""


class MessagesTest(ProgramTest):
    def traced(self, *options):
        self.write("m.pml", PROMELA)
        return self.run_program("check", "m.pml", "--itf", "t.json", "--msc", "t.mmd", *options).stdout

    def test_a_step_shows_its_messages(self):
        text = self.traced()
        for line in ("q!req,7", "q!req,8", 'prints "sent 8 0"', "(m.pml:13)  q?req,8", "(m.pml:14)  q?req,7", 'prints "req"', "r!9", "r?9",
                     "q: <> \u2192 <req, 7 | req, 8>", "q: <req, 7 | req, 8> \u2192 <req, 7>, last: 0 \u2192 req", "q: <req, 7> \u2192 <>"):
            self.assertIn(line.replace("\u2192", "->"), text.replace("\u2192", "->"))
        self.assertIn("q = <>", text)

    def test_values_are_those_of_their_moment(self):
        # The second message of the atomic sequence has the value after id++, the first one that before.
        steps = [line for line in self.traced("--trace", "actions").splitlines() if line.startswith(" 1 ")]
        self.assertRegex(steps[0], "q!req,7.*q!req,8.*prints")

    def test_itf_has_them(self):
        self.traced()
        trace = json.loads((self.folder / "t.json").read_text())
        self.assertIn("q", trace["vars"])
        self.assertNotIn("q.length", trace["vars"])
        self.assertEqual([state["q"] for state in trace["states"][:3]],
                         [[], [{"#tup": ["req", 7]}, {"#tup": ["req", 8]}], [{"#tup": ["req", 7]}]])
        parts = trace["states"][1]["#meta"]["parts"]
        self.assertEqual(parts[0]["messages"], [{"kind": "send", "channel": "q", "values": ["req", "7"]}])
        self.assertEqual([part["printed"] for part in parts if "printed" in part], [["sent 8 0\n"]])

    def test_a_chart_has_a_column_per_process(self):
        self.traced()
        lines = [line.strip() for line in (self.folder / "t.mmd").read_text().splitlines()]
        self.assertEqual(lines[:5], ["sequenceDiagram", "participant P0 as Client_0", "participant P1 as Server_1", "Note over P0: q!req,7", "Note over P0: q!req,8"])
        self.assertIn("P0-->>P1: q?req,8", lines)
        self.assertIn("P1->>P0: r!9", lines)
        self.assertEqual(lines[-1], "Note over P0: violated: assert(id != 9)")

    def test_a_run_without_an_end_is_a_loop(self):
        self.write("m.pml", "byte x;\nchan r = [0] of { byte };\nactive proctype A() { do :: r!1 od }\nactive proctype B() { do :: r?_ od }\nltl p { <> (x == 1) }\n")
        self.run_program("check", "m.pml", "--property", "p", "--msc", "t.mmd")
        lines = [line.strip() for line in (self.folder / "t.mmd").read_text().splitlines()]
        self.assertEqual(lines[-3:], ["loop for ever", "P0->>P1: r!1", "end"])

    def test_the_file_is_empty_without_a_run(self):
        self.write("m.pml", "active proctype A() { skip }\n")
        self.assertEqual(self.run_program("check", "m.pml", "--msc", "t.mmd").returncode, 0)
        self.assertEqual((self.folder / "t.mmd").read_text(), "")

    def test_dve_channels_are_shown_alike(self):
        self.write("m.dve", DVE)
        text = self.run_program("check", "m.dve", "--deadlock", "--itf", "t.json").stdout
        self.assertIn("c: <> -> <3, 4>", text.replace("\u2192", "->"))
        self.assertIn("c!3,4", text)
        self.assertIn("c?3,4", text)
        self.assertEqual([state["c"] for state in json.loads((self.folder / "t.json").read_text())["states"]], [[], [{"#tup": [3, 4]}], []])


if __name__ == "__main__":
    unittest.main()
