"""Files of properties, and regression tests made of them."""

import json

from program import MODELS, ProgramTest

PROPERTIES = """\
# What is known of Peterson's algorithm.
mutex holds:         invariant not (P0.critical and P1.critical)
never stuck:         deadlock
  
response:            ltl G (P0.waiting
                            -> F P0.critical)
recurrence violated: ltl G F P0.critical
not idle violated:   invariant not P0.idle
"""


class PropertiesTest(ProgramTest):
    def check(self, text, *more):
        self.write("my.properties", text)
        return self.run_program("check", MODELS / "peterson.dve", "--properties", "my.properties", *more)

    def test_each_property_gets_its_verdict_in_the_order_of_the_file(self):
        finished = self.check(PROPERTIES, "--quiet", "--json", "-")
        self.assertEqual((finished.returncode, finished.stderr), (1, ""))
        report = json.loads(finished.stdout)
        self.assertEqual([(p["name"], p["logic"], p["verdict"], p.get("expected")) for p in report["properties"]],
                         [("mutex", "invariant", "holds", "holds"), ("never stuck", "deadlock", "holds", None), ("response", "ltl", "holds", None),
                          ("recurrence", "ltl", "violated", "violated"), ("not idle", "invariant", "violated", "violated")])

    def test_invariants_share_one_search(self):
        finished = self.check("a: invariant P0.idle or not P0.idle\nb: invariant true\nc: deadlock\n", "--quiet", "--json", "-")
        self.assertEqual(json.loads(finished.stdout)["states"], 20)

    def test_as_expected_is_0(self):
        finished = self.check(PROPERTIES, "--expect")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.assertTrue(finished.stdout.endswith("\n\n5 verdicts as expected\n"), finished.stdout)

    def test_differences_are_told(self):
        finished = self.check(PROPERTIES.replace("recurrence violated", "recurrence").replace("mutex holds", "mutex violated"), "--expect", "--quiet")
        self.assertEqual(finished.returncode, 1)
        self.assertEqual(finished.stdout[finished.stdout.index("\n\n") + 1:], "\n2 of 5 verdicts not as expected:\n  mutex       expected violated  found holds\n"
                                          "  recurrence  expected holds     found violated\n")

    def test_what_was_not_decided_is_3(self):
        finished = self.check("response: ltl G (P0.waiting -> F P0.critical)\n", "--expect", "--quiet", "--states", "1", "--successors", "interpret")
        # So few states that a limit ends it, or the whole product has been seen before anybody looked at the limit.
        self.assertIn(finished.returncode, (0, 3))
        self.write("many.dve", "".join(f"process P{i} {{ byte x; state s; init s; trans s -> s {{ effect x = (x + 1) % 100; }}; }}\n" for i in range(6)) + "system async;\n")
        self.write("many.properties", "small: invariant P0->x < 100\nunknown unknown: ltl G {P1->x < 100}\n")
        finished = self.run_program("check", "many.dve", "--properties", "many.properties", "--expect", "--states", "5000")
        self.assertEqual(finished.returncode, 3)
        self.assertTrue(finished.stdout.endswith("\n1 of 2 verdicts not as expected:\n  small  expected holds     found unknown\n"), finished.stdout)

    def test_options_may_be_added(self):
        finished = self.check("mutex: invariant not (P0.critical and P1.critical)\n", "--ltl", "F true", "--quiet", "--json", "-")
        self.assertEqual([p["name"] for p in json.loads(finished.stdout)["properties"]], ["ltl", "mutex"])

    def test_automata_lie_beside_the_file(self):
        (self.folder / "sub").mkdir()
        self.write("sub/bad.never", "never { T0_init: if :: (1) -> goto T0_init :: (P0.critical && P1.critical) -> goto accept_all fi; accept_all: skip }\n")
        self.write("sub/my.properties", "no bad run: automaton bad.never\n")
        finished = self.run_program("check", MODELS / "peterson.dve", "--properties", "sub/my.properties")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.assertTrue(finished.stdout.startswith("HOLDS     no bad run: sub/bad.never\n"), finished.stdout)
