"""Random properties of systems (models.py), and whether they hold, worked out by definition on the graph.

A property is a dictionary: `kind` and `text` as the command line has them, and what `verdict` needs: the expressions that are its atoms, the
shape of a formula of linear time, the tree of one of branching time, the automaton. `reading` are the options that say which runs count.
"""

import automata
from models import as_text, digest
from systems import random_condition


class Reading:
    """Which runs count: --deadlocks, --fair, --end-states."""

    def __init__(self, deadlocks=None, fair=None, ends=None):
        self.deadlocks = deadlocks
        self.fair = fair
        self.ends = ends  # an expression
        self.options = (["--deadlocks", deadlocks] if deadlocks else []) + (["--fair", fair] if fair else []) + (["--end-states", as_text(ends)] if ends else [])


PLAIN = Reading()


def key(prop):
    """What the same property of the same text has in common."""
    text = digest(prop["hoa"]) if prop["kind"] == "automaton" else prop["text"]
    return " ".join(prop.get("reading", PLAIN).options + [prop["kind"], text])


def random_property(r, system):
    """{"kind", "text", and what verdict() needs}"""
    roll = r.random()
    if roll < 0.25:
        return {"kind": "deadlock", "text": ""}
    if roll < 0.75:
        # Most random conditions fail near the initial state: one that holds for long is the better question.
        e = random_condition(r, system)
        for _ in range(3):
            if system.graph() is None or all(system.column(e)[:200]):
                break
            e = random_condition(r, system)
        return {"kind": "invariant", "text": as_text(e), "expr": e}
    if roll > 0.94 and system.graph() is not None:
        return random_automaton(r, system)
    return random_formula(r, system)


def random_formula(r, system):
    shape = r.choice(["G", "F", "GF", "G->F"])
    exprs = [random_condition(r, system) for _ in range(2 if shape == "G->F" else 1)]
    texts = ["{" + as_text(e) + "}" for e in exprs]
    text = f"G ({texts[0]} -> F {texts[1]})" if shape == "G->F" else f"{' '.join(shape)} {texts[0]}"
    return {"kind": "ltl", "text": text, "shape": shape, "exprs": exprs}


def random_automaton(r, system):
    """An automaton of bad runs, in a file."""
    exprs = [random_condition(r, system) for _ in range(r.randint(1, 3))]
    automaton = automata.random_automaton(r, len(exprs))
    text = automata.hoa(automaton, [as_text(e) for e in exprs])
    return {"kind": "automaton", "text": f"bad-{digest(text)[:6]}.hoa", "hoa": text, "automaton": automaton, "exprs": exprs}


# What CTL* can say besides, with a state formula for p and q, and which operators of CTL it needs.
PATH_FORMULAS = {"EGF": "E (G F ({p}))", "AFG": "A (F G ({p}))", "EFG": "E (F G ({p}))", "E&": "E (F ({p}) & G ({q}))", "A|": "A (G ({p}) | F ({q}))"}


def random_ctl(r, system, star=False):
    """A formula of CTL, or of CTL*; its tree has the atoms by number."""
    exprs = []

    def formula(depth):
        roll = r.random()
        if depth == 0 or roll < 0.1:
            exprs.append(random_condition(r, system))
            return ("atom", len(exprs) - 1)
        if star and r.random() < 0.4:
            kind = r.choice(sorted(PATH_FORMULAS))
            return (kind, formula(depth - 1), *([formula(depth - 1)] if kind in ("E&", "A|") else []))
        if roll < 0.2:
            return ("not", formula(depth - 1))
        if roll < 0.35:
            return (r.choice(["and", "or", "imply"]), formula(depth - 1), formula(depth - 1))
        if roll < 0.85:
            return (r.choice(["EX", "AX", "EF", "AF", "EG", "AG", "EF", "AG"]), formula(depth - 1))
        return (r.choice(["EU", "AU"]), formula(depth - 1), formula(depth - 1))

    if star:
        tree = formula(r.randint(1, 3))
    elif r.random() < 0.3:  # what the sweep of the papers decides
        exprs.append(random_condition(r, system))
        tree = ("AG", (r.choice(["EF", "AF"]), ("atom", 0)))
    else:
        tree = formula(r.randint(1, 4))
    return {"kind": "ctlstar" if star else "ctl", "text": ctl_text(tree, [as_text(e) for e in exprs]), "tree": tree, "exprs": exprs}


def ctl_text(tree, atoms):
    kind = tree[0]
    if kind in PATH_FORMULAS:
        return PATH_FORMULAS[kind].format(p=ctl_text(tree[1], atoms), q=ctl_text(tree[2], atoms) if len(tree) > 2 else "")
    if kind == "atom":
        return "{" + atoms[tree[1]] + "}"
    if kind == "not":
        return f"!({ctl_text(tree[1], atoms)})"
    if kind in ("and", "or", "imply"):
        sign = {"and": "&", "or": "|", "imply": "->"}[kind]
        return f"({ctl_text(tree[1], atoms)} {sign} {ctl_text(tree[2], atoms)})"
    if kind in ("EU", "AU"):
        return f"{kind[0]}[{ctl_text(tree[1], atoms)} U {ctl_text(tree[2], atoms)}]"
    return f"{kind} ({ctl_text(tree[1], atoms)})"


def verdict(system, prop):
    """holds or violated, faults of the model left aside. None where it is not worked out here."""
    graph = system.graph()
    if graph is None:
        return None
    kind = prop["kind"]
    reading = prop.get("reading", PLAIN)
    proper = system.column(reading.ends) if reading.ends is not None else [False] * len(graph.states)
    if None in proper:
        return None
    if kind == "deadlock":
        return "violated" if any(not n and i not in graph.faulty and not proper[i] for i, n in enumerate(graph.next)) else "holds"
    if kind == "invariant":
        return "holds" if all(system.column(prop["expr"])) else "violated"
    columns = [system.column(e) for e in prop["exprs"]]
    if any(None in column for column in columns):
        return None
    if kind in ("ctl", "ctlstar"):
        if graph.faulty or reading.fair or reading.deadlocks == "ignore" or (reading.deadlocks == "finite" and kind == "ctlstar"):
            return None
        following = [n or [i] for i, n in enumerate(graph.next)]
        ended = {i for i, n in enumerate(graph.next) if not n and not proper[i]} if reading.deadlocks == "finite" else frozenset()
        return "holds" if all(ctl_states(following, prop["tree"], columns, ended)[:graph.initial]) else "violated"
    if kind == "automaton" or reading.options:
        automaton = prop["automaton"] if kind == "automaton" else automata.NEGATIONS[prop["shape"]]
        # What is complete before a fault is a violation of G: automata have no word for a run that cannot go on.
        if graph.faulty and (reading.fair or prop.get("shape") == "G"):
            return None
        repeats = [not n and i not in graph.faulty and (reading.deadlocks != "ignore" or proper[i]) for i, n in enumerate(graph.next)]
        return "violated" if automata.has_accepting_run(automaton, graph, columns, repeats, reading.fair) else "holds"
    shape = prop["shape"]
    if shape == "G":
        # What is complete before a fault is a violation, whether the run can go on or not.
        return "holds" if all(columns[0]) else "violated"
    if shape == "F":
        return "violated" if any(never_again(graph, columns[0])[:graph.initial]) else "holds"
    if shape == "GF":
        return "violated" if any(never_again(graph, columns[0])) else "holds"
    stays = never_again(graph, columns[1])  # G (a -> F b)
    return "violated" if any(s and a for s, a in zip(stays, columns[0])) else "holds"


def never_again(graph, holds):
    """For each state whether a run from it can stay for ever (or end in a deadlock) where `holds` is false."""
    count = len(graph.states)
    alive = [not h for h in holds]
    before = [[] for _ in range(count)]
    degree = [0] * count
    for i in range(count):
        if not alive[i]:
            continue
        for j in graph.next[i]:
            if alive[j]:
                degree[i] += 1
                before[j].append(i)
    stays = [alive[i] and (degree[i] > 0 or (not graph.next[i] and i not in graph.faulty)) for i in range(count)]
    work = [i for i in range(count) if alive[i] and not stays[i]]
    while work:
        j = work.pop()
        for i in before[j]:
            degree[i] -= 1
            if degree[i] == 0 and stays[i]:
                stays[i] = False
                work.append(i)
    return stays


def ctl_states(following, tree, columns, ended=frozenset()):
    """The states that satisfy a formula, as truth values, by definition. A path goes on for ever; X says that it has ended in a state of `ended`."""
    count = len(following)
    kind = tree[0]
    if kind == "atom":
        return [bool(value) for value in columns[tree[1]]]
    first = ctl_states(following, tree[1], columns, ended)
    if kind == "not":
        return [not value for value in first]
    if kind in ("and", "or", "imply"):
        second = ctl_states(following, tree[2], columns, ended)
        return [{"and": a and b, "or": a or b, "imply": not a or b}[kind] for a, b in zip(first, second)]
    if kind in PATH_FORMULAS:
        return path_states(following, kind, first, ctl_states(following, tree[2], columns) if len(tree) > 2 else None)
    if kind[1] == "X":
        over = any if kind[0] == "E" else all
        return [over(first[t] for t in (() if i in ended else following[i])) for i in range(count)]
    if kind[1] == "G":  # the greatest fixpoint: the complement of what can, or must, come to where it is false
        lost = reaching(following, "A" if kind[0] == "E" else "E", [True] * count, [not value for value in first])
        return [not value for value in lost]
    through, goal = ([True] * count, first) if kind[1] == "F" else (first, ctl_states(following, tree[2], columns, ended))
    return reaching(following, kind[0], through, goal)


def reaching(following, quantifier, through, goal):
    """The least fixpoint: the states of `goal`, and those of `through` of whose successors some (E), or all (A), belong to it."""
    result = list(goal)
    before = [[] for _ in following]
    for i, targets in enumerate(following):
        if not result[i] and through[i]:
            for t in targets:
                before[t].append(i)
    left = [1 if quantifier == "E" else len(targets) for targets in following]  # successors that are still wanted
    work = [i for i, value in enumerate(result) if value]
    for i, wanted in enumerate(left):
        if wanted == 0 and through[i] and not result[i]:
            result[i] = True
            work.append(i)
    while work:
        for i in before[work.pop()]:
            left[i] -= 1
            if left[i] == 0 and not result[i]:
                result[i] = True
                work.append(i)
    return result


def path_states(following, kind, p, q):
    """The states that satisfy one of PATH_FORMULAS, by what it means in a finite graph."""
    def solve(tree, *columns):
        return ctl_states(following, tree, columns)
    def negated(column):
        return [not value for value in column]
    atom, other = ("atom", 0), ("atom", 1)
    if kind == "AFG":
        return negated(path_states(following, "EGF", negated(p), None))
    if kind == "EFG":  # a run that stays in p in the end
        return solve(("EF", ("EG", atom)), p)
    if kind == "E&":  # q up to a state with p, and for ever from there
        return solve(("EU", other, ("and", atom, ("EG", other))), p, q)
    if kind == "A|":
        return negated(path_states(following, "E&", negated(p), negated(q)))
    # A state with p that reaches itself.
    count = len(following)
    on_cycle = [p[i] and solve(("EX", ("EF", atom)), [j == i for j in range(count)])[i] for i in range(count)]
    return solve(("EF", atom), on_cycle)
