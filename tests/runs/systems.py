"""Random systems (models.py, promela_models.py), and conditions on their states. `r` is a random.Random."""

import copy

import reductions
from models import MOST_STATES, Cpp, Dve, Lts, TooLarge
from promela_models import Promela


def random_condition(r, system):
    """An expression for an invariant or an atom of a formula; of a system with copies mostly one that does not tell them apart."""
    if system.copies and r.random() < 0.8:
        return reductions.symmetric(plain_condition(r, system), system.copies, r.choice(["and", "or"]))
    return plain_condition(r, system)


def plain_condition(r, system):
    atoms, places = system.atoms(), system.places()
    roll = r.random()
    if atoms and (roll < 0.55 or not places):
        atom = r.choice(atoms)
        most = 9 if not isinstance(system, Lts) else max(2, system.count)
        return (r.choice(["<", "<=", "!=", ">=", "=="]), atom, ("num", r.randrange(most)))
    if roll < 0.7 and len(places) > 1:
        return ("not", ("and", r.choice(places), r.choice(places)))
    if roll < 0.85 and atoms:
        return ("imply", r.choice(places), (r.choice(["<", ">=", "=="]), r.choice(atoms), ("num", r.randrange(6))))
    return r.choice(places)


def counter_process(r, name, most, shared):
    """Counts up; then stops, begins again or goes down. Progress is plain here."""
    x = ("var", name, "x")
    steps = [{"from": 0, "to": 0, "guard": ("<", x, ("num", most)), "sync": None, "effects": [(x, ("+", x, ("num", 1)))]}]
    end = r.random()
    if end < 0.35:
        steps.append({"from": 0, "to": 0, "guard": ("==", x, ("num", most)), "sync": None, "effects": [(x, ("num", 0))]})
    elif end < 0.6:
        steps.append({"from": 0, "to": 1, "guard": ("==", x, ("num", most)), "sync": None, "effects": []})
        steps.append({"from": 1, "to": 0, "guard": (">", x, ("num", 0)), "sync": None, "effects": [(x, ("-", x, ("num", 1)))]})
    elif shared and end < 0.8:
        steps.append({"from": 0, "to": 1, "guard": (">", x, ("num", most // 2)), "sync": None,
                      "effects": [(r.choice(shared), ("%", ("+", r.choice(shared), ("num", 1)), ("num", r.randint(2, 5))))]})
    return {"name": name, "variables": [["x", r.choice(["byte", "byte", "int"]), 0]], "locations": 2, "commit": [], "asserts": [], "steps": steps}


def random_process(r, name, model, most):
    """A small automaton with guards and effects over what is there."""
    locations = r.randint(2, 4)
    locals_ = [["y", "byte", r.randrange(2)]] if r.random() < 0.5 else []
    readable = [("var", None, n) for n, _, _ in model.variables] + [("var", name, n) for n, _, _ in locals_]
    readable += [("at", n, ("num", r.randrange(size))) for n, size in model.arrays]
    steps = []
    for _ in range(r.randint(locations, locations + 4)):
        source = r.randrange(locations)
        step = {"from": source, "to": r.randrange(locations) if r.random() < 0.4 else (source + 1) % locations, "guard": None, "sync": None, "effects": []}
        if readable and r.random() < 0.6:
            step["guard"] = (r.choice(["<", "!=", ">=", "=="]), r.choice(readable), ("num", r.randrange(most)))
        if model.channels and r.random() < 0.3:
            channel, capacity = r.choice(model.channels)
            if r.random() < 0.5:
                step["sync"] = ("!", channel, r.choice(readable) if readable and r.random() < 0.6 else ("num", r.randrange(4)))
            else:
                step["sync"] = ("?", channel, r.choice([v for v in readable if v[0] == "var"] or [None]))
                if step["sync"][2] is None and capacity > 0:
                    step["sync"] = None
        for _ in range(r.choice([0, 1, 1, 2])):
            if not readable:
                break
            target = r.choice(readable)
            value = r.random()
            if value < 0.35:
                e = ("num", r.randrange(4))
            elif value < 0.8:
                e = ("%", ("+", r.choice(readable), ("num", r.randint(1, 3))), ("num", r.randint(2, most)))
            else:
                e = r.choice(readable)
            step["effects"].append((target, e))
        steps.append(step)
    return {"name": name, "variables": locals_, "locations": locations, "commit": [r.randrange(locations)] if r.random() < 0.08 else [],
            "asserts": [], "steps": steps}


def add_copies(r, model, most):
    """Two or three processes that are the same but for their names, in the place of others."""
    shared = [("var", None, n) for n, _, _ in model.variables]
    first = random_process(r, "C0", model, most) if r.random() < 0.7 else counter_process(r, "C0", most, shared)
    model.processes = model.processes[:r.randint(0, 2)]
    model.copies = ["C0", "C1", "C2"][:r.choice([2, 2, 3])]
    for name in model.copies:
        copied = copy.deepcopy(first)
        copied["name"] = name
        for step in copied["steps"]:
            for part in ("guard", "sync"):
                step[part] = step[part] and reductions.renamed(step[part], {"C0": name})
            step["effects"] = [tuple(reductions.renamed(e, {"C0": name}) for e in effect) for effect in step["effects"]]
        model.processes.insert(r.randrange(len(model.processes) + 1), copied)


def random_dve(r, most_states, with_copies=True):
    """A model of 10 to `most_states` states, mostly; the largest of a few."""
    best, largest = None, 0
    for attempt in range(100):
        model = Dve()
        for i in range(r.randint(0, 2)):
            model.variables.append([f"g{i}", r.choice(["byte", "byte", "int"]), r.randrange(3)])
        if r.random() < 0.2:
            model.arrays.append(["a", r.randint(2, 3)])
        for i in range(r.choice([0, 0, 1, 1, 2])):
            model.channels.append([f"c{i}", r.choice([0, 0, 1, 2, 3])])
        shared = [("var", None, n) for n, _, _ in model.variables]
        size = r.choice([3, 5, 8, 12, 20, 30] if most_states < 3000 else [8, 12, 20, 30, 60])
        count = r.randint(1, 4)
        for i in range(count):
            if r.random() < 0.55:
                model.processes.append(counter_process(r, f"P{i}", r.randint(max(1, size // 2), size), shared))
            else:
                model.processes.append(random_process(r, f"P{i}", model, min(size, 8)))
        if with_copies and r.random() < 0.15:
            add_copies(r, model, min(size, 5))
        model.wrap = r.random() < 0.12
        if r.random() < (0.8 if model.wrap else 0.18):  # something that goes wrong in some state, unless it wraps around
            p = r.choice([p for p in model.processes if p["name"] not in model.copies] or [{"variables": []}])
            if p["variables"]:
                v = ("var", p["name"], p["variables"][0][0])
                effect = r.choice([(v, ("/", ("num", 6), v))] * (not model.wrap) + [(v, ("-", v, ("num", 1))), (v, ("*", ("+", v, ("num", 9)), ("num", 30)))])
                if model.arrays and not model.wrap:
                    effect = r.choice([effect, (("at", "a", v), ("num", 1))])
                p["steps"].append({"from": 0, "to": r.randrange(p["locations"]), "guard": ("==", v, ("num", r.randrange(4))) if r.random() < 0.6 else None,
                                   "sync": None, "effects": [effect]})
        if r.random() < 0.2:
            p = r.choice([p for p in model.processes if p["name"] not in model.copies] or [{"locations": 1, "asserts": []}])
            p["asserts"].append((r.randrange(p["locations"]), random_condition(r, model)))
            # Lengths of channels are no part of the language inside a model.
            if "len" in str(p["asserts"][-1][1]):
                p["asserts"].pop()
        if r.random() < 0.12 and model.atoms():
            model.progress = r.choice([a for a in model.atoms()])
        try:
            states = len(model.graph(most_states).states)
        except TooLarge:
            continue
        if states > largest:
            best, largest = model, states
        if largest * 8 >= most_states or (attempt >= 5 and largest >= 10):
            break
    return best


def random_lts(r, most_states):
    count = int(10 * (most_states / 10) ** r.random())
    edges = []
    shape = r.random()
    for i in range(1, count):
        source = i - 1 if shape < 0.2 else r.randrange(max(0, i - 20), i) if shape < 0.6 else r.randrange(i)
        edges.append((source, i, r.choice("abc")))
    for _ in range(r.randrange(count)):
        a = r.randrange(count)
        b = r.randrange(count) if r.random() < 0.15 else min(count - 1, a + r.randrange(4))
        edges.append((a, b, r.choice("abc")))
    r.shuffle(edges)
    if r.random() < 0.5:
        return Lts(count, edges)
    names = ["red", "green", "blue"]
    labels = [[n for n in names if r.random() < 0.4] for _ in range(count)]
    labels[0] = names[:]
    progress = [i * r.choice([1, 1, 1, 0]) // 7 for i in range(count)] if r.random() < 0.6 else None
    initial = r.sample(range(count), min(count, r.randint(2, 4))) if r.random() < 0.4 else [0]
    return Lts(count, edges, labels, progress, initial)


def random_promela(r, most_states):
    """Processes of DVE models as Promela has them, with their statements one after the other."""
    while True:
        model = random_dve(r, most_states // 3, with_copies=False)
        try:
            promela = Promela(r, model)
            promela.graph(most_states)
            return promela
        except TooLarge:
            continue


def random_system(r):
    most = r.choice([60, 300, 1000, 3000, 3000, 8000, MOST_STATES])
    roll = r.random()
    if roll < 0.68:
        return random_dve(r, most)
    if roll < 0.80:
        return random_promela(r, most)
    if roll < 0.92:
        return random_lts(r, min(most, 3000))
    return Cpp(r.randint(1, 4), r.randint(1, 3), r.random() < 0.5)


def large(what):
    """The text of a large model from its short description, as replay files have it."""
    (kind, size), = what.items()
    if kind == "ring":  # one long cycle
        return f"des (0, {size}, {size})\n" + "".join(f"({i}, a, {(i + 1) % size})\n" for i in range(size))
    if kind == "net":  # many transitions, each over few of many variables
        places = size // 4
        steps = [f"    run -> run {{ guard m[{i % places}] > 0 and m[{i * 7919 % places}] < 2; effect m[{i % places}] = m[{i % places}] - 1, "
                 f"m[{i * 7919 % places}] = m[{i * 7919 % places}] + 1; }}" for i in range(size)]
        tokens = ", ".join("1" if i % 7 == 0 else "0" for i in range(places))
        return f"byte m[{places}] = {{{tokens}}};\nprocess Net {{\n  state run; init run;\n  trans\n" + ",\n".join(steps) + ";\n}\nsystem async;\n"
    if kind == "line":  # a long way to the deadlock at its end
        return (f"int x;\nbyte f[40];\nprocess P {{ state s; init s; trans\n  s -> s {{ guard x < {size}; effect x = x + 1, f[x % 40] = x % 7; }}; }}\n"
                "system async;\n")
    # processes that move alone ("async") or all at once ("sync")
    return "".join(f"process P{i} {{ byte x; state s, t; init s; trans s -> t {{ effect x = 1; }}, t -> s {{ effect x = 0; }}; }}\n"
                   for i in range(size)) + f"system {kind};\n"
