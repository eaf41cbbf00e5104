"""Runs by `auto` that change from breadth-first search in memory to the sweep: forced at some moment, or by a limit of memory; killed and resumed."""

import json
import os
import random
import shutil
import signal
import time

from program import EXAMPLES, ProgramTest, counters

FIGURES = ("states", "transitions", "deadlocks", "expanded", "complete")


def queue(length=6, values=4):
    """A sender fills slots one after the other, readers take what is there: some ten thousand states and one deadlock."""
    return (f"byte got[{length}]; byte sum; byte n; byte k;\n"
            "process Sender { state s; init s; trans "
            + ", ".join(f"s -> s {{ guard n < {length}; effect got[n] = {v}, n = n + 1; }}" for v in range(1, values + 1))
            + "; }\n"
            f"process Reader {{ state r, t; init r; trans r -> t {{ guard k < n; effect sum = sum + got[k]; }}, t -> r {{ effect k = k + 1; }}; }}\n"
            "process Clock { byte c; state s; init s; trans s -> s { guard c < 5; effect c = c + 1; }, s -> s { guard c == 5; effect c = 0; }; }\n"
            "system async;\n")


class QueueTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("queue.dve", queue())

    def report(self, *arguments, status=0):
        finished = self.run_program(*arguments, "--quiet", "--json", "-")
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def figures(self, report):
        return {name: report[name] for name in FIGURES}

    def left(self):
        return [name for name in os.listdir(self.folder) if name.startswith("tideline-")]

    def kill_and_resume(self, arguments, whole):
        chance = random.Random(5)
        resumed_runs = 0
        wanted = int(os.environ.get("TIDELINE_KILLS", "4"))
        kills = 0
        # A run may be over before it is killed; then there is nothing to resume.
        while resumed_runs < wanted and kills < 10 * wanted:
            kills += 1
            process = self.start_program(*arguments, "--quiet")
            # From the moment on in which there is a ledger: while states are written, or afterwards.
            end = time.monotonic() + 30
            while not any((self.folder / name / "header.json").exists() for name in self.left()) and process.poll() is None and time.monotonic() < end:
                time.sleep(0.0005)
            time.sleep(chance.random() ** 2 * 0.05)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for ledger in self.left():
                if (self.folder / ledger / "header.json").exists():
                    resumed = self.report("resume", ledger)
                    self.assertEqual(self.figures(resumed), self.figures(whole))
                    self.assertEqual([p["verdict"] for p in resumed["properties"]], [p["verdict"] for p in whole["properties"]])
                    resumed_runs += 1
                shutil.rmtree(self.folder / ledger, ignore_errors=True)
        self.assertGreater(resumed_runs, 0)


class ChangeTest(QueueTest):
    def test_figures_do_not_depend_on_the_moment(self):
        whole = self.report("explore", "queue.dve", "--engine", "bfs")
        self.assertIsNone(whole["changed_over"])
        chance = random.Random(3)
        for _ in range(4):
            at = chance.randrange(1, whole["states"])
            for threads in ("1", "2"):
                with self.subTest(at=at, threads=threads):
                    changed = self.report("explore", "queue.dve", "--change-at", at, "--threads", threads)
                    self.assertEqual(self.figures(changed), self.figures(whole))
                    if changed["changed_over"] is None:  # the rest came in one round
                        continue
                    self.assertEqual(changed["engine"], "sweep")
                    self.assertGreaterEqual(changed["changed_over"]["states"], at)
                    self.assertGreater(changed["changed_over"]["seconds"], 0)
                    self.assertEqual(changed["changed_over"]["reason"], "as requested")
                    self.assertNotEqual(changed["progress"]["monotonic"], "proven")
        self.assertEqual(self.left(), [])

    def test_a_limit_of_memory_makes_it_change(self):
        self.write("many.dve", counters(4, 29))
        limited = self.report("explore", "many.dve", "--memory", "4M")
        self.assertEqual((limited["complete"], limited["states"], limited["expanded"]), (True, 30 ** 4, 30 ** 4))
        self.assertEqual(limited["changed_over"]["reason"], "memory limit 4.0 MB")
        self.assertIn("changed to the sweep after", limited["engine_reason"])
        self.assertEqual(limited["progress"]["source"], "auto")
        self.assertLessEqual(limited["peak_rss_bytes"], (4 * 1.1 + 100) * 1024 * 1024)
        finished = self.run_program("explore", "queue.dve", "--change-at", "100")
        self.assertRegex(finished.stdout, r"engine +sweep.* \(changed to the sweep after [\d,]+ states: as requested\)")

    def test_products_change_too(self):
        formula = "G F {Clock.c == 0}"
        whole = self.report("explore", "queue.dve", "--ltl", formula, "--engine", "bfs")
        changed = self.report("explore", "queue.dve", "--ltl", formula, "--change-at", 2000)
        self.assertEqual(self.figures(changed), self.figures(whole))
        self.assertIsNotNone(changed["changed_over"])

    def test_explicit_systems_and_measures_of_their_own(self):
        n = 3000
        states = [{"progress": i // 10} for i in range(n)]
        edges = [[i, (i + 1) % n] for i in range(n)] + [[i, (7 * i) % n] for i in range(n)]
        self.write("ring.json", json.dumps({"states": states, "initial": 0, "edges": edges}))
        whole = self.report("explore", "ring.json", "--engine", "bfs")
        changed = self.report("explore", "ring.json", "--change-at", 100)
        self.assertEqual(self.figures(changed), self.figures(whole))
        self.assertEqual(changed["progress"]["source"], "user")

    def test_without_a_folder_for_the_ledger_the_search_goes_on(self):
        self.write("many.dve", counters(4, 30))
        os.mkdir(self.folder / "closed")
        finished = self.run_program("explore", "many.dve", "--change-at", "1000", "--json", "-", TMPDIR="/proc")
        report = json.loads(finished.stdout)
        self.assertEqual((report["complete"], report["states"]), (True, 31 ** 4))

    def test_what_was_found_before_the_change_is_not_lost(self):
        early, late = "n < 2", "k < 6"
        arguments = ("check", "queue.dve", "--invariant", early, "--invariant", late, "--deadlock")
        whole = self.report(*arguments, "--engine", "bfs", status=1)
        for at in (50, 500, 3000):
            with self.subTest(at):
                changed = self.report(*arguments, "--change-at", at, "--threads", "1", status=1)
                self.assertEqual([p["verdict"] for p in changed["properties"]], [p["verdict"] for p in whole["properties"]])
                for mine, its in zip(changed["properties"], whole["properties"]):
                    self.assertEqual(mine["trace"] is None, its["trace"] is None, mine["name"])
                    if mine["trace"] is not None:
                        self.assertTrue(its["trace_shortest"])
                        (self.assertEqual if mine["trace_shortest"] else self.assertGreaterEqual)(len(mine["trace"]["states"]), len(its["trace"]["states"]), mine["name"])
                # Found breadth-first: a shortest run.
                if changed["changed_over"]:
                    self.assertTrue(changed["properties"][0]["trace_shortest"])
                    self.assertFalse(changed["properties"][1]["trace_shortest"])
                    shown = self.run_program(*arguments, "--change-at", at, "--threads", "1").stdout
                    self.assertIn("invariant 2 is violated by this run (there may be a shorter one):", shown)
                    self.assertIn("invariant 1 is violated by this run:", shown)

    def test_a_run_that_is_stopped_afterwards_is_resumed(self):
        whole = self.report("explore", "queue.dve", "--engine", "bfs")
        stopped = self.report("explore", "queue.dve", "--change-at", 1000, "--states", whole["states"] // 2, status=3)
        self.assertFalse(stopped["states_exact"])
        [ledger] = self.left()
        resumed = self.report("resume", ledger)
        self.assertEqual(self.figures(resumed), self.figures(whole))
        self.assertEqual(resumed["changed_over"], stopped["changed_over"])

    def test_a_run_that_is_killed_is_resumed(self):
        whole = self.report("explore", "queue.dve", "--engine", "bfs")
        self.kill_and_resume(("explore", "queue.dve", "--change-at", "1500"), whole)

    def test_options_that_forbid_it(self):
        self.write("many.dve", counters(4, 60))
        for options in (("--progress", "none"), ("--ledger", "none"), ("--engine", "bfs")):
            with self.subTest(options):
                report = self.report("explore", "many.dve", "--memory", "8M", *options, status=3)
                self.assertEqual((report["reason"], report["changed_over"]), ("memory", None))


# Whatever Clock does; not a safety formula, and no automaton shows that it holds of every run.
HOLDS = "G ({Clock.c == 3} -> F {Clock.c != 3}) || F G {Clock.c == 3}"
VIOLATED = "F G {Clock.c < 3} || F {k == 7}"


class LinearChangeTest(QueueTest):
    """The numbered graph of a linear-time property changes to the exact sweep."""

    def setUp(self):
        super().setUp()
        self.write("queue.dve", queue(4, 2))

    def check(self, *arguments, status=0):
        return self.report("check", *arguments, status=status)

    def test_figures_do_not_depend_on_the_moment(self):
        for formula, fairness in ((HOLDS, "none"), ("G F {Clock.c == 0}", "weak")):
            whole = self.check("queue.dve", "--ltl", formula, "--engine", "graph", "--fair", fairness)
            chance = random.Random(3)
            for _ in range(2):
                at = chance.randrange(1, whole["states"])
                for threads in ("1", "2"):
                    with self.subTest(formula=formula, at=at, threads=threads):
                        changed = self.check("queue.dve", "--ltl", formula, "--fair", fairness, "--change-at", at, "--threads", threads)
                        self.assertEqual(self.figures(changed), self.figures(whole))
                        self.assertEqual(changed["properties"][0]["verdict"], "holds")
                        self.assertEqual(changed["properties"][0].get("note"), whole["properties"][0].get("note"))
                        self.assertEqual(changed["properties"][0].get("vacuous"), whole["properties"][0].get("vacuous"))
                        if changed["changed_over"] is None:  # the rest came in one round
                            continue
                        self.assertEqual(changed["engine"], "sweep")
                        self.assertGreaterEqual(changed["changed_over"]["states"], at)
                        self.assertIn("changed to the sweep after", changed["engine_reason"])
                        self.assertGreater(changed["properties"][0]["residual"]["edges"], 0)
        self.assertEqual(self.left(), [])

    def test_a_violation_is_found_after_the_change(self):
        for at in (1, 300):
            with self.subTest(at):
                found = self.check("queue.dve", "--ltl", VIOLATED, "--change-at", at, status=1)["properties"][0]
                self.assertEqual(found["verdict"], "violated")
                trace = found["trace"]
                self.assertTrue(any(state["Clock.c"] >= 3 for state in trace["states"][trace["loop"]:]))
        self.assertEqual(self.left(), [])

    def test_what_was_expanded_before_the_change_belongs_to_no_block(self):
        """Breadth-first, all phases are begun before any is finished; the only accepting cycle goes round the last one, through states of before and after the change."""
        self.write("phases.dve",
                   "byte phase; int x; byte y;\n"
                   "process P { state p; init p; trans p -> p { guard phase < 3; effect phase = phase + 1; },"
                   " p -> p { guard x < 499; effect x = x + 1; }, p -> p { guard x == 499; effect x = 0, y = (y + 1) % 3; }; }\n"
                   "process Q { byte z; state q; init q; trans q -> q { guard z < 2; effect z = z + 1; }, q -> q { guard z == 2; effect z = 0; }; }\n"
                   "system async;\n")
        formula = "!(F {phase == 3} && G F {x == 499} && G F {x == 0 && y == 1} && G F {Q.z == 1})"
        for progress in ("phase", "phase,499 - x"):
            for at in (3000, 9000):
                with self.subTest(progress=progress, at=at):
                    found = self.check("phases.dve", "--ltl", formula, "--progress", progress, "--change-at", at, status=1)
                    self.assertEqual(found["properties"][0]["verdict"], "violated")

    def test_a_limit_of_memory_makes_it_change(self):
        self.write("many.dve", counters(3, 59))
        formula = "G ({P0.x == 3} -> F {P0.x != 3}) || F G {P0.x == 3}"
        limited = self.check("many.dve", "--ltl", formula, "--memory", "6M")
        self.assertEqual(limited["properties"][0]["verdict"], "holds")
        self.assertEqual(limited["changed_over"]["reason"], "memory limit 6.0 MB")
        # The probe of the beginning counts, and nothing else comes twice.
        self.assertLessEqual(limited["expanded"], limited["states"] + 50_000)
        self.assertLessEqual(limited["peak_rss_bytes"], (6 * 1.1 + 100) * 1024 * 1024)

    def test_without_a_folder_for_the_ledger_the_search_goes_on(self):
        finished = self.run_program("check", "queue.dve", "--ltl", HOLDS, "--change-at", "300", "--json", "-", TMPDIR="/proc")
        report = json.loads(finished.stdout)
        self.assertEqual((report["engine"], report["properties"][0]["verdict"]), ("graph", "holds"))

    def test_several_properties(self):
        report = self.check("queue.dve", "--ltl", HOLDS, "--ltl", VIOLATED, "--invariant", "n <= 4", "--change-at", 200, status=1)
        self.assertEqual({p["formula"]: p["verdict"] for p in report["properties"]}, {HOLDS: "holds", VIOLATED: "violated", "n <= 4": "holds"})
        self.assertEqual(self.left(), [])

    def test_a_run_that_is_stopped_afterwards_is_resumed(self):
        whole = self.check("queue.dve", "--ltl", HOLDS, "--engine", "graph")
        stopped = self.check("queue.dve", "--ltl", HOLDS, "--change-at", 300, "--states", whole["states"] // 2, status=3)
        [ledger] = self.left()
        resumed = self.report("resume", ledger)
        self.assertEqual(self.figures(resumed), self.figures(whole))
        self.assertEqual(resumed["properties"][0]["verdict"], "holds")
        self.assertEqual(resumed["changed_over"], stopped["changed_over"])
        audit = self.run_program("audit", ledger)
        self.assertEqual(audit.returncode, 0, audit.stdout + audit.stderr)

    def test_a_run_that_is_killed_is_resumed(self):
        whole = self.check("queue.dve", "--ltl", HOLDS, "--engine", "graph")
        self.kill_and_resume(("check", "queue.dve", "--ltl", HOLDS, "--change-at", "500"), whole)


class NoticeTest(ProgramTest):
    def test_a_program_that_was_copied_alone_says_so(self):
        import shutil
        import subprocess
        from program import BINARY
        lonely = self.folder / "alone" / "bin"
        lonely.mkdir(parents=True)
        shutil.copy(BINARY, lonely / "tideline")
        finished = subprocess.run([lonely / "tideline", "explore", EXAMPLES / "peterson.dve"], capture_output=True, encoding="utf-8", env=self.environment())
        self.assertEqual(finished.returncode, 0)
        self.assertEqual(finished.stderr.count("the code generator is missing"), 1)
        self.assertIn("states        20\n", finished.stdout)
