"""Runs that keep a ledger: where it is, what becomes of it, and that a run which was stopped or killed is resumed to the same results.

TIDELINE_KILLS says how often runs are killed (default 10).
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time

from program import BINARY, MODELS, ProgramTest, counters

KILLS = int(os.environ.get("TIDELINE_KILLS", "10"))

# What a run that was resumed, by whatever number of threads, has in common with one that was not interrupted.
FIGURES = ("complete", "reason", "engine", "progress", "states", "transitions", "deadlocks", "expanded", "layers", "sweeps", "sweep_details",
           "reread", "peak_states", "widest_layer", "regress_edges", "depth")

# 9261 states; the sum falls at the end of a counter.
SMALL = counters(3, 20)
SWEEP = "--engine", "sweep", "--progress", "P0.x + P1.x"
# Of four counters; layers in no order, so that a large part of the states is open.
SHUFFLED = "(P0.x * 7 + P1.x * 11 + P2.x * 13 + P3.x * 5) % 61"


class LedgerTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("small.dve", SMALL)

    def report(self, *arguments, status=0, **changes):
        finished = self.run_program(*arguments, "--json", "-", **changes)
        self.assertEqual(finished.returncode, status, finished.stderr)
        return json.loads(finished.stdout)

    def refused(self, *arguments, status=2):
        finished = self.run_program(*arguments)
        self.assertEqual((finished.returncode, finished.stdout), (status, ""), finished.stderr)
        self.assertTrue(finished.stderr.startswith("tideline: error: "), finished.stderr)
        self.assertNotIn("internal error", finished.stderr)
        return finished.stderr

    def expect_same(self, report, expected):
        self.assertEqual({name: report[name] for name in FIGURES}, {name: expected[name] for name in FIGURES})
        self.assertEqual([(found["name"], found["verdict"]) for found in report["properties"]],
                         [(found["name"], found["verdict"]) for found in expected["properties"]])

    def interrupted(self, *arguments, states=3000):
        """A ledger in `run` of a run that ended at a number of states."""
        report = self.report(*arguments, "--ledger", "run", "--states", states, status=3)
        self.assertEqual((report["complete"], report["reason"]), (False, "states"))
        return self.folder / "run"


class PlaceTest(LedgerTest):
    def test_a_directory_stays(self):
        without = self.report("explore", "small.dve", "--engine", "bfs")
        for engine in (SWEEP, ("--engine", "bfs")):
            with self.subTest(engine[1]):
                report = self.report("explore", "small.dve", *engine, "--ledger", engine[1])
                for name in ("complete", "states", "transitions", "deadlocks"):
                    self.assertEqual(report[name], without[name])
                self.assertEqual(report["expanded"], report["states"])
                self.assertGreater(report["ledger_bytes"], 0)
                self.assertTrue((self.folder / engine[1] / "header.json").is_file())

    def test_a_directory_in_a_folder_that_is_there(self):
        (self.folder / "results").mkdir()
        self.report("explore", "small.dve", *SWEEP, "--ledger", "results/run")
        self.assertTrue((self.folder / "results" / "run" / "journal").is_file())
        (self.folder / "empty").mkdir()
        self.report("explore", "small.dve", *SWEEP, "--ledger", "empty")
        self.assertTrue((self.folder / "empty" / "journal").is_file())

    def test_a_second_run_into_it_is_refused(self):
        self.report("explore", "small.dve", *SWEEP, "--ledger", "run")
        before = {path.name: path.read_bytes() for path in (self.folder / "run").iterdir()}
        errors = self.refused("explore", "small.dve", *SWEEP, "--ledger", "run")
        self.assertIn("run: ", errors)
        self.assertEqual(before, {path.name: path.read_bytes() for path in (self.folder / "run").iterdir()})

    def test_a_directory_with_other_things_is_refused_and_left_alone(self):
        folder = self.folder / "other"
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
        self.assertIn("other", self.refused("explore", "small.dve", *SWEEP, "--ledger", "other"))
        self.assertEqual((folder / "notes.txt").read_text(), "mine")
        self.assertFalse((folder / "header.json").exists())

    def test_what_cannot_be_a_directory_is_refused(self):
        self.write("file", "text")
        for place in ("file", "file/run", "missing/run", "/proc/run"):
            with self.subTest(place):
                finished = self.run_program("explore", "small.dve", *SWEEP, "--ledger", place)
                self.assertIn(finished.returncode, (2, 3))
                self.assertEqual(finished.stdout, "")
                self.assertIn(f"tideline: error: {place}", finished.stderr)
        self.assertEqual((self.folder / "file").read_text(), "text")
        self.assertIn("empty", self.refused("explore", "small.dve", *SWEEP, "--ledger", ""))

    def test_a_folder_that_may_not_be_written_to_is_refused(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        folder = self.folder / "locked"
        folder.mkdir()
        folder.chmod(0o500)
        self.addCleanup(folder.chmod, 0o700)
        self.assertIn("locked", self.refused("explore", "small.dve", *SWEEP, "--ledger", "locked/run"))
        self.assertIn("locked", self.refused("explore", "small.dve", *SWEEP, "--ledger", "locked"))

    def test_a_temporary_one_is_removed(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        for more in ((), ("--ledger", "auto")):
            report = self.report("explore", "small.dve", *SWEEP, *more, TMPDIR=str(scratch))
            self.assertEqual((report["states"], report["expanded"]), (9261, 9261))
            self.assertGreater(report["ledger_bytes"], 0)
            self.assertEqual(list(scratch.iterdir()), [])
        self.report("check", "small.dve", *SWEEP, "--invariant", "P0.x < 20", status=1, TMPDIR=str(scratch))
        self.assertEqual(list(scratch.iterdir()), [])
        finished = self.run_program("explore", "small.dve", *SWEEP, "--disk", "1K", "--quiet", TMPDIR=str(scratch))
        self.assertNotEqual(finished.returncode, 0)

    def test_a_temporary_one_of_a_run_that_can_go_on_is_kept(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        whole = self.report("explore", "small.dve", *SWEEP)
        finished = self.run_program("explore", "small.dve", *SWEEP, "--states", "3000", TMPDIR=str(scratch))
        self.assertEqual(finished.returncode, 3)
        (kept,) = scratch.iterdir()
        self.assertIn(f"tideline resume {kept}\n", finished.stderr)
        self.expect_same(self.report("resume", kept), whole)

    def test_none_forgets_states(self):
        report = self.report("explore", "small.dve", *SWEEP, "--ledger", "none")
        self.assertTrue(report["complete"])
        self.assertGreater(report["sweeps"], 1)
        self.assertGreater(report["expanded"], 9261)
        self.assertGreater(report["persistent"], 0)
        self.assertEqual((report["states"], report["ledger_bytes"], report["reread"]), (None, 0, 0))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["small.dve"])

    def test_a_breadth_first_search_has_none_unless_it_is_asked_for(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        report = self.report("explore", "small.dve", "--engine", "bfs", TMPDIR=str(scratch))
        self.assertEqual((report["states"], report["ledger_bytes"]), (9261, 0))


class VerdictTest(LedgerTest):
    def test_a_violation_has_a_trace_with_the_fewest_steps_back(self):
        for threads in (1, 2):
            with self.subTest(threads):
                report = self.report("check", "small.dve", *SWEEP, "--invariant", "P2.x < 20 or P0.x < 3", "--ledger", f"run{threads}",
                                     "--threads", threads, status=1)
                (found,) = report["properties"]
                self.assertEqual((report["reason"], found["verdict"]), ("violation", "violated"))
                # P2.x does not matter for the measure: 20 steps of it and 3 of P0 suffice, and no more progress is needed.
                last = found["trace"]["states"][-1]
                self.assertEqual((last["P0.x"], last["P1.x"], last["P2.x"]), (3, 0, 20))
                sums = [state["P0.x"] + state["P1.x"] for state in found["trace"]["states"]]
                self.assertEqual(sums, sorted(sums))

    def test_a_violation_behind_a_step_back(self):
        self.write("ring.dve", "byte x = 0; byte laps = 0;\nprocess P {\n  state s;\n  init s;\n  trans\n"
                               "    s -> s { guard x < 99; effect x = x + 1; },\n"
                               "    s -> s { guard x == 99 and laps < 5; effect x = 0, laps = laps + 1; };\n}\nsystem async;\n")
        report = self.report("check", "ring.dve", "--engine", "sweep", "--progress", "x", "--invariant", "laps < 3", status=1)
        (found,) = report["properties"]
        self.assertEqual((found["verdict"], len(found["trace"]["states"])), ("violated", 301))
        self.assertEqual(report["sweeps"], 4)

    def test_the_models_of_this_project(self):
        for name, measure in (("peterson.dve", "0"), ("leader_ring.dve", "0"), ("philosophers.dve", "0")):
            with self.subTest(name):
                plain = self.report("explore", MODELS / name, "--engine", "bfs")
                for order, options in (("bfs", ("--engine", "bfs")), ("sweep", ("--engine", "sweep", "--progress", measure))):
                    report = self.report("explore", MODELS / name, *options, "--ledger", f"{name}.{order}")
                    for figure in ("states", "transitions", "deadlocks", "expanded"):
                        self.assertEqual(report[figure], plain[figure])


class ResumeTest(LedgerTest):
    def test_it_says_how_far_the_run_got(self):
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        finished = self.run_program("resume", directory, "--status")
        self.assertEqual((finished.returncode, finished.stderr), (0, ""))
        lines = dict(line.split(maxsplit=1) for line in finished.stdout.splitlines())
        self.assertEqual((lines["model"], lines["engine"], lines["can"]), (str(self.folder / "small.dve"), "sweep", "be resumed"))
        self.assertGreater(int(lines["expanded"].split()[0].replace(",", "")), 0)
        self.assertLess(int(lines["expanded"].split()[0].replace(",", "")), 9261)
        self.report("resume", directory)
        finished = self.run_program("resume", directory, "--status")
        self.assertEqual(finished.returncode, 0)
        self.assertIn("expanded   9,261 states\nwaiting    0 states", finished.stdout)
        self.assertTrue(finished.stdout.endswith("complete\n"))

    def test_an_interrupted_run_ends_with_the_same_figures(self):
        for engine in (SWEEP, ("--engine", "bfs")):
            for threads in (1, 2):
                with self.subTest(engine=engine[1], threads=threads):
                    whole = self.report("explore", "small.dve", *engine, "--ledger", f"whole-{engine[1]}-{threads}")
                    directory = self.interrupted("explore", "small.dve", *engine, "--threads", threads)
                    resumed = self.report("resume", directory)
                    self.assertEqual(resumed["threads"], threads)
                    if engine[1] == "bfs":  # a level that is taken up again has fewer states in memory
                        resumed["peak_states"] = whole["peak_states"]
                        resumed["widest_layer"] = whole["widest_layer"]
                        resumed["reread"] = whole["reread"]
                        resumed["sweep_details"] = whole["sweep_details"]
                    self.expect_same(resumed, whole)
                    shutil.rmtree(directory)

    def test_another_number_of_threads_may_go_on(self):
        whole = self.report("explore", "small.dve", *SWEEP)
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        resumed = self.report("resume", directory, "--threads", "3")
        self.assertEqual(resumed["threads"], 3)
        self.expect_same(resumed, whole)

    def test_a_complete_run_is_reported_again(self):
        invariant = "--invariant", "P0.x + P1.x <= 40", "--deadlock"
        first = self.report("check", "small.dve", *SWEEP, *invariant, "--ledger", "run")
        self.assertEqual([found["verdict"] for found in first["properties"]], ["holds", "holds"])
        for _ in range(2):
            self.expect_same(self.report("resume", "run"), first)

    def test_a_violation_is_found_again(self):
        first = self.report("check", "small.dve", *SWEEP, "--invariant", "P0.x < 12", "--deadlock", "--ledger", "run", status=1)
        again = self.report("resume", "run", status=1)
        self.assertEqual([(found["name"], found["verdict"]) for found in again["properties"]],
                         [(found["name"], found["verdict"]) for found in first["properties"]])
        self.assertEqual([len(found["trace"]["states"]) for found in again["properties"] if found["verdict"] == "violated"],
                         [len(found["trace"]["states"]) for found in first["properties"] if found["verdict"] == "violated"])

    def test_a_violation_after_the_interruption_is_found(self):
        directory = self.interrupted("check", "small.dve", *SWEEP, "--invariant", "P0.x + P1.x < 40")
        (found,) = self.report("resume", directory, status=1)["properties"]
        self.assertEqual((found["verdict"], len(found["trace"]["states"])), ("violated", 41))

    def test_it_is_given_from_any_folder(self):
        whole = self.report("explore", "small.dve", *SWEEP)
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        moved = directory.rename(elsewhere / "moved")
        self.expect_same(self.report("resume", moved), whole)

    def test_a_changed_model_is_refused(self):
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        self.write("small.dve", SMALL.replace("x < 20", "x < 19", 1))
        self.assertIn("the model has changed", self.refused("resume", directory))
        self.write("small.dve", SMALL)
        self.assertEqual(self.report("resume", directory)["states"], 9261)

    def test_what_is_not_a_ledger_is_refused(self):
        (self.folder / "empty").mkdir()
        self.write("file", "text")
        for place in ("nothing", "empty", "file", "/proc"):
            for more in ((), ("--status",)):
                with self.subTest(place, more=more):
                    self.assertIn(place, self.refused("resume", place, *more))

    def test_a_model_that_is_gone_is_refused(self):
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        (self.folder / "small.dve").unlink()
        finished = self.run_program("resume", directory)
        self.assertEqual((finished.returncode, finished.stdout), (2, ""))
        self.assertIn("small.dve", finished.stderr)

    def test_it_takes_over_everything_that_matters_of_the_first_command(self):
        self.write("fault.dve", "byte n = 0; byte k = 0;\nprocess P {\n  state s;\n  init s;\n  trans\n"
                                "    s -> s { guard k < 60; effect n = n + 1; },\n    s -> s { guard k < 60; effect k = k + 1; };\n}\nsystem async;\n")
        for wrap in ((), ("--wrap",)):
            with self.subTest(wrap=wrap):
                command = "explore", "fault.dve", "--engine", "sweep", "--progress", "k, -n", *wrap
                status = 0 if wrap else 1
                whole = self.report(*command, status=status)
                first = self.run_program(*command, "--ledger", "run", "--states", 2000, "--json", "-")
                self.assertFalse(json.loads(first.stdout)["complete"])
                resumed = self.report("resume", "run", status=status)
                self.expect_same(resumed, whole)
                self.assertEqual([(fault["kind"], fault["occurrences"]) for fault in resumed["faults"]],
                                 [(fault["kind"], fault["occurrences"]) for fault in whole["faults"]])
                shutil.rmtree(self.folder / "run")


class LimitTest(LedgerTest):
    def test_a_disk_limit_stops_the_run_and_a_larger_one_lets_it_go_on(self):
        self.write("wide.dve", counters(4, 16))
        command = "explore", "wide.dve", "--engine", "sweep", "--progress", SHUFFLED, "--successors", "interpret"
        whole = self.report(*command, "--ledger", "whole")
        limit = whole["ledger_bytes"] // 2048
        report = self.report(*command, "--ledger", "run", "--disk", f"{limit}K", status=3)
        self.assertEqual((report["complete"], report["reason"]), (False, "disk"))
        self.assertLessEqual(sum(path.stat().st_size for path in (self.folder / "run").iterdir()), limit * 1024)
        self.assertEqual(self.report("resume", "run", status=3)["reason"], "disk")
        self.expect_same(self.report("resume", "run", "--disk", "1G"), whole)

    def test_when_memory_is_short_waiting_states_are_left_to_the_ledger(self):
        self.write("wide.dve", counters(4, 24))
        command = "explore", "wide.dve", "--engine", "sweep", "--progress", SHUFFLED, "--successors", "interpret"
        whole = self.report(*command)
        self.assertEqual((whole["states"], whole["spilled"]), (25 ** 4, 0))
        # What suffices depends on the machine: a run for which it does not is resumed with more.
        limit = 1024
        command = *command, "--ledger", "run"
        for _ in range(20):
            finished = self.run_program(*command, "--memory", f"{limit}K", "--json", "-")
            report = json.loads(finished.stdout)
            if finished.returncode == 0:
                break
            self.assertEqual((finished.returncode, report["reason"]), (3, "memory"), finished.stderr)
            command = "resume", "run"
            limit += 1024
        self.assertGreater(report["spilled"], 0)
        for name in ("complete", "states", "transitions", "deadlocks", "expanded", "layers", "sweeps", "regress_edges"):
            self.assertEqual(report[name], whole[name])

    def test_a_run_stops_near_its_limit_on_states_also_when_some_were_left_to_the_ledger(self):
        # A tree, so that no state is open twice: every state that is expanded adds two.
        self.write("tree.dve", "int x = 0;\nprocess P { state s; init s; trans\n"
                   + ",\n".join(f"  s -> s {{ guard x < 16000; effect x = 2 * x + {side}; }}" for side in (1, 2)) + ";\n}\nsystem async;\n")
        # How much must be left to the ledger depends on the machine.
        for megabytes in (8, 7, 6, 5, 4):
            ledger = f"run{megabytes}"
            report = self.report("explore", "tree.dve", "--engine", "sweep", "--progress", "x", "--successors", "interpret", "--states", "20000",
                                 "--memory", f"{megabytes}M", "--ledger", ledger, status=3)
            self.assertEqual((report["reason"], report["states"]), ("states", 2 * report["expanded"] + 1))
            self.assertIn(report["states"], range(20000, 25000))
            waiting = f"\nwaiting    {report['expanded'] + 1:,} states at most\n"
            self.assertIn(waiting, self.run_program("resume", "--status", ledger).stdout)
            if report["spilled"] > 0:
                return
        self.fail("nothing was spilled")

    def test_signals(self):
        self.write("big.dve", counters())
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number.name):
                process = self.start_program("check", "big.dve", *SWEEP, "--deadlock", "--ledger", number.name, "--json", "-")
                time.sleep(0.7)
                process.send_signal(number)
                output, errors = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 3)
                report = json.loads(output)
                self.assertEqual((report["complete"], report["reason"]), (False, "interrupted"))
                self.assertIn("tideline: resume with: tideline resume ", errors)
                self.assertNotIn("HOLDS", errors)
                later = self.report("resume", number.name, "--time", "300ms", status=3)
                self.assertEqual(later["reason"], "time")
                self.assertGreater(later["expanded"], report["expanded"])
                self.assertGreaterEqual(later["seconds"], report["seconds"])

    def test_a_ledger_in_use_is_refused(self):
        self.write("big.dve", counters())
        process = self.start_program("explore", "big.dve", *SWEEP, "--ledger", "run")
        deadline = time.monotonic() + 20
        while not (self.folder / "run" / "journal").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.2)
        for command in (("resume", "run"), ("resume", "run", "--status"), ("explore", "small.dve", *SWEEP, "--ledger", "run")):
            self.assertIn("run", self.refused(*command))
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 3)


class KillTest(LedgerTest):
    """Every other run is killed, at any moment, also while it writes its checkpoint at the end of its time."""

    def killed_until_complete(self, command, ledger, kills):
        """The report of the last run, and how many were killed: at most `kills`, fewer on a machine where the work is done before."""
        chance = random.Random(ledger)
        killed = 0
        next_command = (*command, "--ledger", ledger)
        while True:
            limit = ("--time", "80ms") if killed < kills else ()
            process = self.start_program(*next_command, *limit, "--json", "-")
            if killed < kills and chance.random() < 0.6:
                try:
                    process.wait(chance.uniform(0, 0.2))
                except subprocess.TimeoutExpired:
                    process.kill()
                    killed += 1
            output, errors = process.communicate(timeout=60)
            if process.returncode == 0:
                return json.loads(output), killed
            self.assertIn(process.returncode, (3, -signal.SIGKILL), errors)
            if (self.folder / ledger / "header.json").exists():
                next_command = "resume", ledger, "--threads", chance.choice("12")

    def test_a_killed_run_is_resumed_to_the_same_figures(self):
        limit = 26 if KILLS <= 10 else 50
        self.write("work.dve", counters(4, limit))
        command = "explore", "work.dve", *SWEEP, "--successors", "interpret"
        whole = self.report(*command)
        self.assertEqual(whole["states"], (limit + 1) ** 4)
        killed = 0
        for work in range(10 * KILLS):
            report, more = self.killed_until_complete(command, f"run{work}", KILLS - killed)
            self.expect_same(report, whole)
            killed += more
            if killed == KILLS:
                return
        self.fail(f"only {killed} runs could be killed before they ended")



class SurroundingsTest(LedgerTest):
    """Unusual environments of the program: closed streams, limits, links, names of files."""

    def shell(self, command):
        return subprocess.run(["bash", "-c", command, "bash", BINARY], cwd=self.folder, env=self.environment(), capture_output=True, timeout=60,
                              encoding="utf-8", errors="backslashreplace")

    def test_closed_streams_do_no_harm(self):
        for number, (closed, options, status) in enumerate((
                ("<&- >&-", "", 4), (">&-", "", 4), (">&- 2>&-", "", 4), ("<&- 2>&-", "", 0), ("<&- >&- 2>&-", "--quiet", 0), (">&-", "--json -", 4),
                (">&-", "--quiet --json report.json", 0))):
            with self.subTest(closed=closed, options=options):
                finished = self.shell(f'"$1" explore small.dve --engine bfs --ledger run{number} {options} {closed}')
                self.assertEqual(finished.returncode, status, finished.stderr)
                audited = self.run_program("audit", f"run{number}")
                self.assertEqual(audited.returncode, 0, audited.stdout + audited.stderr)
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["states"], 9261)
        for command in ("--version", "explore --help", "audit run0", "resume run0 --status", "convert small.dve --to model", "progress small.dve"):
            with self.subTest(command):
                self.assertEqual(self.shell(f'"$1" {command} >&-').returncode, 4)

    def test_a_limit_on_files_is_a_full_disk(self):
        self.write("large.dve", counters(4, 16))
        finished = self.shell('ulimit -f 4; "$1" explore large.dve --engine bfs --ledger run --json -')
        self.assertEqual(finished.returncode, 3, finished.stderr)
        report = json.loads(finished.stdout)
        self.assertEqual((report["complete"], report["reason"]), (False, "disk"))
        # With more room it continues, and the audit needs room, too.
        self.assertEqual(self.run_program("resume", "run", "--json", self.folder / "report.json", "--quiet").returncode, 0)
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["states"], 17 ** 4)
        audited = self.shell('ulimit -f 40; "$1" audit run')
        self.assertEqual((audited.returncode, audited.stdout), (3, ""), audited.stderr)
        self.assertIn("cannot be written: File too large", audited.stderr)
        self.assertEqual(self.run_program("audit", "run").returncode, 0)

    def test_links_in_a_directory_are_not_followed(self):
        for name in ("header.json.new", "journal", "latest", "states", "lock"):
            with self.subTest(name):
                victim = self.write(f"victim of {name}", "precious\n")
                directory = self.folder / f"run {name}"
                directory.mkdir()
                if name != "lock":
                    (directory / "lock").touch()
                (directory / name).symlink_to(victim)
                finished = self.run_program("explore", "small.dve", "--engine", "bfs", "--ledger", directory)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""), finished.stderr)
                self.assertEqual(victim.read_text(), "precious\n")

    def test_names_that_are_not_utf8(self):
        name = os.fsencode(self.folder) + b"/m\xff.dve"
        with open(name, "w") as file:
            file.write(SMALL)
        def run(*arguments):
            return subprocess.run([BINARY, *arguments], cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        for arguments in (("explore", name, *SWEEP, "--ledger", "run"), ("explore", name, "--json", "-"), ("progress", name, "--json", "-"),
                          ("check", name, "--invariant", "P0.x < 5", "--itf", "run.itf.json", "--json", "report.json")):
            with self.subTest(arguments[0]):
                finished = run(*arguments)
                self.assertEqual(finished.returncode, 1 if arguments[0] == "check" else 0, finished.stderr)
                self.assertNotIn(b"internal error", finished.stderr)
        self.assertEqual(json.loads(run("explore", name, "--json", "-", "--quiet").stdout)["states"], 9261)
        audited = run("audit", "run", "--model", name)
        self.assertEqual(audited.returncode, 0, audited.stdout + audited.stderr)


class DamageTest(LedgerTest):
    def test_a_byte_that_was_changed_is_noticed_or_does_no_harm(self):
        command = "check", "small.dve", *SWEEP, "--invariant", "P0.x + P1.x <= 40"
        whole = self.report(*command)
        directory = self.interrupted(*command)
        chance = random.Random(5)
        noticed = 0
        for path in sorted(directory.iterdir()):
            original = path.read_bytes()
            for place in sorted({chance.randrange(len(original)) for _ in range(4)} | {0, len(original) - 1}) if original else ():
                with self.subTest(path.name, place=place):
                    copy = self.folder / f"{path.name}.{place}"
                    shutil.copytree(directory, copy)
                    damaged = bytearray(original)
                    damaged[place] ^= 1 << chance.randrange(8)
                    (copy / path.name).write_bytes(damaged)
                    finished = self.run_program("resume", copy, "--json", "-", "--quiet")
                    if finished.returncode == 0:
                        self.expect_same(json.loads(finished.stdout), whole)
                    else:
                        self.assertEqual((finished.returncode, finished.stdout), (2, ""), finished.stderr)
                        self.assertTrue(finished.stderr.startswith("tideline: error: "), finished.stderr)
                        noticed += 1
        self.assertGreater(noticed, 5)

    def test_a_file_that_was_cut_or_removed_is_noticed(self):
        directory = self.interrupted("explore", "small.dve", *SWEEP)
        changes = {"removed": lambda path: path.unlink(), "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
                   "emptied": lambda path: path.write_bytes(b"")}
        for name in ("header.json", "journal", "states", "waiting", "parents"):
            for what, change in changes.items():
                with self.subTest(name, what=what):
                    copy = self.folder / f"{name}.{what}"
                    shutil.copytree(directory, copy)
                    change(copy / name)
                    self.assertIn(copy.name, self.refused("resume", copy))
