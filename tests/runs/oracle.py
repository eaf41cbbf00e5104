"""What a run may answer.

A `World` is a folder in which the steps of a sequence are executed one after the other. It knows what every ledger was started with, asks
the program itself for the undisturbed result (`--engine bfs --ledger none --threads 1`), compares that with what was worked out by brute
force, and then compares every run with both. Each disagreement is a Failure with a class and a sentence.
"""

import json
import os
import re
import shutil
import signal
import time

import automata
import execution
import itf
import models
import systems
from models import digest

MEGABYTE = 1 << 20
PROGRAM_MEMORY = 100 * MEGABYTE
GRACE = 0.5  # seconds beyond --time

FLAGS = {"--deadlock", "--compress", "--quiet", "--wrap", "--expect", "--status", "--second", "--measure"}
SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGKILL": signal.SIGKILL}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
LINEAR = {"ltl", "automaton"}
TEMPORAL = {"ltl", "automaton", "ctl", "ctlstar"}
BRANCHING = {"ctl", "ctlstar"}
BRANCHING_ENGINES = {"labelling", "prod", "local", "ledger", "scc-ctl"}
LINEAR_ENGINES = {"couvreur", "graph", "ndfs", "map", "ltl-sweep-offline", "ltl-sweep-online"}
STALE = "of an earlier run"
KEEP_LEDGERS = {"auto", "bfs", "sweep", "sweep-basic", "ledger", "scc-ctl"}
ORDERLY = {"memory", "disk", "time", "states", "interrupted"}


def is_decided(report):
    """Whether the search that keeps the ledger had all its answers: then it may have ended before anything was committed, and the reason is that of another one."""
    about_states = [found["verdict"] for found in report["properties"] if found["logic"] not in TEMPORAL]
    return bool(about_states) and all(verdict == "violated" for verdict in about_states)


def is_decided_early(report):
    """On the fly, formulas of branching time are decided before all states are visited. Formulas are given up where the model has a fault."""
    undecided = any(found["verdict"] == "unknown" for found in report["properties"])
    engine = report["engine"] or ""
    return report["reason"] is None and (bool(report["faults"]) if undecided else "local" in engine)


class Failure(Exception):
    def __init__(self, kind, text, is_certain=False):
        self.is_certain = is_certain  # not to be explained by a busy machine
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text


def seconds_of(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def bytes_of(text):
    return int(text[:-1]) * UNITS[text[-1]]


class Command:
    """A command line, taken apart as the manual says."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.name = arguments[0]
        self.options = {}
        self.properties = []  # (kind, text) in the order of the report
        self.places = []
        self.is_broken = False  # a value is missing
        invariants, formulas, automata, branching, stars = [], [], [], [], []
        deadlock = False
        i = 1
        while i < len(arguments):
            word = arguments[i]
            if not word.startswith("--"):
                self.places.append(word)
            elif word in FLAGS:
                deadlock = deadlock or word == "--deadlock"
                self.options[word] = True
            else:
                i += 1
                value = arguments[i] if i < len(arguments) else None
                if value is None or value.startswith("--"):
                    self.is_broken = True
                if word == "--invariant":
                    invariants.append(value)
                elif word == "--ltl":
                    formulas.append(value)
                elif word == "--automaton":
                    automata.append(value)
                elif word == "--ctl":
                    branching.append(value)
                elif word == "--ctlstar":
                    stars.append(value)
                else:
                    self.options[word] = value
            i += 1
        self.products = [["--ltl", text] for text in formulas] + [["--automaton", text] for text in automata]
        self.properties = [("invariant", text) for text in invariants] + [("deadlock", "")] * deadlock + [("ltl", text) for text in formulas]
        self.properties += [("automaton", text) for text in automata]
        self.properties += [("ctl", text) for text in branching] + [("ctlstar", text) for text in stars]

    def get(self, option, default=None):
        return self.options.get(option, default)


def read_properties(text):
    """[(name, kind, expression, expected verdict)] of a file of properties as the generator writes them."""
    result = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, rest = line.split(":", 1)
        name, _, expected = name.partition(" ")
        kind, _, expression = rest.strip().partition(" ")
        result.append((name, kind, expression.strip(), expected or None))
    return result


class Question:
    """What is asked of which text: the same question has the same answer, however it is worked out."""

    def __init__(self, program, command, model, properties):
        self.program = program
        self.is_check = command.name == "check"
        self.model = model  # name of the file
        self.text = None
        self.own = []  # options of the C++ program
        for option in ("--packets", "--capacity"):
            if command.get(option):
                self.own += [option, command.get(option)]
        self.own += ["--second"] if command.get("--second") else []
        self.wrap = ["--wrap"] if command.get("--wrap") else []
        self.reading = []  # of deadlocks, and which runs count
        for option in ("--deadlocks", "--fair", "--end-states"):
            if command.get(option):
                self.reading += [option, command.get(option)]
        self.asked = [(None, kind, text) for kind, text in command.properties]
        self.asked += [(name, kind, text) for name, kind, text, _ in properties]
        self.expected = {name: expected for name, _, _, expected in properties}
        self.files = {}  # of automata, by the names that properties give them
        self.product = command.products if not self.is_check else []
        if not self.is_check:
            self.asked = []
        if not command.get("--expect"):
            self.expected = None

    def key(self):
        return (self.program, self.is_check, digest(self.text) if self.text is not None else None, tuple(self.own), tuple(self.wrap), tuple(self.reading),
                tuple(sorted((kind, text) for _, kind, text in self.asked)), str(self.product), tuple(sorted(self.files.items(), key=str)))

    def text_key(self):
        """By which the facts of brute force know the text."""
        return digest(self.text + "".join(self.wrap))

    def fact_key(self, kind, text):
        """By which they know a property."""
        if kind == "automaton" and self.files.get(text) is not None:
            text = digest(self.files[text])
        return " ".join(self.reading + [kind, text])

    def arguments(self, properties_file):
        result = ["check" if self.is_check else "explore"] + ([self.model] if self.text is not None else []) + self.own + self.wrap + self.reading
        lines = [f"p{i}: {kind} {text}\n" for i, (_, kind, text) in enumerate(self.asked)]
        if lines:
            with open(properties_file, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.writelines(lines)
            result += ["--properties", properties_file]
        for option, text in self.product:
            result += [option, text]
        kinds = {kind for _, kind, _ in self.asked}
        engine = "labelling" if kinds and kinds <= BRANCHING else "auto" if kinds & TEMPORAL else "bfs"
        return result + ["--engine", engine, "--ledger", "none", "--threads", "1", "--quiet"]


class Ledger:
    """What is known of a ledger's directory."""

    def __init__(self, question, command, fingerprint, folder):
        self.question = question
        self.command = command
        self.fingerprint = fingerprint  # of the inputs
        self.folder = folder
        self.is_committed = False  # an orderly stop has been reported
        self.is_complete = False
        self.is_violated = False  # ended at a violation
        self.is_search_complete = False  # the search through states, which the ledger is of; the run may have been cut short later
        self.is_refused = False
        self.is_doubtful = False  # the last run may have done more than it could say
        self.expanded = None  # states expanded, as the last orderly stop said


class World:
    """`folder` is where the runs take place, in memory if possible; `scratch` is on a disk, for temporary ledgers."""

    def __init__(self, programs, library, folder, scratch, facts=None, cache=None, system=None, slack=1.0):
        self.scratch = os.path.realpath(scratch)
        self.programs = programs
        self.library = library
        self.folder = os.path.realpath(folder)
        self.place = os.path.join(self.folder, "q")
        self.facts = facts or {}
        self.cache = {} if cache is None else cache
        self.system = system  # for traces; may be None
        self.slack = slack
        self.ledgers = {}
        self.graphs = {}  # that were read from texts
        self.twins = {}
        self.log = []
        self.runs = 0

    # -- steps

    def run_sequence(self, sequence):
        """Raises the first Failure."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os.mkdir(self.scratch)
        os.mkdir(self.place)
        os.mkdir(os.path.join(self.place, "other"))
        self.facts = sequence.get("facts", self.facts)
        for name, text in sequence["files"].items():
            self.write(name, text)
        for step in sequence["steps"]:
            self.step(step)

    def path(self, name):
        return os.path.join(self.place, name)

    def write(self, name, text):
        if isinstance(text, dict):
            text = systems.large(text)
        with open(os.fsencode(self.path(name)), "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))

    def content(self, name):
        try:
            with open(os.fsencode(self.path(name)), "rb") as file:
                return file.read().decode("utf-8", "surrogateescape")
        except OSError:
            return None

    def step(self, step):
        if "write" in step:
            for name, text in step["write"].items():
                self.write(name, text)
        elif "rename" in step:
            os.rename(self.path(step["rename"][0]), self.path(step["rename"][1]))
        elif "delete" in step:
            os.unlink(self.path(step["delete"]))
        else:
            self.run_step(step)

    # -- the undisturbed result

    def reference(self, question):
        key = question.key()
        if key in self.cache:
            return self.cache[key]
        os.chdir(self.folder)
        model = None
        if question.text is not None:
            model = "reference" + os.path.splitext(question.model)[1]
            with open(model, "wb") as file:
                file.write(question.text.encode("utf-8", "surrogateescape"))
        for name, text in question.files.items():
            if text is not None:
                with open(name, "w", encoding="utf-8") as file:
                    file.write(text)
        named = question.model
        question.model = model
        arguments = question.arguments("reference.properties") + ["--json", "reference-report.json"]
        question.model = named
        if os.path.exists("reference-report.json"):
            os.unlink("reference-report.json")
        finished = execution.execute([self.programs[question.program]] + arguments, execution.environment(None, "", self.scratch), "reference.out",
                                     "reference.err", patience=60 * self.slack)
        if finished.hung:
            raise Failure("hang", f"the undisturbed run does not end: {arguments}")
        undecided = finished.status == 3 and os.path.exists("reference-report.json")  # such as a formula with too many atoms
        if finished.status not in (0, 1, 2) and not undecided:
            raise Failure("crash" if finished.signal else "internal error" if finished.status == 4 else "wrong result",
                          f"the undisturbed run ends with status {finished.status}, signal {finished.signal}: {finished.err[-300:]}")
        result = {"status": finished.status, "report": None, "err": finished.err}
        if finished.status != 2:
            with open("reference-report.json", encoding="utf-8") as file:
                result["report"] = json.load(file)
            self.check_facts(question, result)
        self.cache[key] = result
        return result

    def check_facts(self, question, result):
        """The undisturbed result against what was worked out by brute force."""
        facts = self.facts.get(question.text_key()) if question.text is not None else None
        if facts is None or question.product:
            return
        report = result["report"]
        about_states = all(kind not in TEMPORAL for _, kind, _ in question.asked)
        if report["complete"] and about_states:
            for name in ("states", "transitions", "deadlocks"):
                if report[name] != facts[name] and not (name == "deadlocks" and "--end-states" in question.reading):
                    raise Failure("wrong figure", f"undisturbed: {name} is {report[name]}, by brute force {facts[name]}")
        if not question.is_check:
            expected = 1 if facts["faults"] or facts.get("failed_assertion") else 0
            if result["status"] != expected:
                raise Failure("wrong result", f"undisturbed explore ends with {result['status']}, expected {expected}")
        for (_, kind, text), found in zip(question.asked, report["properties"]):
            known = facts["verdicts"].get(question.fact_key(kind, text))
            if known is None or result["status"] == 3:
                continue
            if found["verdict"] not in (known, "unknown") or (found["verdict"] == "unknown" and not facts["faults"]):
                raise Failure("wrong result", f"undisturbed: {kind} {text} is {found['verdict']}, by brute force {known}")

    # -- one run

    def question_of(self, program, command, folder):
        """What the command asks now. The text of a missing file is None."""
        properties = []
        fingerprint = []
        if command.get("--properties"):
            text = self.content(os.path.join(folder, command.get("--properties")))
            fingerprint.append(text)
            if text is not None:
                properties = read_properties(text)
        model = command.places[0] if program == "tideline" and command.places else None
        question = Question(program, command, model, properties)
        for name, kind, text in question.asked + [(None, option[2:], text) for option, text in question.product]:
            if kind == "automaton":
                question.files[text] = self.content(os.path.join(folder, text))
                fingerprint.append(question.files[text])
        if model is not None:
            question.text = self.content(os.path.join(folder, model))
            fingerprint.append(question.text)
        return question, fingerprint

    def run_step(self, step):
        program = step.get("program", "tideline")
        arguments = list(step["run"])
        folder = step.get("cwd", "")
        rules = step.get("fail", "")
        if self.slack >= 8:  # a sanitizer reserves more addresses than there may be
            rules = ";".join(rule for rule in rules.split(";") if not rule.startswith("as="))
        if "@auto" in arguments:
            kept = [name for name in os.listdir(self.scratch) if name.startswith("tideline-")]
            if not kept:
                return
            arguments[arguments.index("@auto")] = os.path.join(self.scratch, kept[0])
        command = Command(arguments)
        json_name = command.get("--json")
        json_path = self.path(os.path.join(folder, json_name)) if json_name and json_name != "-" and not command.is_broken else None
        if json_path:
            with open(json_path, "w", encoding="utf-8") as file:
                file.write(STALE)
        itf_path = self.path(os.path.join(folder, command.get("--itf"))) if command.get("--itf") and not command.is_broken else None
        self.trouble = ""
        if command.get("--ltl-translator"):
            script = self.content(os.path.join(folder, command.get("--ltl-translator").split()[1]))
            self.trouble = "fails" if script is None else script.split("\n")[0][2:]
        if itf_path:
            with open(itf_path, "w", encoding="utf-8") as file:
                file.write(STALE)
        # Before the run: what is asked, and of which ledger.
        context = None
        if command.name in ("explore", "check"):
            question, fingerprint = self.question_of(program, command, folder)
            context = (question, fingerprint)
        before_tmp = set(os.listdir(self.scratch))
        limit = seconds_of(command.get("--time")) if command.get("--time") and not command.is_broken else None
        patience = (execution.PATIENCE if limit is None else limit + 15) * self.slack
        os.chdir(self.path(folder) if folder else self.place)
        finished = execution.execute([self.programs[program]] + [os.fsencode(a) for a in arguments],
                                     execution.environment(self.library, rules, self.scratch), self.path("out"), self.path("err"),
                                     [(moment, SIGNALS[name]) for moment, name in step.get("signals", [])], step.get("streams", ""), patience)
        self.runs += 1
        # What is written to a closed stream is lost.
        self.tells_copies_apart = "is not the same after the symmetry" in finished.err or "2" in step.get("streams", "")
        entry = {"run": [program] + arguments, "status": finished.status, "signal": finished.signal, "wall": round(finished.wall, 3),
                 "cpu": round(finished.cpu, 3), "rss_mb": finished.rss >> 20, "err": finished.err[-400:]}
        self.log.append(entry)
        if self.trouble == "hangs":
            self.check_left_behind(folder, finished)
        self.general_checks(step, command, finished, limit, rules)
        report = None
        if json_name == "-" and finished.out.strip() and finished.status in (0, 1, 3):
            try:
                report = json.loads(finished.out)
            except ValueError:
                raise Failure("inconsistent report", f"standard output with --json - is not JSON: {finished.out[:200]!r}")
        elif json_path and self.content(json_path) == STALE:
            # Of a ledger that cannot be opened nothing is known, not even which files its run has.
            is_unread = command.name == "resume" and "call" in self.disturbance(step, command)
            if finished.signal is None and finished.status in (0, 1, 3) and not is_unread and not self.disturbance(step, command) & {"fsize", "as"}:
                raise Failure("report missing", f"--json: the file of an earlier run stays after exit status {finished.status}")
        elif json_path and os.path.exists(json_path) and os.path.getsize(json_path) > 0 and finished.signal is None:
            with open(json_path, encoding="utf-8", errors="surrogateescape") as file:
                try:
                    report = json.load(file)
                except ValueError:
                    raise Failure("inconsistent report", f"{json_name} is not JSON")
        is_early = "stopped while" in finished.err or (bool(step.get("streams")) and not finished.err)
        if report is not None and finished.status == 3 and is_early and report["states"] == 0:
            # It ended while its inputs were read: nothing was accepted, and nothing may have been decided.
            if report["complete"] or report["reason"] is None or any(found["verdict"] != "unknown" for found in report["properties"]):
                raise Failure("inconsistent report", "a run that ended while it was loaded says something")
            report = None
        if report is not None:
            entry["report"] = {name: report.get(name) for name in ("engine", "complete", "reason", "states", "expanded")}
            entry["report"]["verdicts"] = [(p["name"], p["verdict"]) for p in report["properties"]]
        if command.is_broken:
            self.check_broken(command, finished, report)
            return
        disturbed = self.disturbance(step, command)
        if context:
            self.check_fresh(program, step, command, context, finished, report, disturbed, folder, before_tmp)
            if itf_path:
                self.check_itf(program, command, context[0], folder, itf_path, finished, report, disturbed)
        elif command.name == "resume":
            self.check_resume(program, step, command, finished, report, disturbed, folder)
        elif command.name == "audit":
            self.check_audit(command, finished, disturbed, folder)

    @staticmethod
    def disturbance(step, command):
        """Everything that may keep this run from its full answer."""
        found = {option for option in ("--time", "--memory", "--disk", "--states") if command.get(option)}
        if step.get("fail") and step["fail"] != "":
            found.update("call" if ":" in rule else rule.split("=")[0] for rule in step["fail"].split(";") if not rule.startswith("clock="))
        if step.get("signals"):
            found.add("signal")
        if "=SIG" in step.get("fail", ""):
            found.add("signal")
        if step.get("streams"):
            found.add("streams")
        return found

    def check_left_behind(self, folder, finished):
        """A translator that hangs is ended with the run; where the run was killed nobody can."""
        number = (self.content(os.path.join(folder, "translator.pid")) or "").strip()
        for _ in range(20):  # it has been ended, but perhaps it has not gone yet
            try:
                with open(f"/proc/{number}/cmdline", encoding="utf-8") as file:
                    if number == "" or not file.read().startswith("sleep"):
                        return
            except OSError:
                return
            time.sleep(0.1)
        os.kill(int(number), signal.SIGKILL)
        if finished.signal != signal.SIGKILL and not finished.hung:
            raise Failure("translator left", "the run has ended, and its translator goes on")

    def general_checks(self, step, command, finished, limit, rules):
        if "ERROR: AddressSanitizer" in finished.err or "runtime error:" in finished.err or "ThreadSanitizer" in finished.err:
            raise Failure("sanitizer", finished.err[-1500:])
        if finished.hung:
            raise Failure("hang", f"no end after {finished.wall:.1f} s" + (", deaf to SIGTERM" if finished.is_deaf else ""),
                          is_certain=finished.cpu < 1)
        if finished.signal is not None:
            sent = {SIGNALS[name] for _, name in step.get("signals", [])} | {SIGNALS[m] for m in re.findall(r"=(SIG\w+)", rules)}
            if finished.signal not in sent:
                raise Failure("crash", f"ended by signal {signal.Signals(finished.signal).name}: {finished.err[-300:]}")
            return
        if finished.status == 99:
            raise RuntimeError(finished.err)
        if finished.status == 4:
            # Output that cannot be written is the one reason for it.
            if step.get("streams") or "fsize=" in rules:  # what is said of it may be cut off too
                return
            raise Failure("internal error", finished.err[-300:])
        if finished.status not in (0, 1, 2, 3):
            raise Failure("internal error", f"exit status {finished.status}: {finished.err[-300:]}")
        if limit is not None and "clock=" not in rules:
            threads = int(command.get("--threads") or 1) + (1 if command.get("--successors") != "interpret" else 0)
            # Processor time counts on a busy machine. Where there is room for it, so does the clock.
            is_late = finished.wall > limit + 2 * GRACE * self.slack and os.getloadavg()[0] < os.cpu_count() + 1
            if finished.wall > limit + GRACE and (finished.cpu > (limit * threads + GRACE) * self.slack or is_late):
                raise Failure("time limit", f"--time {command.get('--time')}: {finished.wall:.2f} s, {finished.cpu:.2f} s of processor time")
        if command.get("--memory") and not command.is_broken and "Sanitizer" not in os.environ.get("ASAN_OPTIONS", ""):
            most = bytes_of(command.get("--memory")) + PROGRAM_MEMORY
            if self.slack == 1.0 and finished.rss > most and finished.rss > execution.own_rss() + 4 * MEGABYTE:
                raise Failure("memory limit", f"--memory {command.get('--memory')}: {finished.rss >> 20} MB resident")
        if finished.status == 2 and not finished.err.strip() and not step.get("streams"):
            raise Failure("silent", "exit status 2 without a word")

    def check_broken(self, command, finished, report):
        """A value is missing: nothing may be swallowed."""
        if finished.status == 2:
            return
        raise Failure("option swallowed", f"{' '.join(command.arguments)} ends with status {finished.status}"
                      + ("" if report is None else f" and {len(report['properties'])} verdicts"))

    # -- what may be answered

    def may_refuse(self, question, command, reference):
        """Whether the combination as such may be refused."""
        engine = command.get("--engine", "auto")
        progress = command.get("--progress", "auto")
        if reference["status"] == 2:
            return True
        if engine == "sweep-basic" or (engine == "sweep" and progress in ("none", "auto")) or "/" in progress or "product" in progress:
            return True
        kinds = {kind for _, kind, _ in question.asked}
        about_runs = bool(kinds & LINEAR) or (question.is_check and not question.asked)
        about_states = any(kind not in TEMPORAL for _, kind, _ in question.asked) or not question.asked
        if engine in LINEAR_ENGINES:
            if not kinds or not kinds <= LINEAR or engine.startswith("ltl-sweep") or question.reading:
                return True
        elif engine in BRANCHING_ENGINES:
            if not kinds <= BRANCHING or engine == "scc-ctl" or ("ctlstar" in kinds and engine in ("prod", "local")) or question.reading:
                return True
        elif engine != "auto" and (about_runs or kinds & BRANCHING):
            return True
        if question.reading:
            return True
        if question.product and question.model and question.model.endswith(".pml") and command.get("--ledger", "auto") not in ("auto", "none"):
            return True  # of Promela some ends are proper ones, and audits of explored products do not know which
        if command.get("--stubborn") and ("automaton" in kinds | {option[2:] for option, _ in question.product} or "ctlstar" in kinds or self.has_step_counts(question)
                                          or command.get("--record") == "edges"):
            return True
        if command.get("--symmetry") and self.tells_copies_apart:
            return True
        if command.get("--ledger", "auto") not in ("auto", "none") and engine not in KEEP_LEDGERS:
            return True
        if command.get("--record", "tree") != "tree" and command.get("--ledger") in ("none", None):
            return True
        return False

    @staticmethod
    def has_step_counts(question):
        """Whether a formula has X."""
        return any(kind in BRANCHING and re.search(r"[AE]X ", text) for _, kind, text in question.asked)

    def check_fresh(self, program, step, command, context, finished, report, disturbed, folder, before_tmp):
        question, fingerprint = context
        if question.text is None and program == "tideline":
            if finished.status != 2 and finished.signal is None:
                raise Failure("wrong result", "a missing model is not refused")
            return
        if step.get("no_reference"):  # too large to be worked out: only limits and the report itself
            if report is not None:
                self.check_consistency(question, report, finished.status, disturbed)
            elif finished.status in (0, 1):
                raise Failure("report missing", f"exit status {finished.status}, but there is no report")
            return
        if command.get("--cut-off") or command.get("--language"):
            self.check_special(question, command, finished, report, disturbed)
            return
        reference = self.reference(question)
        place = command.get("--ledger", "auto")
        directory = None
        if place not in ("auto", "none"):
            directory = os.path.normpath(os.path.join(folder, place))
        else:
            new = set(os.listdir(self.scratch)) - before_tmp
            new = [name for name in new if name.startswith("tideline-")]
            if new:
                directory = os.path.join(self.scratch, new[0])
                if finished.status in (0, 1) and finished.signal is None and report is not None and report["complete"] and not disturbed:
                    raise Failure("ledger left", "a temporary ledger stays after a complete run")
        if directory is not None and directory not in self.ledgers:
            ledger = Ledger(question, command, fingerprint, folder)
            ledger.is_refused = finished.status == 2
            if os.path.isdir(self.path(directory)) or place == "auto":
                self.ledgers[directory] = ledger
        elif directory is not None and finished.status != 2 and finished.signal is None:
            raise Failure("ledger overwritten", f"a second run into {directory} is not refused")
        if finished.signal is not None:
            if directory in self.ledgers:
                self.ledgers[directory].is_doubtful = True
            return
        if finished.status == 2:
            if directory in self.ledgers and self.ledgers[directory].command is not command:
                return
            if self.trouble in ("fails", "nonsense", "part") or (command.get("--ltl-translator") and step.get("fail")):
                return
            # A file in memory has a limited size, too.
            no_room = "fsize" in disturbed and "could not be handed to the preprocessor" in finished.err
            if not self.may_refuse(question, command, reference) and not no_room and not ("call" in disturbed and "EACCES" in step.get("fail", "")):
                raise Failure("refused", f"{' '.join(command.arguments)}: {finished.err[:300]}")
            return
        if self.trouble and finished.status in (0, 1):
            raise Failure("wrong result", f"accepted, but the translator {self.trouble}")
        if reference["status"] == 2:
            if finished.status == 3 and disturbed and report is None:  # a limit came before the mistake was seen
                return
            raise Failure("wrong result", f"accepted, but the undisturbed run is refused: {reference['err'][:200]}")
        self.check_answer(step, question, command, reference, finished, report, disturbed)
        if directory in self.ledgers:
            self.note_ledger(self.ledgers[directory], finished, report, disturbed)
        self.check_disk(command, directory)
        self.check_twins(step, question, command, finished, report, disturbed)

    @staticmethod
    def note_ledger(ledger, finished, report, disturbed):
        """What is known of the ledger after a run that ended by itself."""
        status = finished.status
        ledger.is_doubtful = bool(disturbed & {"call", "as", "fsize"}) or (report is None and status != 0)
        if report is None and ledger.question.expected is not None:  # as expected may be anything
            ledger.is_doubtful = True
            return
        ledger.is_complete = ledger.is_complete or (report is None and status == 0)
        if report is None or not report.get("ledger_bytes"):
            return
        ledger.is_complete = bool(report["complete"])
        ledger.is_violated = report["reason"] == "violation"
        ledger.is_search_complete = ledger.is_complete or has_decided_states(report)
        if report["reason"] == "disk":  # there may have been no room for a commit, but then a resume is not offered
            is_offered = "tideline resume" in finished.err
            ledger.is_committed = ledger.is_committed or is_offered
            ledger.expanded = ledger.expanded or (1 if is_offered else None)
        elif report["reason"] in ORDERLY and not disturbed & {"call", "as", "fsize"} and not is_decided(report) and "tideline resume" in finished.err:
            ledger.is_committed = True
            # Of several searches only the first keeps a ledger.
            ledger.expanded = report["expanded"] if "," not in (report["engine"] or "") and "couvreur" != report["engine"] else None

    def check_disk(self, command, directory):
        if not command.get("--disk") or directory is None or not os.path.isdir(self.path(directory)):
            return
        size = sum(os.path.getsize(os.path.join(self.path(directory), name)) for name in os.listdir(self.path(directory)))
        if size > bytes_of(command.get("--disk")) + MEGABYTE:
            raise Failure("disk limit", f"--disk {command.get('--disk')}: the ledger has {size} bytes")

    def check_answer(self, step, question, command, reference, finished, report, disturbed, resumed=False):
        """Exit status and report against the undisturbed result."""
        truth = reference["report"]
        status = finished.status
        allowed = {reference["status"]} | ({3} if disturbed else set()) | ({4} if "streams" in disturbed or "fsize" in disturbed else set())
        facts = self.facts.get(question.text_key()) if question.text is not None else None
        # On the fly, a fault is not met where the answer does not need the state.
        avoids_faults = (command.get("--engine", "auto") in ("auto", "local") and any(kind in BRANCHING for _, kind, _ in question.asked)
                         and bool(truth["faults"]))
        if avoids_faults:
            allowed |= {0, 1}
        if question.expected is not None:  # it follows from the report, where there is one
            allowed = {0, 1, 3, 4} if report is None else {self.expected_status(question, report)} | (allowed & {4})
        if status not in allowed:
            raise Failure("wrong result", f"exit status {status}, undisturbed {reference['status']}: {finished.err[-300:]}")
        if report is None:
            wanted = command.get("--json") is not None and "streams" not in disturbed
            if wanted and status in (0, 1):
                raise Failure("report missing", f"exit status {status}, but there is no {command.get('--json')} in the folder of the command")
            if wanted and status == 3 and not finished.err.strip():
                raise Failure("silent", "exit status 3 without a report or a message")
            return
        for found in report["properties"]:
            if found["logic"] == "automaton":  # a ledger knows the whole path
                found["formula"] = os.path.basename(found["formula"])
        self.check_consistency(question, report, status, disturbed)
        exact = report.get("states_exact", True)
        about_states = all(kind not in TEMPORAL for _, kind, _ in question.asked) and not (question.is_check and not question.asked)
        engine = command.get("--engine", "auto")
        # Products and graphs are counted in other ways, and another program's automaton has states of its own.
        if not about_states and (engine not in ("auto", "couvreur") or command.get("--ltl-translator")):
            known = None
        else:
            known = truth if truth["complete"] else facts if about_states and not question.product else None
        is_reduced = bool(command.get("--stubborn") or command.get("--symmetry"))
        for option in ("stubborn", "symmetry"):
            if bool(command.get(f"--{option}")) != (report.get(option) is not None) and report["states"]:
                raise Failure("inconsistent report", f"--{option} {command.get('--' + option)}, and the report says {report.get(option)}")
        if known is not None:
            for name in ("states", "transitions", "deadlocks"):
                if report[name] is None or known[name] is None or (name == "deadlocks" and known is facts and "--end-states" in question.reading):
                    continue
                if report["complete"] and is_reduced:
                    if about_states:
                        self.check_reduced(name, report, known[name], None if question.product else facts, bool(question.product))
                elif report["complete"]:
                    if report[name] != known[name]:
                        raise Failure("wrong figure", f"{name} is {report[name]}, undisturbed {known[name]}")
                elif report[name] > known[name] and (exact or name != "states") and about_states:
                    raise Failure("figure too large", f"{name} is {report[name]} so far, but there are {known[name]} ({report['engine']}, {report['reason']})")
        # Verdicts.
        # The undisturbed run may have been made for the same properties in another order.
        expected = {(found["logic"], found["formula"] or ""): found["verdict"] for found in truth["properties"]}
        asked = sorted((kind, text) for _, kind, text in question.asked) if question.asked else sorted(expected)
        given = sorted((found["logic"], found["formula"] or "") for found in report["properties"])
        if question.is_check and asked != given:
            raise Failure("property missing", f"asked for {asked}, answered {given}")
        names = [name for name, _, _ in question.asked if name is not None]
        for name in names:
            if name not in [found["name"] for found in report["properties"]]:
                raise Failure("property missing", f"no verdict of {name}")
        for found in report["properties"]:
            key = found["logic"], found["formula"] or ""
            verdict = found["verdict"]
            right = expected.get(key)
            if facts is not None and right == "unknown":
                right = facts["verdicts"].get(question.fact_key(*key), right)
            if verdict == "unknown":
                if right in ("holds", "violated") and report["complete"] and not report["faults"]:
                    raise Failure("wrong result", f"{key} is unknown after a complete run")
                if not disturbed and expected.get(key) != "unknown" and not (facts and facts["faults"]):
                    raise Failure("wrong result", f"{key} is unknown ({found['reason']}), undisturbed {expected.get(key)}")
            elif right not in (verdict, None, "unknown"):
                raise Failure("wrong result", f"{key} is {verdict}, undisturbed {right}")
            elif right == "unknown" and verdict == "holds" and not avoids_faults:
                raise Failure("wrong result", f"{key} holds, undisturbed unknown")
            if verdict == "violated" and found["logic"] not in BRANCHING and not question.reading:
                self.check_trace(question, command, found, disturbed)
        if not disturbed and not report["complete"] and report["reason"] != "violation" and not is_decided_early(report):
            raise Failure("wrong result", f"not complete ({report['reason']}) without a limit")
        if truth["complete"] and report["complete"]:
            # Which value was met first depends on the order of the search.
            def looks(faults):
                return sorted({(f["kind"], re.sub(r"(value|index) -?[0-9]+", r"\1", f["text"])) for f in faults})
            if about_states and looks(report["faults"]) != looks(truth["faults"]):
                raise Failure("wrong result", f"faults are {[f['text'] for f in report['faults']]}, undisturbed {[f['text'] for f in truth['faults']]}")

    def check_special(self, question, command, finished, report, disturbed):
        """A run that visits another set of states: by definition alone."""
        if finished.signal is not None:
            return
        options = [word for option in ("--cut-off", "--language", "--final", "--hide", "--rename") if command.get(option) for word in (option, command.get(option))]
        facts = self.facts.get(question.text_key(), {})
        right = facts.get("special", {}).get(" ".join(options))
        if finished.status == 2:
            progress = command.get("--progress", "")
            if "/" not in progress and "product" not in progress:
                raise Failure("refused", f"{' '.join(command.arguments)}: {finished.err[:300]}")
            return
        if report is None:
            if finished.status in (0, 1) and "streams" not in disturbed:
                raise Failure("report missing", f"exit status {finished.status}, but there is no report")
            return
        if right is None:
            return
        verdicts = [found["verdict"] for found in report["properties"]]
        names = [found["name"] if found["name"] in right["verdicts"] else question.fact_key(found["logic"], found["formula"] or "") for found in report["properties"]]
        if question.is_check and sorted(names) != sorted(right["verdicts"]):
            raise Failure("property missing", f"asked for {sorted(right['verdicts'])}, answered {names}")
        for name, verdict, found in zip(names, verdicts, report["properties"]):
            expected = right["verdicts"][name]
            is_cut_short = bool(disturbed) or (right["faults"] and expected == "holds")
            if verdict != expected and not (is_cut_short and verdict == "unknown"):
                raise Failure("wrong result", f"{name} is {verdict} with {' '.join(options)}, by definition {expected}")
            if verdict == "violated":
                self.check_trace(question, command, found, disturbed)
        if report["reason"] is None and command.get("--cut-off"):
            of_cut = report["cut_off"]
            for name, found in [*((name, report[name]) for name in ("states", "transitions", "deadlocks")), ("unvisited", of_cut["unvisited"]), ("exact", of_cut["exact"])]:
                if found is not None and found != right[name]:
                    raise Failure("wrong figure", f"{name} is {found} with {' '.join(options)}, by definition {right[name]}")
            if report["complete"] != right["exact"]:
                raise Failure("inconsistent report", f"complete is {report['complete']} with {' '.join(options)}, exact by definition {right['exact']}")
        if disturbed:
            return
        expected = 1 if "violated" in verdicts or right["faults"] else 3 if "unknown" in verdicts or not right.get("exact", True) and not question.is_check else 0
        if finished.status != expected and not (finished.status == 1 and report["faults"]):
            raise Failure("wrong result", f"exit status {finished.status} with verdicts {verdicts}, expected {expected}")

    @staticmethod
    def check_reduced(name, report, whole, facts, is_product):
        """A figure of a complete run that visits fewer states. Where an automaton has no step is not kept by stubborn sets."""
        found = report[name]
        symmetry = report.get("symmetry")
        is_kept = not (is_product and name == "deadlocks")
        if found > whole or (is_kept and (found == 0) != (whole == 0)):
            raise Failure("wrong figure", f"{name} is {found} of fewer states, and {whole} of all")
        if symmetry is None and name == "deadlocks" and is_kept and found != whole:
            raise Failure("wrong figure", f"{name} is {found} by stubborn sets, and {whole} of all")
        if symmetry is None or name != "states":
            return
        if symmetry["order"] is not None and found * symmetry["order"] < whole:
            raise Failure("wrong figure", f"{found} states stand for {whole}, but the group has the order {symmetry['order']}")
        is_ours = facts is not None and [len(some) for some in symmetry["exchangeable"]] == [facts.get("copies")] and not symmetry["others"]
        if is_ours and symmetry["states_are_classes"] and found != facts["classes"]:
            raise Failure("wrong figure", f"{found} states are classes, by brute force there are {facts['classes']}")

    @staticmethod
    def expected_status(question, report):
        """With --expect, as the manual says."""
        differing = []
        for found in report["properties"]:
            expected = question.expected.get(found["name"]) or "holds"
            if found.get("expected") != question.expected.get(found["name"]):
                raise Failure("inconsistent report", f"{found['name']} is expected to be {question.expected.get(found['name'])}, not {found.get('expected')}")
            if found["verdict"] != expected:
                differing.append(found["verdict"])
        return 0 if not differing else 3 if set(differing) == {"unknown"} else 1

    @staticmethod
    def check_consistency(question, report, status, disturbed):
        verdicts = [found["verdict"] for found in report["properties"]]
        about_states = all(kind not in TEMPORAL for _, kind, _ in question.asked)
        # A property may be undecided for a reason of its own, such as too many atoms.
        own_reason = not disturbed and any(found["verdict"] == "unknown" and found["reason"] for found in report["properties"])
        if report["complete"] != (report["reason"] is None) and not own_reason and not is_decided_early(report):
            raise Failure("inconsistent report", f"complete is {report['complete']}, reason {report['reason']}")
        if report["reason"] == "violation" and "violated" not in verdicts and not report["faults"]:
            raise Failure("inconsistent report", "stopped at a violation that nobody reports")
        if about_states and "holds" in verdicts and not report["complete"]:
            raise Failure("inconsistent report", "something holds, but not everything was visited")
        # A formula has a search of its own, which ends where its automaton gives up, perhaps before any fault.
        if report["faults"] and any(found["verdict"] == "holds" and found["logic"] not in TEMPORAL for found in report["properties"]):
            raise Failure("inconsistent report", "something holds beside faults")
        bad = "violated" in verdicts or bool(report["faults"])
        if status == 4 or question.expected is not None:
            return
        if status == 0 and (bad or "unknown" in verdicts or (not question.is_check and not report["complete"])):
            raise Failure("inconsistent report", f"exit status 0 with verdicts {verdicts}, complete {report['complete']}")
        if status == 1 and not bad:
            raise Failure("inconsistent report", f"exit status 1 with verdicts {verdicts} and no fault")
        if status == 3 and disturbed and report["reason"] is None:
            raise Failure("inconsistent report", f"exit status 3 with verdicts {verdicts}, and no reason (complete is {report['complete']})")
        if status == 3 and (bad or (report["complete"] and "unknown" not in verdicts)):
            raise Failure("inconsistent report", f"exit status 3 with verdicts {verdicts}, complete {report['complete']}")

    def system_of(self, question):
        """The system that the question is about, where brute force can say what its steps are."""
        text = question.text
        if text is None or (self.system is not None and self.system.text() == text and self.system.wrap == bool(question.wrap)):
            return self.system if text is not None else None
        if digest(text) not in self.graphs:
            self.graphs[digest(text)] = models.read_lts(text, question.model)
        return self.graphs[digest(text)]

    def check_trace(self, question, command, found, disturbed):
        trace = found.get("trace")
        if trace is None:
            if not disturbed and command.get("--ledger") != "none" and command.get("--engine") != "sweep-basic":
                raise Failure("trace", f"{found['name']} is violated, and no run shows it")
            return
        incomplete = trace.get("incomplete")  # the reason why its last states are missing
        if incomplete is not None and (not disturbed or found.get("trace_reason") != incomplete):
            raise Failure("trace", f"{found['name']}: the run is incomplete ({incomplete}), the reason is {found.get('trace_reason')}")
        system = self.system_of(question)
        if system is None:
            return
        states = [system.state_of_trace(state) for state in trace["states"]]
        if None in states or any(None in s for s in states if isinstance(s, tuple)):
            return
        number = getattr(system, "_number", None)
        if number is None:
            number = system._number = {state: i for i, state in enumerate(system.graph().states)}
        graph = system.graph()
        numbers = [number.get(state) for state in states]
        if not numbers and incomplete is not None:
            return
        if None in numbers or not numbers or numbers[0] >= graph.initial:
            raise Failure("trace", f"{found['name']}: a state of the run cannot be reached")
        for a, b in zip(numbers, numbers[1:]):
            stutters = a == b and not graph.next[a] and found["logic"] in LINEAR
            if b not in graph.next[a] and not stutters:
                raise Failure("trace", f"{found['name']}: a step of the run does not exist")
        if incomplete is not None:
            return
        if found["logic"] in LINEAR:
            self.check_lasso(system, graph, numbers, trace.get("loop"), found)
        if found["logic"] == "deadlock" and graph.next[numbers[-1]]:
            raise Failure("trace", "the run does not end in a deadlock")
        if found["logic"] == "invariant":
            prop = next((p for p in getattr(system, "known_properties", []) if p["kind"] == "invariant" and p["text"] == found["formula"]), None)
            if prop is not None and system.column(prop["expr"])[numbers[-1]]:
                raise Failure("trace", f"{found['formula']} holds in the last state of the run")

    def check_itf(self, program, command, question, folder, path, finished, report, disturbed):
        """The file has the first run of the report, and the model has that run; where there is none, there is no file."""
        if finished.signal is not None or finished.status in (2, 4) or disturbed & {"fsize", "as"}:
            return
        text = self.content(path)
        if text == STALE:
            raise Failure("trace", f"--itf: the file of an earlier run stays after exit status {finished.status}")
        trace = itf.first_trace(report) if report is not None else None
        if trace is None and text is not None and disturbed and report is not None and any(found.get("trace_reason") for found in report["properties"] + report["faults"]):
            return  # the limit came between them
        if report is not None and (text is None) != (trace is None):
            raise Failure("trace", "--itf: " + ("there is no file, but the report has a run" if text is None else "there is a file, but the report has no run"))
        if text is None:
            return
        is_cut = trace is not None and "incomplete" in trace or '"incomplete"' in text
        problem = itf.problem_of(text, None if is_cut else trace)
        if problem is not None:
            raise Failure("trace", f"--itf: {problem}")
        if is_cut or program != "tideline" or disturbed or question.product or command.get("--language"):
            return
        os.chdir(self.path(folder) if folder else self.place)
        words = ["trace", path, "--replay", question.model] + question.wrap
        replayed = execution.execute([self.programs[program]] + [os.fsencode(word) for word in words], execution.environment(None, "", self.scratch),
                                     self.path("out"), self.path("err"))
        if replayed.status != 0 and not replayed.hung:
            raise Failure("trace", f"--itf: the model has not the run of the file: {replayed.out[-200:]}{replayed.err[-200:]}")

    @staticmethod
    def check_lasso(system, graph, numbers, loop, found):
        """The last step closes the loop, and the infinite run violates the formula; or it is a safety formula, and the last state violates it."""
        prop = next((p for p in getattr(system, "known_properties", []) if p["kind"] == found["logic"] and p["text"] == found["formula"]), None)
        if loop is None and prop is not None and prop.get("shape") == "G":
            if system.column(prop["exprs"][0])[numbers[-1]]:
                raise Failure("trace", f"{found['formula']} holds in the last state of the run")
            return
        if loop is None or not 0 <= loop < len(numbers):
            raise Failure("trace", f"{found['name']}: the run does not go on for ever")
        last, back = numbers[-1], numbers[loop]
        stays = last == back and not graph.next[last] and last not in graph.faulty
        if back not in graph.next[last] and not stays:
            raise Failure("trace", f"{found['name']}: the loop is not closed")
        if prop is None:
            return
        columns = [[system.column(e)[n] for n in numbers] for e in prop["exprs"]]
        if any(None in column for column in columns):
            return
        first = columns[0]
        if found["logic"] == "automaton":
            lasso = models.Graph(numbers, [[i + 1] for i in range(len(numbers) - 1)] + [[loop]], None, None, set())
            if not automata.has_accepting_run(prop["automaton"], lasso, columns, [False] * len(numbers)):
                raise Failure("trace", f"the automaton {found['formula']} does not accept the run")
            return
        if prop["shape"] == "G":
            is_bad = not all(first)
        elif prop["shape"] == "F":
            is_bad = not any(first)
        elif prop["shape"] == "GF":
            is_bad = not any(first[loop:])
        else:  # G (a -> F b): in the loop, what comes before a state comes again
            is_bad = any(a and not any(columns[1][min(i, loop):]) for i, a in enumerate(first))
        if not is_bad:
            raise Failure("trace", f"the run does not violate {found['formula']}")

    def check_twins(self, step, question, command, finished, report, disturbed):
        """The same command with another number of threads has the same result; not where it has changed to the sweep, whose runs depend on when that was."""
        if report is None or disturbed or report.get("changed_over"):
            return
        words = []
        skip = False
        for word in command.arguments:
            if skip:
                skip = False
                continue
            if word in ("--threads", "--json"):
                skip = True
                continue
            words.append(word)
        if "--ledger" in words and command.get("--ledger") not in ("auto", "none"):
            words[words.index("--ledger") + 1] = "DIR"
        key = (question.key(), tuple(words))
        mine = {"threads": command.get("--threads", "1"), "engine": report["engine"], "reason": report["reason"], "complete": report["complete"],
                "traces": [(f["name"], f["verdict"], None if f["trace"] is None else f["trace"]["states"]) for f in report["properties"]]}
        if report["complete"]:
            mine.update({name: report[name] for name in ("states", "transitions", "deadlocks")})
        other = self.twins.setdefault(key, mine)
        for name in mine:
            if name != "threads" and mine[name] != other[name]:
                what = "" if name != "traces" else " (" + ", ".join(f"{len(m[2] or [])} and {len(o[2] or [])} states" for m, o in zip(mine[name], other[name])) + ")"
                raise Failure("differs by threads", f"{name} with {mine['threads']} and {other['threads']} threads{what}")

    def ledger_name(self, folder, directory):
        path = os.path.normpath(os.path.join(self.path(folder), directory))
        return path if path.startswith(self.scratch) else os.path.relpath(path, self.place)

    def check_resume(self, program, step, command, finished, report, disturbed, folder):
        directory = command.places[0] if command.places else ""
        directory = self.ledger_name(folder, directory)
        ledger = self.ledgers.get(directory)
        if finished.signal is not None:
            if ledger is not None:
                ledger.is_doubtful = True
            return
        # A temporary one goes away when the run is decided.
        is_removed = directory.startswith(self.scratch) and finished.status in (0, 1)
        if ledger is None or not (os.path.isdir(self.path(directory)) or is_removed):
            # A run that was killed may have left another one, made for the trace: a temporary one, which was there.
            if finished.status not in (2, 3) and not is_removed and not os.path.isdir(self.path(directory)):
                raise Failure("wrong result", f"there is no ledger, and resume ends with status {finished.status}")
            return
        if command.get("--status"):
            self.check_status(ledger, finished, disturbed)
            return
        disturbed = disturbed | {option for option in ("--memory", "--disk") if ledger.command.get(option)}  # these stay
        now, fingerprint = self.question_of(program, ledger.command, ledger.folder)
        changed = fingerprint != ledger.fingerprint
        if finished.status == 2 or (finished.status == 3 and report is None):
            if finished.status == 3 and disturbed:
                return
            if changed or ledger.is_refused:
                return
            # A measure that cannot be evaluated may show only now.
            if ledger.is_committed and "the measure cannot be evaluated" not in finished.err:
                raise Failure("refused", f"a run that can be resumed is refused: {finished.err[:300]}")
            reference = self.reference(ledger.question)
            if self.may_refuse(ledger.question, ledger.command, reference):
                return
            # Whoever was killed before anything was committed may have to begin again, but is told.
            if not finished.err.strip():
                raise Failure("silent", "a resume is refused without a word")
            return
        if now.text is None and program == "tideline":
            question = ledger.question  # the model is gone; what the ledger knows may suffice
        else:
            question = now
            if now.text != ledger.question.text:
                if self.without_comments(now.text) != self.without_comments(ledger.question.text):
                    raise Failure("changed input accepted", f"the model was edited, and resume ends with status {finished.status}")
        if changed and ledger.command.get("--properties") and fingerprint[0] is None:
            question = ledger.question
        if changed and None in question.files.values():  # the ledger has the automaton
            question = ledger.question
        reference = self.reference(question)
        if reference["status"] == 2:
            raise Failure("changed input accepted", f"resume ends with status {finished.status}, but the input is wrong now")
        if changed and (ledger.question.asked != question.asked or ledger.question.files != question.files):
            try:
                self.check_answer(step, question, merged(ledger.command, command), reference, finished, report, disturbed, True)
            except Failure as failure:
                raise Failure("changed input accepted", f"the properties were edited: {failure}")
        else:
            self.check_answer(step, question, merged(ledger.command, command), reference, finished, report, disturbed, True)
        if ledger.command.get("--itf") and report is not None and finished.status != 4:
            path = self.path(os.path.join(ledger.folder, ledger.command.get("--itf")))
            self.check_itf(program, ledger.command, question, ledger.folder, path, finished, report, disturbed)
        self.note_ledger(ledger, finished, report, disturbed)
        self.check_disk(command, directory)

    @staticmethod
    def without_comments(text):
        return re.sub(r"//[^\n]*|\s+", "", text)

    @staticmethod
    def check_status(ledger, finished, disturbed):
        if disturbed:
            return
        if ledger.is_committed and not ledger.is_complete:
            if finished.status != 0:
                raise Failure("refused", f"resume --status of a run that can be resumed: {finished.err[:200]}")
            if ledger.expanded and "nothing" in finished.out:
                raise Failure("nothing committed", "states were expanded, a resume is offered, and nothing has been committed")
            number = re.search(r"expanded\s+([\d,]+)", finished.out)
            kinds = {kind for _, kind, _ in ledger.question.asked}
            is_one_search = not kinds & LINEAR or kinds <= LINEAR  # the figures of several are sums; the ledger is that of one
            if number and ledger.expanded and is_one_search and int(number.group(1).replace(",", "")) < ledger.expanded:
                raise Failure("nothing committed", f"{ledger.expanded} states were expanded, {number.group(1)} are committed")
        elif ledger.is_complete and (finished.status != 0 or "complete" not in finished.out):
            raise Failure("wrong result", f"resume --status of a complete run: {finished.out[-200:]}{finished.err[:200]}")

    def check_audit(self, command, finished, disturbed, folder):
        directory = self.ledger_name(folder, command.places[0])
        ledger = self.ledgers.get(directory)
        if finished.signal is not None or disturbed:
            return
        if ledger is None:
            if finished.status == 0:
                raise Failure("audit confirms", "there is no ledger")
            return
        _, fingerprint = self.question_of(ledger.question.program, ledger.command, ledger.folder)
        changed = fingerprint[-1:] != ledger.fingerprint[-1:]
        if ledger.is_complete and not changed and not ledger.is_doubtful:
            is_read_otherwise = ledger.question.reading and any(kind in LINEAR for _, kind, _ in ledger.question.asked)
            unconfirmable = ("which runs count", "what holds of strongly fair runs has no certificate", "fairness is between actions")
            if is_read_otherwise and finished.status == 1 and any(reason in finished.out for reason in unconfirmable):
                return
            is_of_fair_paths = "--fair" in ledger.question.reading and any(kind in ("ctl", "ctlstar") for _, kind, _ in ledger.question.asked)
            if is_of_fair_paths and finished.status == 1 and "decided under fairness has no certificate" in finished.out:
                return
            if ledger.command.get("--stubborn") or ledger.command.get("--symmetry"):
                if finished.status == 0:
                    raise Failure("audit confirms", "a run that left states out")
                return
            if ledger.command.get("--ltl-translator") and finished.status == 1 and "could not be made again" in finished.out:
                return
            if finished.status != 0:
                raise Failure("audit cannot read" if "cannot be understood" in finished.out else "audit rejects", f"a complete run is not confirmed: {finished.out[:300]}{finished.err[:300]}")
        elif not ledger.is_search_complete and not ledger.is_complete and finished.status == 0 and not ledger.is_violated and not ledger.is_doubtful:
            raise Failure("audit confirms", "a run that did not come to its end is confirmed")


def has_decided_states(report):
    """Whether all that was asked of single states is decided, and a linear-time property is not."""
    answers = {"linear": set(), "states": set()}
    for asked in report["properties"]:
        answers["linear" if asked["logic"] in LINEAR else "states"].add(asked["verdict"])
    return "unknown" in answers["linear"] and bool(answers["states"]) and "unknown" not in answers["states"]


def merged(first, second):
    """The options under which a resumed run works."""
    result = Command(list(first.arguments))
    for option in ("--states", "--time", "--json"):
        result.options.pop(option, None)
    for option, value in second.options.items():
        result.options[option] = value
    return result
