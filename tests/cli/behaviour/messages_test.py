"""What the program says in passing: hints, remarks, the words of verdicts."""

import json
import re

from program import MODELS, ROOT, ProgramTest, counters

PHILOSOPHERS = MODELS / "philosophers.dve"
PETERSON = MODELS / "peterson.dve"


class MessagesTest(ProgramTest):
    def printed(self, *arguments, status=0):
        finished = self.run_program(*arguments)
        self.assertEqual(finished.returncode, status, finished.stderr)
        return finished.stdout

    def refused(self, *arguments):
        finished = self.run_program(*arguments)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""), finished.stderr)
        return finished.stderr

    # ---- verdicts ----

    def test_the_absence_of_deadlocks_holds(self):
        self.assertTrue(self.printed("check", PETERSON, "--deadlock").startswith("HOLDS     deadlock-free\n"))
        text = self.printed("check", PHILOSOPHERS, "--deadlock", status=1)
        self.assertTrue(text.startswith("VIOLATED  deadlock-free\n"))
        self.assertIn("\ndeadlock-free: this run ends in a deadlock:\n", text)

    def test_a_deadlock_that_nobody_asked_about_is_mentioned(self):
        text = self.printed("check", PHILOSOPHERS, "--invariant", "true")
        self.assertIn("\nnote      1 state is without a step; it was not asked about: add --deadlock\n", text)
        self.assertNotIn("not asked about", self.printed("check", PETERSON, "--invariant", "true"))

    def test_explore_suggests_how_to_see_a_deadlock(self):
        self.assertRegex(self.printed("explore", PHILOSOPHERS), r"(?m)^deadlocks     1 \(check --deadlock shows a run to one\)$")
        self.assertRegex(self.printed("explore", PETERSON), r"(?m)^deadlocks     0$")

    def test_figures_of_a_product_say_so(self):
        text = self.printed("check", PETERSON, "--ltl", "G F P0.critical", status=1)
        self.assertRegex(text, r"(?m)^states        \d+ \(of the product with the automaton\)$")
        text = self.printed("check", PETERSON, "--ltl", "G (P0.waiting -> F P0.critical)", "--deadlock")
        self.assertRegex(text, r"(?m)^states        \d+ \(of several searches, added up\)$")
        self.assertRegex(self.printed("check", PETERSON, "--deadlock"), r"(?m)^states        20$")

    def test_quiet_keeps_verdicts(self):
        self.assertEqual(self.printed("check", PETERSON, "--deadlock", "--quiet"), "HOLDS     deadlock-free\n")
        self.assertEqual(self.printed("check", PHILOSOPHERS, "--deadlock", "--quiet", status=1), "VIOLATED  deadlock-free\n")
        self.assertEqual(self.printed("explore", PHILOSOPHERS, "--quiet"), "")

    def test_all_decided_is_not_called_stopped(self):
        text = self.printed("check", PHILOSOPHERS, "--deadlock", "--engine", "dfs", status=1)
        self.assertIn("\ndecided before all states were visited; ", text)
        self.assertNotIn("stopped", text)

    def test_a_model_where_nothing_moves(self):
        self.write("still.dve", "byte x;\nprocess P { state s, t; init s; trans s -> t { guard x == 1; }; }\nsystem async;\n")
        self.assertIn("note      nothing moves: the initial state is without a step\n", self.printed("explore", "still.dve"))

    def test_a_deadlock_ends_with_what_blocks_each_process(self):
        text = self.printed("check", PHILOSOPHERS, "--deadlock", status=1)
        table = text.split("\nwhat blocks each process:\n")[1].split("\n\n")[0].split("\n")
        self.assertEqual(len(table), 10)
        self.assertEqual(table[0], "  Philosopher0 in one")
        self.assertRegex(table[1], r"^    to eat \(line \d+\): fork\[1\] == 0, where fork\[1\] = 1$")
        report = json.loads(self.printed("check", PHILOSOPHERS, "--deadlock", "--quiet", "--json", "-", status=1))
        blocked = report["properties"][0]["blocked"]
        self.assertEqual([each["process"] for each in blocked], [f"Philosopher{i}" for i in range(5)])
        self.assertEqual(blocked[0]["transitions"][0]["by"], ["fork[1] == 0, where fork[1] = 1"])

    def test_channels_and_partners_that_block(self):
        self.write("m.dve", "channel a; channel {byte} c[1];\n"
                   "process P { state s, t, u; init s; trans s -> t { sync c!1; }, t -> u { sync c!2; }; }\n"
                   "process Q { byte x; state s, t; init s; trans s -> t { sync a?x; }; }\n"
                   "process R { state s, t; init t; trans s -> t { sync a!3; }; }\n"
                   "process S { state s; init s; }\nsystem async;\n")
        text = self.printed("check", "m.dve", "--deadlock", status=1)
        self.assertIn("  P in t\n    to u (line 2): channel c is full\n", text)
        self.assertIn("  Q in s\n    to t (line 3): no partner on a\n", text)
        self.assertIn("  S in s: no transition leaves it\n", text)

    def test_a_violated_invariant_shows_what_it_read(self):
        text = self.printed("check", PETERSON, "--invariant", "not (P0.critical and turn == 1)", status=1)
        self.assertIn("      not (P0.critical and turn == 1) is false here, where P0 = critical, turn = 1\n", text)

    # ---- ledgers ----

    def test_a_ledger_is_mentioned_only_if_it_stays(self):
        finished = self.run_program("explore", ROOT / "examples" / "lossy_channel.dve", "--engine", "sweep")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        self.write("big.dve", counters(5, 12))
        finished = self.run_program("explore", "big.dve", "--engine", "sweep", "--progress", "P0.x", "--states", "50000")
        self.assertEqual(finished.returncode, 3, finished.stderr)
        self.assertRegex(finished.stderr, r"^tideline: resume with: tideline resume \S+\n$")
        directory = finished.stderr.split()[-1]
        finished = self.run_program("resume", directory, "--quiet")
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertFalse((self.folder / directory).exists(), "a temporary ledger goes away when the run is complete")

    def test_a_ledger_that_is_there_already(self):
        self.printed("explore", PETERSON, "--engine", "bfs", "--ledger", "ledger")
        self.assertIn("there is a ledger in this directory already: resume, audit or remove it", self.refused("explore", PETERSON, "--engine", "bfs", "--ledger", "ledger"))

    # ---- expressions ----

    def test_a_constant_index_out_of_range_is_a_mistake(self):
        self.assertEqual(self.refused("check", PHILOSOPHERS, "--invariant", "fork[5] == 0"),
                         "--invariant:1:6: error: the index 5 is outside fork\n  fork[5] == 0\n       ^\n  its elements are fork[0] to fork[4]\n")

    def test_an_arrow_is_an_implication(self):
        self.assertTrue(self.printed("check", PETERSON, "--invariant", "P0.critical -> flag[0] == 1").startswith("HOLDS"))
        self.assertTrue(self.printed("check", PETERSON, "--invariant", "P0.idle -> P0.critical", status=1).startswith("VIOLATED"))
        # From right to left, as in formulas: 0 -> (0 -> 0) is true, (0 -> 0) -> 0 is false.
        self.assertTrue(self.printed("check", PETERSON, "--invariant", "false -> false -> false").startswith("HOLDS"))

    def test_comparisons_in_formulas_need_no_braces(self):
        for formula in ("G (turn <= 1 & flag[0] + flag[1] < 3)", "G (P0.waiting && turn == 1 -> F P0.critical)", "G turn != 2"):
            with self.subTest(formula):
                self.assertTrue(self.printed("check", PETERSON, "--ltl", formula).startswith("HOLDS"))
        self.assertIn("it is not clear what is negated", self.refused("check", PETERSON, "--ltl", "G !turn == 2"))

    def test_suggestions_have_qualified_names(self):
        self.assertIn("did you mean 'P0.critical' or 'P1.critical'?", self.refused("check", PETERSON, "--invariant", "critical"))

    def test_a_temporal_operator_in_an_invariant(self):
        self.assertIn("is an operator of temporal logic: give the formula with --ltl or --ctl", self.refused("check", PETERSON, "--invariant", "G flag[0]"))

    # ---- command lines ----

    def test_help_for_a_command(self):
        self.assertEqual(self.printed("help", "check"), self.printed("check", "--help"))
        self.assertEqual(self.printed("help"), self.printed("--help"))
        self.assertIn("did you mean 'check'?", self.refused("help", "chekc"))

    def test_usage_lines_begin_with_the_program(self):
        for command in ("explore", "check", "progress", "resume", "audit", "convert"):
            self.assertRegex(self.printed(command, "--help"), rf"(?m)^Usage: tideline {command} \[OPTIONS\] \S+$")

    def test_help_wraps(self):
        text = self.printed("check", "--help").split("Examples:")[0]
        self.assertLessEqual(max(map(len, text.split("\n"))), 80)

    def test_a_model_in_place_of_a_command(self):
        self.assertIn("a command comes first: tideline check model.dve, or tideline explore model.dve", self.refused("model.dve"))

    def test_standard_input(self):
        self.assertIn("a model cannot be read from standard input", self.refused("explore", "-"))

    def test_an_ending_in_capitals(self):
        self.write("MODEL.DVE", PETERSON.read_text())
        self.assertIn("the ending is written in small letters: .dve", self.refused("explore", "MODEL.DVE"))

    def test_options_that_would_be_ignored(self):
        for arguments, message in ((("progress", PETERSON, "--itf", "f"), "unknown option '--itf'"), (("check", PETERSON, "--deadlock", "--satisfying"), "--satisfying without a formula"),
                                   (("check", PETERSON, "--ctl", "AG true", "--order", "components"), "--order is for the engine prod"),
                                   (("explore", ROOT / "examples" / "vending_machine.aut", "--wrap"), "--wrap is for models in DVE")):
            self.assertIn(message, self.refused(*arguments))

    def test_every_value_option_refuses_a_flag(self):
        for command in ("explore", "check", "progress", "convert", "resume", "audit"):
            text = self.printed(command, "--help").split("Options:")[1].split("Examples:")[0]
            entries = re.findall(r"(?m)^  (?:-h,)?(-{1,2}[A-Za-z-]+)(?: (\S+))?", text)
            values = [name for name, kind in entries if kind and not kind[0].islower() or kind and "|" in kind]
            flags = [name for name, kind in entries if not kind and name.startswith("--")]
            self.assertGreater(len(values), 0)
            for value in values:
                for flag in flags:
                    before = sorted(path.name for path in self.folder.iterdir())
                    error = self.refused(command, "model.dve", value, flag)
                    self.assertIn(f"{value} needs a value, found '{flag}'", error)
                    self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    # ---- files ----

    def test_words_that_are_no_verdicts(self):
        for word, meant in (("fails", "violated"), ("false", "violated"), ("true", "holds")):
            self.write("p.txt", f"mutex {word}: invariant turn <= 1\n")
            self.assertIn(f"did you mean '{meant}'?", self.refused("check", PETERSON, "--properties", "p.txt"))

    def test_a_formula_is_converted_to_hoa(self):
        self.assertEqual(self.printed("convert", "--ltl", "F p"), self.printed("convert", "--ltl", "F p", "--to", "hoa"))

    def test_no_trace_no_file(self):
        self.write("t.json", "old")
        self.printed("check", PETERSON, "--deadlock", "--itf", "t.json")
        self.assertFalse((self.folder / "t.json").exists())
        self.printed("check", PHILOSOPHERS, "--deadlock", "--itf", "t.json", status=1)
        self.assertIn('"description": "deadlock (violated)"', (self.folder / "t.json").read_text())

    # ---- what other languages have ----

    def test_hints_for_what_other_languages_have(self):
        process = "process P {{ byte x; state s; init s; trans s -> s {{ {} }}; }}\nsystem async;\n"
        for text, hint in ((process.format("effect x++;"), "an effect is written in full: x = x + 1"), (process.format("effect x += 1;"), "an effect is written in full: x = x + 1"),
                           (process.format("effect x = 1; x = 2;"), "the assignments of an effect are separated by ','"), ("bool b;\n" + process.format(""), "there is no type bool: use byte"),
                           ("process P { bool b; state s; init s; }\nsystem async;\n", "there is no type bool: use byte"), ("#define N 3\n" + process.format(""), "there is no preprocessor: a constant is declared as in const int N = 3;"),
                           ("define(N, 3)\n" + process.format(""), "this is a template for m4"), ("process P(byte id) { state s; init s; }\nsystem async;\n", "a process has no parameters"),
                           (process.format("guard s;"), "'s' is a location: write P.s to ask whether process P is in it")):
            with self.subTest(hint):
                self.write("m.dve", text)
                self.assertIn(hint, self.refused("explore", "m.dve"))

    def test_several_syntax_errors_at_once(self):
        self.write("m.dve", "process P { state s; init s; trans s -> s { guard ; }; }\nprocess Q { state s init s; }\nprocess R { state s; init s; }\nsystem async\n")
        self.assertEqual(re.findall(r"m\.dve:(\d+):", self.refused("explore", "m.dve")), ["1", "2", "5"])

    # ---- constants ----

    def test_a_constant_is_set(self):
        self.write("m.dve", "const byte N = 3;\nint M = 2;\nbyte x;\nprocess P { state s; init s; trans s -> s { guard x < N; effect x = x + 1; }; }\nsystem async;\n")
        for options, states in (((), 4), (("-D", "N=10"), 11), (("-D", "N=0"), 1)):
            self.assertRegex(self.printed("explore", "m.dve", *options), rf"(?m)^states        {states}$")
        self.assertIn('"definitions": {\n      "N": "10"\n    }', self.printed("explore", "m.dve", "-D", "N=10", "--json", "-", "--quiet"))
        self.assertEqual(self.refused("explore", "m.dve", "-D", "n=1"), "-D: error: the model has no constant 'n'\n  did you mean 'N'?\n")
        self.assertIn("N is a byte: 0 to 255", self.refused("explore", "m.dve", "-D", "N=300"))
        self.assertIn("the value is not a number", self.refused("explore", "m.dve", "-D", "N=three"))
        self.assertIn("expected -D NAME=VALUE", self.refused("explore", "m.dve", "-D", "N"))
        self.assertIn("'M' is a variable", self.refused("explore", "m.dve", "-D", "M=1"))
        text = self.printed("check", "m.dve", "-D", "N=4", "--invariant", "x < 4", status=1)  # the trace is confirmed by reference/
        self.assertIn("x: 3 -> 4", text)

    def test_a_ledger_keeps_constants(self):
        self.write("m.dve", "const byte N = 3;\nbyte x;\nprocess P { state s; init s; trans s -> s { guard x < N; effect x = x + 1; }; }\nsystem async;\n")
        self.printed("explore", "m.dve", "-D", "N=9", "--engine", "sweep", "--progress", "x", "--ledger", "ledger", "--quiet")
        self.assertIn("\nstates        10\n", self.printed("audit", "ledger"))
