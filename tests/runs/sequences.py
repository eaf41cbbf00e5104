"""Random sequences of commands, and how they are made smaller.

A sequence is drawn from a system (models.py) and questions about it. `resolved` turns it into plain data, which is what World executes and
what a replay file holds.
"""

import copy

import automata
import formulas
import models
import reductions
import systems
from models import digest
from oracle import FLAGS, LINEAR


class Sequence:
    def __init__(self, system):
        self.system = system
        self.name = system.file
        self.properties = []  # that occur anywhere
        self.property_files = {}  # name -> [(name, property)]
        self.automata = {}  # name -> text
        self.scripts = {}  # the same, of translators
        self.special = {}  # the options of a run that visits another set of states -> a function that says what must come out
        self.steps = []
        self.extra_files = {}

    def copied(self):
        other = copy.copy(self)
        other.steps = copy.deepcopy(self.steps)
        other.property_files = dict(self.property_files)
        return other

    def resolved(self):
        texts = {}
        files = dict(self.extra_files)
        facts = {}
        if self.system.text() is not None and not self.extra_files:
            files[self.name] = self.system.text()
            facts[facts_key(self.system)] = self.facts_of(self.system)
        for name, listed in self.property_files.items():
            files[name] = property_text(listed)
        files.update(self.automata)
        files.update(self.scripts)
        steps = []
        for step in self.steps:
            if "edit" in step:
                other = edited(self.system, step["edit"])
                try:
                    facts[facts_key(other)] = self.facts_of(other)
                except models.TooLarge:  # it is to be refused anyway
                    pass
                steps.append({"write": {self.name: other.text()}})
            elif "properties" in step:
                steps.append({"write": {step["properties"][0]: property_text(step["properties"][1])}})
            else:
                steps.append(step)
        return {"files": files, "facts": facts, "steps": steps}

    def facts_of(self, system):
        cache = system.__dict__.setdefault("_facts", {})
        facts = cache.setdefault("facts", None) or system.facts()
        cache["facts"] = facts
        verdicts = cache.setdefault("verdicts", {})
        wanted = {}
        for prop in self.properties:
            key = formulas.key(prop)
            if key not in verdicts:
                verdicts[key] = formulas.verdict(system, prop)
            wanted[key] = verdicts[key]
        special = {options: work_out(system) for options, work_out in self.special.items()}
        return {**facts, **({"special": special} if special else {}), "verdicts": {k: v for k, v in wanted.items() if v is not None}}


def facts_key(system):
    """By which a run finds what is known of its model."""
    return digest(system.text() + "".join(system.options))


def property_text(listed):
    return "".join(f"{name}: {prop['kind']} {prop['text']}".rstrip() + "\n" for name, prop in listed)


def edited(system, how):
    """The same system with another comment, or with one number changed."""
    if how == "original":
        return system
    cache = system.__dict__.setdefault("_edited", {})
    if how in cache:
        return cache[how]
    other = copy.copy(system)
    other.__dict__.pop("_facts", None)
    other.__dict__.pop("_edited", None)
    other.__dict__.pop("_number", None)
    other._text = None
    if how == "comment":
        other.note = "changed"
    elif isinstance(system, models.Lts):
        other._graph = None
        other.edges = system.edges[:-1] + [(system.edges[-1][0], system.edges[-1][0], "z")] if system.edges else []
    else:
        other._graph = None
        other.processes = copy.deepcopy(system.processes)
        for p in other.processes:
            for step in p["steps"]:
                for lower in models.smaller_numbers(step["guard"]) if step["guard"] is not None else ():
                    step["guard"] = lower
                    other.copies = []
                    cache[how] = other
                    return other
        other.note = "nothing to change"
    cache[how] = other
    return other


# -- drawing

def log_uniform(r, low, high):
    return int(round(low * (high / low) ** r.random()))


def measure(r, system):
    atoms = system.atoms()
    if not atoms:
        return "0"
    def one():
        a = models.as_text(r.choice(atoms))
        roll = r.random()
        if roll < 0.5:
            return a
        if roll < 0.7:
            return f"{a} + {models.as_text(r.choice(atoms))}"
        if roll < 0.8:
            return f"({a} == {r.randrange(4)})"
        if roll < 0.85:
            return f"{a} * 3 % 7"
        if roll < 0.9 and isinstance(system, models.Dve):
            return r.choice(system.processes)["name"]
        return "0" if roll > 0.95 else a
    if r.random() < 0.04:
        return f"1/{models.as_text(r.choice(atoms))}"
    if r.random() < 0.06 and len(atoms) > 1:
        return f"product({one()},{one()})"
    return ",".join(one() for _ in range(r.choice([1, 1, 1, 2])))


class Draw:
    def __init__(self, r, system):
        self.r = r
        self.system = system
        self.sequence = Sequence(system)
        self.count = len(system.graph().states) if system.graph() is not None else 2000
        self.cpp = isinstance(system, models.Cpp)
        self.used = 0

    def property(self):
        prop = formulas.random_property(self.r, self.system)
        if prop["kind"] == "deadlock" and any(p["kind"] == "deadlock" for p in self.sequence.properties) and self.r.random() < 0.7:
            prop = formulas.random_property(self.r, self.system)
        return self.known(prop)

    def known(self, prop):
        """Its verdict is worked out, and its file is there."""
        self.sequence.properties.append(prop)
        self.system.__dict__.setdefault("known_properties", []).append(prop)
        if prop["kind"] == "automaton":
            self.sequence.automata[prop["text"]] = prop["hoa"]
        return prop

    def expectation(self, prop):
        """A word after the name in a file of properties, or none: mostly the right one."""
        r = self.r
        if r.random() < 0.4:
            return ""
        right = formulas.verdict(self.system, prop)
        return " " + (right if right is not None and r.random() < 0.8 else r.choice(["holds", "violated", "unknown"]))

    def failing_property(self):
        """An invariant that is violated in a state near the initial one, if one is found."""
        r = self.r
        for _ in range(6):
            e = systems.random_condition(r, self.system)
            if self.system.graph() is None:
                break
            column = self.system.column(e)
            if not all(column[:max(3, len(column) // 4)]):
                break
        prop = {"kind": "invariant", "text": models.as_text(e), "expr": e}
        self.sequence.properties.append(prop)
        return prop

    def question(self, want_runs=True):
        """Arguments that ask something."""
        r = self.r
        own = list(self.system.options)
        model = [] if self.cpp else [self.sequence.name]
        if r.random() < 0.4:
            result = ["explore"] + model + own
            if r.random() < 0.03:
                result += ["--ltl", formulas.random_formula(r, self.system)["text"]]
            elif r.random() < 0.04 and not self.cpp:
                result += ["--automaton", self.known(formulas.random_automaton(r, self.system))["text"]]
            return result
        result = ["check"] + model + own
        if r.random() < 0.05 and not self.cpp:
            return result
        how = r.random()
        count = r.choice([1, 1, 2, 2, 3, 4])
        if how < 0.5:
            listed = []
            expects = r.random() < 0.25
            for i in range(count):
                prop = self.property()
                if prop["kind"] in LINEAR and not want_runs:
                    continue
                listed.append((r.choice(["p", "q", "safe", "live"]) + str(i) + (self.expectation(prop) if expects else ""), prop))
            if not listed:
                listed.append(("p", self.failing_property()))
            self.sequence.property_files["asked.properties"] = listed
            return result + ["--properties", "asked.properties"] + (["--expect"] if expects and r.random() < 0.8 else [])
        asked = []
        seen_deadlock = False
        for _ in range(count):
            prop = self.property()
            if prop["kind"] == "deadlock":
                if seen_deadlock:
                    continue
                seen_deadlock = True
                asked += ["--deadlock"]
            elif prop["kind"] == "invariant":
                asked += ["--invariant", prop["text"]]
            elif want_runs:
                asked += [f"--{prop['kind']}", prop["text"]]
        stuck = self.stuck() if seen_deadlock and not self.cpp and r.random() < 0.5 else []
        if stuck:
            reading = formulas.Reading(ends=self.proper_end(stuck, all))
            self.sequence.properties += [{**prop, "reading": reading} for prop in self.sequence.properties]
            asked += reading.options
        return result + (asked or ["--deadlock"])

    def engine(self, arguments, with_ledger=False):
        """Engine and measure that mostly fit."""
        r = self.r
        about_runs = "--ltl" in arguments or "--automaton" in arguments or any(p["kind"] in LINEAR for _, p in self.sequence.property_files.get("asked.properties", []))
        if arguments[0] == "check" and about_runs and r.random() < 0.9:
            only_runs = "--deadlock" not in arguments and "--invariant" not in arguments and all(
                p["kind"] in LINEAR for _, p in self.sequence.property_files.get("asked.properties", []))
            return ["--engine", "couvreur"] if only_runs and r.random() < 0.4 else []
        roll = r.random()
        result = []
        if roll < 0.35:
            if r.random() < 0.3:
                result = ["--engine", "auto"]
            if r.random() < 0.15:
                result += ["--progress", r.choice(["auto", "none", measure(r, self.system)])]
            if r.random() < 0.5:  # the search changes to the sweep there, unless something forbids it
                result += ["--change-at", str(log_uniform(r, 1, max(2, self.count)))]
        elif roll < 0.6:
            result = ["--engine", "bfs"]
        elif roll < 0.9 or with_ledger:
            result = ["--engine", "sweep", "--progress", measure(r, self.system) if r.random() < 0.8 else "auto"]
        elif roll < 0.95:
            result = ["--engine", "dfs"]
        elif roll < 0.97:
            result = ["--engine", "couvreur"]
        else:
            result = ["--engine", "sweep-basic", "--progress", measure(r, self.system)]
        return result

    def reduction(self):
        """Options that leave states out, and no answers."""
        r = self.r
        if isinstance(self.system, models.Dve) and r.random() < 0.12:
            return ["--stubborn", "auto"]
        if self.system.copies and r.random() < 0.6:
            return ["--symmetry", r.choice(["auto", "C", ",".join(self.system.copies)])]
        return []

    def more_options(self, ledger):
        r = self.r
        result = self.reduction()
        if r.random() < 0.35:
            result += ["--threads", str(r.choice([1, 2, 2, 3]))]
        if r.random() < 0.08:
            result += ["--compress"]
        if r.random() < 0.12 and not self.cpp:
            result += ["--successors", r.choice(["interpret", "interpret", "native"])]
        if r.random() < 0.12:
            result += ["--sleep", r.choice(["auto", "none"])]
        if r.random() < 0.12:
            result += ["--trace", r.choice(["full", "changes", "actions"])]
        if ledger and r.random() < 0.3:
            result += ["--record", r.choice(["labels", "edges", "tree"])]
        if r.random() < 0.15:
            result += ["--itf", "run.itf.json"]
        if r.random() < 0.3:
            result += ["--quiet"]
        return result

    def disturb(self, step, is_resume=False, with_ledger=True):
        """Adds one disturbance to a run."""
        r = self.r
        roll = r.random()
        arguments = step["run"]
        if roll < 0.25 and not is_resume:
            arguments += ["--states", str(log_uniform(r, 1, max(2, self.count)))]
        elif roll < 0.40:
            if r.random() < 0.5:
                arguments += ["--time", f"{r.choice([1, 1, 2, 3, 5, 8, 12, 20, 40])}ms"]
            else:  # a second of a faster clock ends in whatever phase, and in the same one every time
                arguments += ["--time", "1s"]
                step["fail"] = f"clock={log_uniform(r, 30, 100000)}"
        elif roll < 0.55:
            # A search looks for signals ten times a second: with a faster clock also in a short run.
            step["fail"] = f"clock:{log_uniform(r, 1, 120)}={r.choice(['SIGINT', 'SIGTERM', 'SIGINT', 'SIGKILL'])}"
            if r.random() < 0.2:
                step["fail"] += f";clock:{log_uniform(r, 1, 150)}={r.choice(['SIGINT', 'SIGTERM'])}"
            if r.random() < 0.7:
                step["fail"] += f";clock={r.choice([1000, 10000, 100000])}"
        elif roll < 0.65 and with_ledger:
            call = r.choice(["pwrite", "pwrite", "fdatasync", "rename", "open", "ftruncate"])
            step["fail"] = f"{call}:{log_uniform(r, 1, 40 if call == 'pwrite' else 8)}=SIGKILL"
            if r.random() < 0.7:
                step["fail"] += f";clock={r.choice([300, 1000, 3000])}"
        elif roll < 0.75:
            first = r.choice(["SIGINT", "SIGTERM", "SIGKILL"])
            step["signals"] = [[round(r.uniform(0.001, 0.05), 4), first]]
            if first != "SIGKILL" and r.random() < 0.3:
                step["signals"].append([step["signals"][0][0] + round(r.uniform(0, 0.01), 4), r.choice(["SIGINT", "SIGTERM", "SIGKILL"])])
        elif roll < 0.87 and with_ledger:
            call, error = r.choice([("pwrite", "ENOSPC"), ("pwrite", "EIO"), ("pwrite", "EFBIG"), ("pwrite", "EDQUOT"), ("pwrite", "short"),
                                    ("pwrite", "EINTR"), ("fdatasync", "EIO"), ("fsync", "EIO"), ("rename", "EIO"), ("rename", "ENOSPC"),
                                    ("ftruncate", "EIO"), ("open", "ENOSPC"), ("pread", "EIO"), ("pread", "EINTR"), ("pread", "short"), ("fallocate", "EIO")])
            lasting = "+" if error not in ("EINTR",) and r.random() < 0.4 else ""
            step["fail"] = f"{call}:{log_uniform(r, 1, 30 if call[0] == 'p' else 5)}{lasting}={error}@/L" if "L" in arguments else \
                f"{call}:{log_uniform(r, 1, 30 if call[0] == 'p' else 5)}{lasting}={error}@tideline-"
            if r.random() < 0.3:
                step["fail"] += f";clock={r.choice([300, 1000])}"
        elif roll < 0.91:
            if "--threads" not in arguments:
                arguments += ["--threads", str(r.choice([2, 3, 4]))]
            step["fail"] = f"thread:{r.randint(1, 4)}{r.choice(['', '+'])}=EAGAIN"
        elif roll < 0.94:
            step["fail"] = f"{r.choice(['mmap', 'mmap', 'mremap'])}:{log_uniform(r, 1, 40)}{r.choice(['', '+'])}=ENOMEM"
        elif roll < 0.96:
            arguments += ["--memory", r.choice(["1M", "2M", "4M", "32M"])]
        elif roll < 0.98 and with_ledger:
            arguments += ["--disk", r.choice(["1K", "16K", "64K", "600K"])]
        elif roll < 0.99:
            step["fail"] = f"fsize={r.choice([1000, 4096, 20000, 65536])}"
        else:
            step["fail"] = f"as={r.choice([300, 400, 500, 700]) << 20}"
            if "--threads" not in arguments and r.random() < 0.5:
                arguments += ["--threads", "8"]
        return step

    def hurry(self, step, share):
        """A faster clock, so that a short run makes several checkpoints."""
        if self.r.random() < share and "--time" not in step["run"] and "clock=" not in step.get("fail", ""):
            rules = [step["fail"]] if step.get("fail") else []
            step["fail"] = ";".join(rules + [f"clock={self.r.choice([1000, 3000, 10000])}"])
        return step

    def run(self, arguments, **more):
        step = {"run": arguments, **more}
        if self.cpp:
            step["program"] = "cpp"
        return step

    # -- kinds of sequences

    def resumed(self):
        r = self.r
        steps = self.sequence.steps
        arguments = self.question(want_runs=r.random() < 0.1)
        arguments += self.engine(arguments, True)
        kept = r.random() < 0.85
        if kept:
            arguments += ["--ledger", "L"]
        arguments += self.more_options(True)
        if r.random() < 0.8:
            arguments += ["--json", r.choice(["report.json", "report.json", "-"])]
        steps.append(self.hurry(self.disturb(self.run(arguments)), 0.5))
        place = "L" if kept else "@auto"
        if r.random() < 0.5:
            steps.append(self.run(["resume", place, "--status"]))
        change = r.random()
        back = None
        if self.sequence.automata:
            self.change_automata(place)
        elif change < 0.25 and "asked.properties" in self.sequence.property_files:
            self.change_properties()
            back = {"properties": ["asked.properties", list(self.sequence.property_files["asked.properties"])]}
        elif change < 0.30 and not self.cpp:
            steps.append({"edit": r.choice(["constant", "constant", "comment"])})
            back = {"edit": "original"}
        elif change < 0.33 and not self.cpp:
            steps.append(r.choice([{"rename": [self.sequence.name, "moved" + self.sequence.name]}, {"delete": self.sequence.name}]))
            back = {"edit": "original"}
        if back is not None and r.random() < 0.4:  # a refusal leaves the ledger as it was
            steps.append(self.run(["resume", place, "--json", "again.json"]))
            steps.append(back)
        for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
            again = ["resume", place]
            if r.random() < 0.5:
                again += ["--json", "again.json"]
            steps.append(self.hurry(self.disturb(self.run(again), True), 0.5))
            if r.random() < 0.5:
                steps.append(self.run(["resume", place, "--status"]))
        last = ["resume", place]
        folder = {}
        if r.random() < 0.12:
            folder = {"cwd": "other"}
            last = ["resume", "../L" if kept else place]
        if r.random() < 0.3:
            last += ["--threads", str(r.choice([1, 2, 3]))]
        if "--memory" in arguments or any("--memory" in s.get("run", []) for s in steps):
            last += ["--memory", "64M"]
        if "--disk" in arguments:
            last += ["--disk", "1G"]
        last += ["--json", "last.json"]
        steps.append(self.hurry(self.run(last, **folder), 0.3))
        if r.random() < 0.15:
            steps.append(self.run(["resume", place, "--json", "last.json"]))
        if r.random() < 0.6 and kept:
            steps.append(self.run(["audit", "L"]))

    def reading(self):
        """Which runs count."""
        r = self.r
        stuck = self.stuck()
        deadlocks, ends = (0.4, 0.25) if stuck else (0.1, 0.04)  # mostly where they can matter
        end = self.proper_end(stuck, any) if r.random() < ends and not self.cpp else None
        if end is not None and r.random() < 0.8:
            deadlocks = 1
        return formulas.Reading(r.choice(["stutter", "finite", "finite", "ignore", "ignore", "ignore"]) if r.random() < deadlocks else None,
                                r.choice(["weak", "weak", "strong"]) if r.random() < 0.2 else None, end)

    def stuck(self):
        """The deadlocks."""
        graph = self.system.graph()
        return [i for i, following in enumerate(graph.next) if not following and i not in graph.faulty] if graph is not None else []

    def proper_end(self, stuck, how_many):
        """A condition; one that holds in any or all deadlocks if it is found."""
        for _ in range(8):
            condition = systems.random_condition(self.r, self.system)
            if how_many(self.system.column(condition)[i] for i in stuck):
                break
        return condition

    def telling(self, draw, reading):
        """A property whose answer depends on the reading, if one is found."""
        graph = self.system.graph()
        other = formulas.Reading(reading.deadlocks, reading.fair) if reading.ends is not None else formulas.PLAIN
        for _ in range(8 if graph is not None and len(graph.states) <= 2000 else 3):
            prop = {**draw(), "reading": reading}
            if graph is None or not reading.options:
                break
            if {formulas.verdict(self.system, prop), formulas.verdict(self.system, {**prop, "reading": other})} == {"holds", "violated"}:
                break
        return prop

    def temporal(self):
        """Formulas by every engine that decides them; where it keeps a ledger, resumed."""
        r = self.r
        kind = r.choice(["ltl", "ltl", "ltl", "ltl", "ctl", "ctl", "ctlstar"])
        arguments = ["check"] + ([] if self.cpp else [self.sequence.name]) + list(self.system.options)
        reading = self.reading()
        for _ in range(r.choice([1, 1, 1, 2])):
            shape = "automaton" if kind == "ltl" and not self.cpp and r.random() < 0.35 else kind
            drawn = {"ltl": formulas.random_formula, "automaton": formulas.random_automaton}
            prop = self.telling(lambda: drawn[shape](r, self.system) if shape in drawn else formulas.random_ctl(r, self.system, star=kind == "ctlstar"), reading)
            self.known(prop)
            arguments += [f"--{prop['kind']}", prop["text"]]
        arguments += reading.options
        engines = {"ltl": ["auto", "couvreur", "graph", "graph", "ndfs", "map", "sweep", "sweep", "sweep", "ltl-sweep-offline", "ltl-sweep-online"],
                   "ctl": ["auto", "labelling", "prod", "local", "ledger", "ledger", "ledger", "scc-ctl"],
                   "ctlstar": ["auto", "labelling", "ledger", "ledger"]}
        engine = r.choice(engines[kind])
        arguments += ["--engine", engine]
        if engine == "ndfs" and r.random() < 0.4:
            arguments += ["--variant", r.choice(["plain", "early"])]
        if engine.startswith("ltl-sweep") and r.random() < 0.4:
            arguments += ["--variant", r.choice(["progress-graph", "progress-order", "mpp2", "progress-graph,mpp2"])]
        sweeps = "sweep" in engine or engine in ("ledger", "scc-ctl")
        if sweeps and r.random() < 0.9:
            arguments += ["--progress", measure(r, self.system)]
        kept = engine in ("sweep", "ledger") and r.random() < 0.6
        if kept:
            arguments += ["--ledger", "L"]
        if r.random() < 0.4:
            arguments += ["--threads", str(r.choice([1, 2, 3]))]
        if r.random() < 0.15 and not self.cpp:
            arguments += ["--successors", r.choice(["interpret", "interpret", "native"])]
        if r.random() < 0.2:
            arguments += ["--itf", "run.itf.json"]
        arguments += self.reduction() + ["--json", "report.json"]
        step = self.run(arguments)
        if not self.translated(step) and r.random() < 0.6:
            self.disturb(step, with_ledger=kept)
        if kept:
            self.hurry(step, 0.5)
        self.sequence.steps.append(step)
        if not kept:
            return
        self.change_automata("L")
        for _ in range(r.choice([0, 0, 1, 2])):
            self.sequence.steps.append(self.hurry(self.disturb(self.run(["resume", "L"]), True), 0.5))
        last = ["resume", "L", "--json", "last.json"]
        if any("--memory" in s.get("run", []) for s in self.sequence.steps):
            last += ["--memory", "64M"]
        if any("--disk" in s.get("run", []) for s in self.sequence.steps):
            last += ["--disk", "1G"]
        self.sequence.steps.append(self.run(last))
        if r.random() < 0.5:
            self.sequence.steps.append(self.run(["audit", "L"]))

    def translated(self, step):
        """Perhaps the formula goes to a translator that is ours. Whether that disturbs the run."""
        r = self.r
        asked = self.sequence.properties
        if len(asked) != 1 or "shape" not in asked[0] or asked[0]["reading"].deadlocks == "finite" or r.random() > 0.6:
            return False
        if len({models.as_text(e) for e in asked[0]["exprs"]}) < len(asked[0]["exprs"]):
            return False
        trouble = r.choice(["", "", "", "", "fails", "hangs", "nonsense", "part"])
        self.sequence.scripts["translate.sh"] = automata.translator(asked[0]["shape"], trouble)
        step["run"] += ["--ltl-translator", "sh translate.sh %f"]
        if trouble == "hangs":
            if r.random() < 0.5:
                step["run"] += ["--time", r.choice(["200ms", "500ms"])]
            else:
                step["signals"] = [[round(r.uniform(0.02, 0.3), 4), r.choice(["SIGINT", "SIGTERM"])]]
        return bool(trouble)

    def change_automata(self, place):
        """A ledger has its automata: files that are gone, and translators that fail, do not matter; other automata do."""
        r = self.r
        steps = self.sequence.steps
        if self.sequence.scripts and r.random() < 0.5:
            steps.append({"write": {"translate.sh": automata.translator("G", "fails")}})
        if not self.sequence.automata or r.random() < 0.6:
            return
        name = r.choice(sorted(self.sequence.automata))
        if r.random() < 0.4:
            steps.append({"delete": name})
            return
        steps.append({"write": {name: formulas.random_automaton(r, self.system)["hoa"]}})
        if r.random() < 0.6:
            steps.append(self.run(["resume", place, "--json", "again.json"]))
            steps.append({"write": {name: self.sequence.automata[name]}})

    def change_properties(self):
        r = self.r
        listed = list(self.sequence.property_files["asked.properties"])
        how = r.random()
        if how < 0.5:
            i = r.randrange(len(listed))
            listed[i] = (listed[i][0], self.failing_property())
        elif how < 0.65:
            listed.insert(r.randrange(len(listed) + 1), ("added", self.failing_property()))
        elif how < 0.8 and len(listed) > 1:
            del listed[r.randrange(len(listed))]
        elif how < 0.9:
            i = r.randrange(len(listed))
            listed[i] = ("renamed", listed[i][1])
        else:
            r.shuffle(listed)
        self.sequence.steps.append({"properties": ["asked.properties", listed]})

    def single(self):
        r = self.r
        arguments = self.question()
        arguments += self.engine(arguments)
        ledger = r.random() < 0.4
        if ledger:
            arguments += ["--ledger", r.choice(["L", "L", "none", "auto"])]
        with_ledger = ledger and "none" not in arguments[-1:]
        arguments += self.more_options(with_ledger)
        arguments += ["--json", "report.json"]
        step = self.run(arguments)
        if r.random() < 0.5:
            self.disturb(step, with_ledger=with_ledger)
        elif with_ledger:
            self.hurry(step, 0.5)
        if r.random() < 0.06:
            step["streams"] = r.choice(["1", "01", "02", "f", "012"])
        self.sequence.steps.append(step)
        if "L" in arguments and r.random() < 0.5:
            self.sequence.steps.append(self.run(["audit", "L"]))

    def twins(self):
        """The same run by one, two and three threads."""
        r = self.r
        arguments = self.question(want_runs=False)
        roll = r.random()
        arguments += ["--engine", "bfs"] if roll < 0.3 else ["--engine", "sweep", "--progress", measure(r, self.system)] if roll < 0.8 else []
        if r.random() < 0.2:
            arguments += ["--compress"]
        arguments += self.reduction()
        ledger = r.choice(["", "L", "none"])
        for threads in r.choice([(1, 2), (1, 3), (2, 3), (1, 2, 3)]):
            place = ["--ledger", f"L{threads}" if ledger == "L" else ledger] if ledger else []
            self.sequence.steps.append(self.run(arguments + place + ["--threads", str(threads), "--json", "report.json"]))

    def search_options(self):
        """Engine, measure and threads of a search through states, and the report."""
        r = self.r
        roll = r.random()
        result = ["--engine", r.choice(["bfs", "dfs", "auto"])] if roll < 0.5 else ["--engine", "sweep", "--progress", measure(r, self.system)]
        if roll > 0.7 and r.random() < 0.5:
            result += ["--ledger", "none"]
        if r.random() < 0.35:
            result += ["--threads", str(r.choice([1, 2, 3]))]
        if r.random() < 0.2:
            result += ["--successors", r.choice(["interpret", "native"])]
        if r.random() < 0.2:
            result += ["--itf", "run.itf.json"]
        return result + ["--json", "report.json"]

    def cut_off(self):
        """States behind a condition are not expanded."""
        r = self.r
        condition = systems.random_condition(r, self.system)
        asked = {}
        arguments = ["explore", self.sequence.name]
        if r.random() < 0.7:
            arguments = ["check", self.sequence.name]
            for prop in [formulas.random_property(r, self.system) for _ in range(r.randint(1, 2))]:
                if prop["kind"] in ("deadlock", "invariant") and formulas.key(prop) not in asked:
                    asked[formulas.key(prop)] = self.known(prop)
                    arguments += [f"--{prop['kind']}"] + ([prop["text"]] if prop["text"] else [])
            if not asked:
                asked["deadlock "] = {"kind": "deadlock", "text": ""}
                arguments += ["--deadlock"]
        options = ["--cut-off", models.as_text(condition)]
        self.sequence.special[" ".join(options)] = lambda system: reductions.behind_cut_off(system, condition, asked)
        step = self.run(arguments + list(self.system.options) + options + self.search_options())
        self.sequence.steps.append(self.disturb(step, with_ledger=False) if r.random() < 0.3 else step)

    def language(self):
        """The labels of steps are words of an automaton."""
        r = self.r
        language = reductions.random_language(r, self.system)
        self.sequence.automata["spec.aut"] = language.text()
        options = language.options("spec.aut")
        self.sequence.special[" ".join(options)] = lambda system: language.facts(system.graph())
        arguments = ["check", self.sequence.name] + list(self.system.options) + options + self.search_options()
        step = self.run(arguments + (["--stubborn", "auto"] if r.random() < 0.2 and isinstance(self.system, models.Dve) else []))
        self.sequence.steps.append(self.disturb(step, with_ledger=False) if r.random() < 0.3 else step)

    def reduced(self):
        """Stubborn sets, with one property at a time: the less it is about, the more steps are left out."""
        r = self.r
        for _ in range(4):
            kind = r.choice(["invariant", "invariant", "invariant", "ltl", "ctl"])
            for _ in range(8):
                if kind == "invariant":
                    e = systems.random_condition(r, self.system)
                    prop = {"kind": kind, "text": models.as_text(e), "expr": e}
                    column = self.system.column(e)
                    if column[0] and not all(column):
                        break
                else:
                    prop = formulas.random_formula(r, self.system) if kind == "ltl" else formulas.random_ctl(r, self.system)
                    if "X" not in prop["text"]:
                        break
            self.known(prop)
            options = self.search_options() if kind == "invariant" else ["--json", "report.json", "--engine"] + [r.choice(
                ["couvreur", "graph", "ndfs", "map"] if kind == "ltl" else ["labelling", "prod", "local"])]
            self.sequence.steps.append(self.run(["check", self.sequence.name] + list(self.system.options) + [f"--{kind}", prop["text"], "--stubborn", "auto"] + options))

    def swallowed(self):
        """An option without its value in front of another."""
        r = self.r
        arguments = self.question(want_runs=False)
        if arguments[0] == "explore":
            arguments = ["check"] + arguments[1:] if "--ltl" not in arguments else arguments
        if arguments[0] == "check" and "--deadlock" not in arguments:
            arguments += ["--deadlock"]
        option = r.choice(["--json", "--itf", "--ledger", "--progress", "--properties"])
        places = [i for i, word in enumerate(arguments) if word.startswith("--")]
        arguments.insert(r.choice(places) if places else len(arguments), option)
        self.sequence.steps.append(self.run(arguments))

    def odd_name(self):
        """A model whose name is not UTF-8."""
        name = self.sequence.name
        self.sequence.name = "m\udcff" + name[name.rindex("."):]
        self.resumed()

    def hard_phase(self):
        """Limits that are reached while machine code is made, a measure is looked for, or a long trace is built."""
        r = self.r
        roll = r.random()
        limits = ["--time", r.choice(["1s", "500ms", "200ms"])]
        name = "big.dve"
        if roll < 0.35:
            text = {"net": r.choice([2000, 4000, 8000])}
        elif roll < 0.7:
            name, text = "big.aut", {"ring": r.choice([4000, 8000, 20000])}
        elif roll < 0.85:
            text = {"line": r.choice([8000, 32000])}
        else:
            text = {r.choice(["async", "sync"]): r.choice([14, 24, 40])}
        self.sequence.extra_files[name] = text
        if r.random() < 0.5:
            limits += ["--memory", r.choice(["16M", "64M"])]
        arguments = r.choice([["explore", name], ["check", name, "--deadlock"]]) + limits
        if r.random() < 0.75:
            arguments += ["--successors", r.choice(["native", "native", "auto"])]
        if r.random() < 0.4:
            arguments += ["--engine", r.choice(["bfs", "dfs", "auto"])]
        self.sequence.steps.append({"run": arguments + ["--json", "report.json"], "no_reference": True})


def draw(r, system):
    """One sequence over the system."""
    d = Draw(r, system)
    roll = r.random()
    if roll < 0.05 and isinstance(system, models.Dve):
        d.reduced()
    elif roll < 0.50:
        d.resumed()
    elif roll < 0.66:
        d.single()
    elif roll < 0.68 and system.graph() is not None:
        d.cut_off()
    elif roll < 0.70 and system.graph() is not None and system.has_labels and not any(capacity for _, capacity in getattr(system, "channels", [])):
        d.language()
    elif roll < 0.84:
        d.temporal()
    elif roll < 0.94:
        d.twins()
    elif roll < 0.965:
        d.swallowed()
    elif roll < 0.975 and not d.cpp:
        d.odd_name()
    elif roll < 0.985:
        d.hard_phase()
    else:
        d.resumed()
    return d.sequence


# -- making them smaller

def smaller_sequences(sequence):
    """Simpler sequences, the largest cuts first."""
    for i in range(len(sequence.steps)):
        if len(sequence.steps) > 1:
            other = sequence.copied()
            del other.steps[i]
            yield other
    for i, step in enumerate(sequence.steps):
        if "run" in step:
            for key in ("signals", "fail", "streams", "cwd"):
                if key in step:
                    other = sequence.copied()
                    del other.steps[i][key]
                    yield other
            if ";" in step.get("fail", ""):
                rules = step["fail"].split(";")
                for j in range(len(rules)):
                    other = sequence.copied()
                    other.steps[i]["fail"] = ";".join(rules[:j] + rules[j + 1:])
                    yield other
            words = step["run"]
            j = 1
            while j < len(words):
                if words[j].startswith("--"):
                    width = 1 if words[j] in FLAGS else 2
                    other = sequence.copied()
                    del other.steps[i]["run"][j:j + width]
                    yield other
                    if words[j] in ("--states", "--threads") and int(words[j + 1]) > 1:
                        other = sequence.copied()
                        other.steps[i]["run"][j + 1] = str(int(words[j + 1]) // 2)
                        yield other
                    j += width
                else:
                    j += 1
        if "properties" in step:
            name, listed = step["properties"]
            for j in range(len(listed)):
                if len(listed) > 1:
                    other = sequence.copied()
                    other.steps[i]["properties"] = [name, listed[:j] + listed[j + 1:]]
                    yield other
    for name, listed in sequence.property_files.items():
        for j in range(len(listed)):
            if len(listed) > 1:
                other = sequence.copied()
                other.property_files[name] = listed[:j] + listed[j + 1:]
                yield other
    for name, what in sequence.extra_files.items():
        (kind, size), = what.items()
        if size > 10:
            other = sequence.copied()
            other.extra_files = {name: {kind: size // 2}}
            yield other
    for system in sequence.system.smaller() if not sequence.extra_files else ():
        other = sequence.copied()
        other.system = system
        for key in ("_facts", "_edited", "_number"):
            system.__dict__.pop(key, None)
        yield other
