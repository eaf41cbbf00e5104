"""Random systems, and what is true of them, worked out by brute force.

A system is small data (so that it can be made smaller), a text for the program under test, and a graph: all states with their
successors, computed here by a plain search that shares nothing with the program. DVE models, Aldebaran files, Kripke structures, and the
example that is written in C++ (of which nothing is worked out here).
"""

import copy
import hashlib
import json
import re

import reductions

MOST_STATES = 20000


def digest(text):
    return hashlib.md5(text.encode("utf-8", "surrogateescape")).hexdigest()


class Fault(Exception):
    pass


class TooLarge(Exception):
    pass


def checked_index(index, size):
    if 0 <= index < size:
        return index
    raise Fault("index")


def checked_byte(value):
    if 0 <= value <= 255:
        return value
    raise Fault("range")


def checked_int(value):
    if -32768 <= value <= 32767:
        return value
    raise Fault("range")


def wrapped_byte(value):
    return value & 255


def wrapped_int(value):
    return (value + 32768) % 65536 - 32768


def quotient(a, b):
    if b == 0:
        raise Fault("division")
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - b * quotient(a, b)


TOOLS = {"Fault": Fault, "checked_index": checked_index, "checked_byte": checked_byte, "checked_int": checked_int, "quotient": quotient,
         "remainder": remainder}


# Expressions are tuples: ("num", n), ("var", process or None, name), ("at", array, index), ("loc", process, location),
# ("len", channel), ("not", a), (operator, a, b).

def as_text(e, inside=None):
    """The expression as a model (inside a process) or the command line reads it; parentheses leave no doubt."""
    kind = e[0]
    if kind == "num":
        return str(e[1])
    if kind == "var":
        return e[2] if e[1] is None or e[1] == inside else f"{e[1]}->{e[2]}"
    if kind == "at":
        return f"{e[1]}[{as_text(e[2], inside)}]"
    if kind == "loc":
        return f"{e[1]}.{e[2]}"
    if kind == "len":
        return f"{e[1]}.length"
    if kind == "label":
        return e[1]
    if kind == "not":
        return f"not ({as_text(e[1], inside)})"
    return f"({as_text(e[1], inside)} {kind} {as_text(e[2], inside)})"


def as_python(e, names):
    """The same for Python. `names` maps variables to Python names; locations to (name, number)."""
    kind = e[0]
    if kind == "num":
        return str(e[1])
    if kind == "var":
        return names[e[1], e[2]]
    if kind == "at":
        elements = names["at", e[1]]
        return f"({', '.join(elements)},)[checked_index({as_python(e[2], names)}, {len(elements)})]"
    if kind == "loc":
        place, number = names["loc", e[1], e[2]]
        return f"({place} == {number})"
    if kind == "len":
        return f"len({names['len', e[1]]})"
    if kind == "label":
        return names["label", e[1]]
    if kind == "not":
        return f"(not {as_python(e[1], names)})"
    a, b = as_python(e[1], names), as_python(e[2], names)
    if kind == "/":
        return f"quotient({a}, {b})"
    if kind == "%":
        return f"remainder({a}, {b})"
    if kind == "imply":
        return f"((not {a}) or {b})"
    if kind in ("and", "or"):
        return f"({a} {kind} {b})"
    return f"({a} {kind} {b})"


class Graph:
    """States numbered in breadth-first order; `next[i]` are the targets of all steps out of i, with repetition;
    `movers[i]` whom each moves, `labels[i]` what each is called."""

    def __init__(self, states, successors, movers, labels, faulty, initial=1):
        self.initial = initial  # the first states are the initial ones
        self.states = states
        self.next = successors
        self.movers = movers
        self.labels = labels
        self.faulty = faulty  # numbers of states with a faulty step

    def facts(self):
        return {"states": len(self.states), "transitions": sum(map(len, self.next)),
                "deadlocks": sum(1 for i, n in enumerate(self.next) if not n and i not in self.faulty), "faults": bool(self.faulty)}


def explored(initial, successors, most=MOST_STATES):
    """From several initial states, each once. `successors` gives (target, who moves, label) of each step, and the number of faulty steps."""
    number = {state: i for i, state in enumerate(initial)}
    states = list(initial)
    edges, movers, labels = [], [], []
    faulty = set()
    for i, state in enumerate(states):  # grows meanwhile
        targets, faults = successors(state)
        if faults:
            faulty.add(i)
        row = []
        for target, _, _ in targets:
            n = number.get(target)
            if n is None:
                n = len(states)
                if n >= most:
                    raise TooLarge
                number[target] = n
                states.append(target)
            row.append(n)
        edges.append(row)
        movers.append([who for _, who, _ in targets])
        labels.append([label for _, _, label in targets])
    return Graph(states, edges, movers, labels, faulty, len(initial))


class System:
    """What all kinds have in common: `name` of the file, text(), graph(), value(expression) per state, and changes that make it smaller."""

    _graph = None
    _text = None
    file = None
    copies = ()
    has_labels = True  # that --language can read
    wrap = False  # values that do not fit their variables wrap around (--wrap)

    @property
    def options(self):
        """Of the command line, which belong to the system."""
        return ["--wrap"] if self.wrap else []

    def text(self):
        if self._text is None:
            self._text = self.written()
        return self._text

    def graph(self, most=MOST_STATES):
        if self._graph is None:
            self._graph = self.explore(most)
        return self._graph

    def column(self, expression):
        """The truth of an expression in every state; None where it cannot be evaluated."""
        function = self.evaluator(expression)
        result = []
        for state in self.graph().states:
            try:
                result.append(bool(function(state)))
            except Fault:
                result.append(None)
        return result

    def facts(self):
        result = self.graph().facts()
        for assertion in self.assertions():
            if result["faults"] is False and not all(self.column(assertion)):
                result["failed_assertion"] = True
        if self.copies:
            result.update(copies=len(self.copies), classes=reductions.classes(self))
        return result

    def assertions(self):
        return []


class Dve(System):
    file = "model.dve"

    def __init__(self):
        self.variables = []  # [name, type, initial value]
        self.arrays = []  # [name, size]
        self.channels = []  # [name, capacity]; 0 is a rendezvous
        self.processes = []
        self.progress = None  # an expression that the file brings
        self.copies = []  # names of processes that are the same but for their names
        self.note = ""

    # A process: {"name", "variables", "locations" (how many), "commit", "asserts": [(location, e)], "steps"}.
    # A step: {"from", "to", "guard", "sync": (direction, channel, e or target), "effects": [(target, e)]}.

    def written(self):
        lines = []
        if self.note:
            lines.append(f"// {self.note}")
        if self.progress is not None:
            lines.append(f"// tideline progress: {as_text(self.progress)}")
        for name, kind, initial in self.variables:
            lines.append(f"{kind} {name} = {initial};")
        for name, size in self.arrays:
            lines.append(f"byte {name}[{size}];")
        for name, capacity in self.channels:
            lines.append(f"channel {name};" if capacity == 0 else f"channel {{byte}} {name}[{capacity}];")
        for p in self.processes:
            lines.append(f"process {p['name']} {{")
            for name, kind, initial in p["variables"]:
                lines.append(f"  {kind} {name} = {initial};")
            lines.append("  state " + ", ".join(f"s{i}" for i in range(p["locations"])) + ";")
            lines.append("  init s0;")
            if p["commit"]:
                lines.append("  commit " + ", ".join(f"s{i}" for i in p["commit"]) + ";")
            if p["asserts"]:
                lines.append("  assert " + ", ".join(f"s{i}: {as_text(e, p['name'])}" for i, e in p["asserts"]) + ";")
            steps = [self.step_text(s, p["name"]) for s in p["steps"]]
            if steps:
                lines.append("  trans\n    " + ",\n    ".join(steps) + ";")
            lines.append("}")
        return "\n".join(lines) + "\nsystem async;\n"

    @staticmethod
    def step_text(step, process):
        parts = []
        if step["guard"] is not None:
            parts.append(f"guard {as_text(step['guard'], process)};")
        if step["sync"] is not None:
            direction, channel, what = step["sync"]
            parts.append(f"sync {channel}{direction}{'' if what is None else as_text(what, process)};")
        if step["effects"]:
            parts.append("effect " + ", ".join(f"{as_text(t, process)} = {as_text(e, process)}" for t, e in step["effects"]) + ";")
        return f"s{step['from']} -> s{step['to']} {{ {' '.join(parts)} }}"

    def types(self):
        result = {(None, name): kind for name, kind, _ in self.variables}
        for p in self.processes:
            result.update({(p["name"], name): kind for name, kind, _ in p["variables"]})
        return result

    def slots(self):
        """(key, initial value) in the order of the state tuple."""
        result = [((None, name), initial) for name, _, initial in self.variables]
        for name, size in self.arrays:
            result += [(("element", name, i), 0) for i in range(size)]
        result += [(("buffer", name), ()) for name, capacity in self.channels if capacity > 0]
        for p in self.processes:
            result += [((p["name"], name), initial) for name, _, initial in p["variables"]]
            result.append((("place", p["name"]), 0))
        return result

    def python_names(self, slots):
        names = {}
        index = {key: f"v{i}" for i, (key, _) in enumerate(slots)}
        for key, name in index.items():
            if key[0] not in ("element", "buffer", "place"):
                names[key] = name
        for name, size in self.arrays:
            names["at", name] = [index["element", name, i] for i in range(size)]
        for name, capacity in self.channels:
            if capacity > 0:
                names["len", name] = index["buffer", name]
        for p in self.processes:
            for i in range(p["locations"]):
                names["loc", p["name"], f"s{i}"] = (index["place", p["name"]], i)
        return names, index

    def evaluator(self, expression):
        slots = self.slots()
        names, _ = self.python_names(slots)
        code = f"def value(s):\n ({', '.join(f'v{i}' for i in range(len(slots)))},) = s\n return {as_python(expression, names)}\n"
        scope = dict(TOOLS)
        exec(code, scope)
        return scope["value"]

    def assertions(self):
        return [("imply", ("loc", p["name"], f"s{i}"), e) for p in self.processes for i, e in p["asserts"]]

    def explore(self, most):
        slots = self.slots()
        names, index = self.python_names(slots)
        types = self.types()
        scope = dict(TOOLS)
        if self.wrap:
            scope.update(checked_byte=wrapped_byte, checked_int=wrapped_int)
        code = [f"def successors(s):", f" ({', '.join(f'v{i}' for i in range(len(slots)))},) = s", " out = []", " faults = 0"]
        committed = [f"{index['place', p['name']]} == {i}" for p in self.processes for i in p["commit"]]
        code.append(f" committed = {' or '.join(committed) if committed else 'False'}")
        all_new = ", ".join(f"n{i}" for i in range(len(slots)))
        start = "; ".join(f"n{i} = v{i}" for i in range(len(slots)))

        def new(names_now):
            result = {}
            for key, value in names_now.items():
                if key[0] == "at":
                    result[key] = ["n" + v[1:] for v in value]
                elif key[0] == "loc":
                    result[key] = value  # effects see the places before the step
                else:
                    result[key] = "n" + value[1:]
            return result

        later = new(names)

        def store(indent, target, value):
            if target[0] == "at":
                elements = ", ".join(later["at", target[1]])
                code.append(f"{indent}w = {value}; t = [{elements}]; t[checked_index({as_python(target[2], later)}, {len(later['at', target[1]])})] = "
                            f"checked_byte(w); [{elements}] = t")
            else:
                key = (target[1], target[2])
                code.append(f"{indent}{later[key]} = checked_{types[key]}({value})")

        def finish(indent, parts):
            for p, step in parts:
                code.append(f"{indent}n{index['place', p['name']][1:]} = {step['to']}")
            code.append(f"{indent}out.append((({all_new},), {tuple(p['name'] for p, _ in parts)}, {label_of(parts)!r}))")

        def label_of(parts):
            p, step = parts[0]
            return f"{p['name']}.s{step['from']}->s{step['to']}" if step["sync"] is None else step["sync"][1]

        def may_move(parts):
            conditions = [f"{index['place', p['name']]} == {step['from']}" for p, step in parts]
            if committed and not all(step["from"] in p["commit"] for p, step in parts):
                conditions.append("not committed")
            return " and ".join(conditions)

        for p in self.processes:
            for step in p["steps"]:
                sync = step["sync"]
                capacity = dict(self.channels).get(sync[1]) if sync else None
                if sync and capacity == 0:
                    if sync[0] == "?":
                        continue
                    for q in self.processes:
                        if q is p:
                            continue
                        for partner in q["steps"]:
                            if partner["sync"] is None or partner["sync"][:2] != ("?", sync[1]):
                                continue
                            code.append(f" if {may_move([(p, step), (q, partner)])}:")
                            code.append("  try:")
                            guards = [as_python(g, names) for g in (step["guard"], partner["guard"]) if g is not None]
                            code.append(f"   if {' and '.join(guards) if guards else 'True'}:")
                            code.append(f"    {start}")
                            if sync[2] is not None:
                                code.append(f"    m = {as_python(sync[2], names)}")
                                if partner["sync"][2] is not None:
                                    store("    ", partner["sync"][2], "m")
                            for target, e in partner["effects"] + step["effects"]:
                                store("    ", target, as_python(e, later))
                            finish("    ", [(p, step), (q, partner)])
                            code.append("  except Fault: faults += 1")
                    continue
                code.append(f" if {may_move([(p, step)])}:")
                code.append("  try:")
                conditions = [] if step["guard"] is None else [as_python(step["guard"], names)]
                if sync:
                    buffer = names["len", sync[1]]
                    conditions.append(f"len({buffer}) < {capacity}" if sync[0] == "!" else buffer)
                code.append(f"   if {' and '.join(conditions) if conditions else 'True'}:")
                code.append(f"    {start}")
                if sync and sync[0] == "!":
                    code.append(f"    {later['len', sync[1]]} = {buffer} + (checked_byte({as_python(sync[2], names)}),)")
                elif sync:
                    code.append(f"    {later['len', sync[1]]} = {buffer}[1:]")
                    if sync[2] is not None:
                        store("    ", sync[2], f"{buffer}[0]")
                for target, e in step["effects"]:
                    store("    ", target, as_python(e, later))
                finish("    ", [(p, step)])
                code.append("  except Fault: faults += 1")
        code.append(" return out, faults")
        exec("\n".join(code) + "\n", scope)
        return explored([tuple(value for _, value in slots)], scope["successors"], most)

    def state_of_trace(self, shown):
        """The state tuple of a state in a trace (Informal Trace Format), or None where it is not all shown."""
        result = []
        try:
            for key, _ in self.slots():
                if key[0] == "element":
                    result.append(shown[key[1]][key[2]])
                elif key[0] == "buffer":
                    result.append(tuple(shown[key[1]]))
                elif key[0] == "place":
                    result.append(int(shown[key[1]][1:]))
                elif key[0] is None:
                    result.append(shown[key[1]])
                else:
                    result.append(shown[f"{key[0]}.{key[1]}"])
        except (KeyError, IndexError, ValueError, TypeError):
            return None
        return tuple(result)

    def atoms(self):
        """Expressions whose comparison with a number makes sense."""
        result = [("var", None, name) for name, _, _ in self.variables]
        result += [("at", name, ("num", 0)) for name, _ in self.arrays]
        result += [("len", name) for name, capacity in self.channels if capacity > 0]
        for p in self.processes:
            result += [("var", p["name"], name) for name, _, _ in p["variables"]]
        return result

    def places(self):
        return [("loc", p["name"], f"s{i}") for p in self.processes for i in range(p["locations"])]

    def smaller(self):
        """Simpler models, by simple cuts; some may be wrong for other reasons and are then rejected by whoever tries them."""
        def changed():
            other = copy.copy(self)
            other._graph = other._text = None
            for name in ("variables", "arrays", "channels", "processes"):
                setattr(other, name, copy.deepcopy(getattr(self, name)))
            return other

        for i, p in enumerate(self.processes):
            if len(self.processes) > 1:
                other = changed()
                del other.processes[i]
                other.copies = [] if p["name"] in self.copies else self.copies
                yield other
        if self.copies:  # their steps are made smaller together, or not at all
            return
        for i, p in enumerate(self.processes):
            for j in range(len(p["steps"])):
                other = changed()
                del other.processes[i]["steps"][j]
                yield other
            if p["asserts"]:
                other = changed()
                other.processes[i]["asserts"] = []
                yield other
            if p["commit"]:
                other = changed()
                other.processes[i]["commit"] = []
                yield other
        for i, p in enumerate(self.processes):
            for j, step in enumerate(p["steps"]):
                if step["sync"] is not None:
                    other = changed()
                    other.processes[i]["steps"][j]["sync"] = None
                    yield other
                for k in range(len(step["effects"])):
                    other = changed()
                    del other.processes[i]["steps"][j]["effects"][k]
                    yield other
                if step["guard"] is not None:
                    other = changed()
                    other.processes[i]["steps"][j]["guard"] = None
                    yield other
                    for lower in smaller_numbers(step["guard"]):
                        other = changed()
                        other.processes[i]["steps"][j]["guard"] = lower
                        yield other
        for part in ("variables", "arrays", "channels"):
            for i in range(len(getattr(self, part))):
                other = changed()
                del getattr(other, part)[i]
                yield other
        for i, p in enumerate(self.processes):
            for j in range(len(p["variables"])):
                other = changed()
                del other.processes[i]["variables"][j]
                yield other
        if self.progress is not None:
            other = changed()
            other.progress = None
            yield other
        if self.wrap:
            other = changed()
            other.wrap = False
            yield other


def smaller_numbers(e):
    """The expression with one of its larger numbers halved."""
    if e[0] == "num":
        if e[1] > 1:
            yield ("num", e[1] // 2)
        return
    for i, part in enumerate(e):
        if isinstance(part, tuple):
            for lower in smaller_numbers(part):
                yield e[:i] + (lower,) + e[i + 1:]


class Lts(System):
    """An explicit system; `kripke` says in which of the two formats it is written."""

    def __init__(self, count, edges, labels=None, progress=None, initial=(0,)):
        self.initial = list(initial)  # several only where labels are given: an Aldebaran file has one
        self.count = count
        self.edges = edges  # (from, to, label)
        self.labels = labels  # per state a list of names, or None for Aldebaran
        self.progress = progress
        self.note = ""
        self.file = "model.aut" if labels is None else "model.json"

    def written(self):
        if self.labels is None:
            return "".join([f"des (0, {len(self.edges)}, {self.count})\n"] + [f'({a}, "{label}", {b})\n' for a, b, label in self.edges]) + "\n" * len(self.note)
        states = []
        for i in range(self.count):
            state = {"name": f"q{i}", "labels": self.labels[i]}
            if self.progress is not None:
                state["progress"] = self.progress[i]
            states.append(state)
        return json.dumps({"states": states, "initial": self.initial[0] if len(self.initial) == 1 else self.initial, "edges": [[a, b, label] for a, b, label in self.edges]}, indent=1) + "\n" * len(self.note)

    def explore(self, most):
        following = [[] for _ in range(self.count)]
        for a, b, label in self.edges:
            following[a].append((b, (label,), label))
        return explored(self.initial, lambda s: (following[s], 0), most)

    def evaluator(self, expression):
        names = {("label", "state"): "s"}
        scope = dict(TOOLS)
        if self.labels is not None:
            for name in sorted({n for some in self.labels for n in some}):
                scope[f"has_{name}"] = {i for i, some in enumerate(self.labels) if name in some}
                names["label", name] = f"(s in has_{name})"
            for i in range(self.count):
                names["loc", "lts", f"q{i}"] = ("s", i)
        exec(f"def value(s):\n return {as_python(expression, names)}\n", scope)
        return scope["value"]

    def atoms(self):
        return [("label", "state")]

    def places(self):
        if self.labels is None:
            return [("<", ("label", "state"), ("num", i)) for i in range(0, self.count, max(1, self.count // 5))]
        return [("label", name) for name in sorted({n for some in self.labels for n in some})] + [("loc", "lts", f"q{self.count // 2}")]

    def state_of_trace(self, shown):
        state = shown.get("state")
        if isinstance(state, str) and state[:1] == "q":
            state = int(state[1:])
        return int(state) if state is not None else None

    def smaller(self):
        n = len(self.edges)
        size = n // 2
        while size >= 1 and n > 0:
            for start in range(0, n, size):
                edges = self.edges[:start] + self.edges[start + size:]
                count = 1 + max([0] + [max(a, b) for a, b, _ in edges])
                initial = [i for i in self.initial if i < count] or [0]
                yield Lts(count, edges, self.labels and self.labels[:count], self.progress and self.progress[:count], initial)
            if n > 64 and size < n // 16:
                break
            size //= 2
        if self.progress is not None:
            yield Lts(self.count, self.edges, self.labels, None, self.initial)
        if len(self.initial) > 1:
            yield Lts(self.count, self.edges, self.labels, self.progress, self.initial[:1])
            yield Lts(self.count, self.edges, self.labels, self.progress, self.initial[1:])


def read_lts(text, name):
    """The graph of a file as Lts writes it; None where it is none."""
    try:
        if name.endswith(".json"):
            data = json.loads(text)
            states = data["states"]
            initial = data["initial"] if isinstance(data["initial"], list) else [data["initial"]]
            return Lts(len(states), [tuple(edge) for edge in data["edges"]], [state["labels"] for state in states], None, initial)
        if name.endswith(".aut"):
            head, *lines = text.strip().splitlines()
            count = int(re.fullmatch(r"des \(0, \d+, (\d+)\)", head)[1])
            edges = [re.fullmatch(r'\((\d+), "(.*)", (\d+)\)', line).groups() for line in lines]
            return Lts(count, [(int(a), int(b), label) for a, label, b in edges])
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    return None


class Cpp(System):
    """examples/cpp/stop_and_wait.cpp: known only through the program itself."""

    def __init__(self, packets, capacity, second):
        self.own = ["--packets", str(packets), "--capacity", str(capacity)] + (["--second"] if second else [])
        self.note = ""

    @property
    def options(self):
        return self.own

    def written(self):
        return None

    def graph(self, most=MOST_STATES):
        return None

    def facts(self):
        return None

    def atoms(self):
        return [("var", None, "n"), ("var", None, "k"), ("at", "sent", ("num", 0))]

    def places(self):
        return [("label", "all_received"), ("label", "data_on_the_way")]

    def smaller(self):
        return []
