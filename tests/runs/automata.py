"""Random Büchi automata, their text (HOA), and whether a graph has a run that one of them accepts.

An automaton is data: `states`, `start` (a list), `sets` (of acceptance, all of which must occur infinitely often), `edges` of (from, label, to,
sets). A label is ("true",), ("ap", n), ("not", a), ("and", a, b) or ("or", a, b); it is read in the state of the system that a step leaves.
"""


def one_set(states, edges):
    return {"states": states, "start": [0], "sets": 1, "edges": edges}


TRUE, P, Q = ("true",), ("ap", 0), ("ap", 1)
NOT_P, NOT_Q = ("not", P), ("not", Q)

# What the formulas of linear time exclude, by their shape.
NEGATIONS = {
    "G": one_set(2, [(0, TRUE, 0, []), (0, NOT_P, 1, []), (1, TRUE, 1, [0])]),
    "F": one_set(1, [(0, NOT_P, 0, [0])]),
    "GF": one_set(2, [(0, TRUE, 0, []), (0, NOT_P, 1, []), (1, NOT_P, 1, [0])]),
    "G->F": one_set(2, [(0, TRUE, 0, []), (0, ("and", P, NOT_Q), 1, []), (1, NOT_Q, 1, [0])]),
}


def random_automaton(r, atoms):
    """One of 1 to 4 states over so many atoms."""
    states = r.randint(1, 4)
    sets = r.choice([0, 1, 1, 1, 2, 2, 3])
    by_state = [[n for n in range(sets) if r.random() < 0.4] for _ in range(states)] if r.random() < 0.4 else None

    def label(depth):
        roll = r.random()
        if roll < 0.2:
            return TRUE
        if depth == 0 or roll < 0.6:
            atom = ("ap", r.randrange(atoms))
            return atom if r.random() < 0.5 else ("not", atom)
        return (r.choice(["and", "or"]), label(depth - 1), label(depth - 1))

    edges = []
    for a in range(states):
        for b in {(a + 1) % states, a, r.randrange(states)} if r.random() < 0.9 else {r.randrange(states)}:
            if r.random() < 0.85:
                edges.append((a, label(r.randrange(3)), b, by_state[a] if by_state is not None else [n for n in range(sets) if r.random() < 0.4]))
    return {"states": states, "start": [0] if r.random() < 0.9 else sorted({0, r.randrange(states)}), "sets": sets, "edges": edges, "by_state": by_state}


def label_text(label):
    kind = label[0]
    if kind == "true":
        return "t"
    if kind == "ap":
        return str(label[1])
    if kind == "not":
        return f"!({label_text(label[1])})"
    return f"({label_text(label[1])} {'&' if kind == 'and' else '|'} {label_text(label[2])})"


def hoa(automaton, atoms):
    """The automaton in the Hanoi Omega-Automata format; `atoms` are texts."""
    sets = automaton["sets"]
    condition = "&".join(f"Inf({n})" for n in range(sets)) or "t"
    name = "all" if sets == 0 else "Buchi" if sets == 1 else f"generalized-Buchi {sets}"
    by_state = automaton.get("by_state")

    def marks(numbers):
        return " {" + " ".join(map(str, numbers)) + "}" if numbers else ""

    lines = ["HOA: v1", f"States: {automaton['states']}"] + [f"Start: {n}" for n in automaton["start"]]
    lines += [f"AP: {len(atoms)}" + "".join(f' "{atom}"' for atom in atoms), f"acc-name: {name}", f"Acceptance: {sets} {condition}", "--BODY--"]
    for state in range(automaton["states"]):
        lines.append(f"State: {state}" + (marks(by_state[state]) if by_state is not None else ""))
        lines += [f"[{label_text(label)}] {b}" + (marks(numbers) if by_state is None else "") for a, label, b, numbers in automaton["edges"] if a == state]
    return "\n".join(lines) + "\n--END--\n"


def translator(shape, trouble=""):
    """A shell script that is a translator of formulas of that shape, given one with letters (%f), and no other. Atoms are called p0 and p1 in an
    order that is not ours. `trouble`: it "fails", "hangs", says "nonsense" or only a "part"."""
    text = hoa(NEGATIONS[shape], ["$a", "$b"][:2 if shape == "G->F" else 1]).replace('"', '\\"')
    lines = [f"# {trouble}" if trouble else "#", 'case "$1" in *"p1 -> "*) a=p1 b=p0;; *) a=p0 b=p1;; esac']
    if trouble == "fails":
        lines.append("echo out of luck >&2; exit 3")
    if trouble == "hangs":  # who is left behind is known by its number
        lines.append("echo $$ > translator.pid; exec sleep 60")
    if trouble == "nonsense":
        text = "never say never"
    if trouble == "part":
        text = text[:len(text) // 2]
    return "\n".join(lines) + f'\nprintf %s "{text}"\n'


def is_true(label, letter):
    kind = label[0]
    if kind == "true":
        return True
    if kind == "ap":
        return bool(letter[label[1]])
    if kind == "not":
        return not is_true(label[1], letter)
    return (all if kind == "and" else any)(is_true(part, letter) for part in label[1:])


def has_accepting_run(automaton, graph, columns, repeats, fair=None):
    """Whether a run of the graph that counts is accepted. `repeats[i]`: a run may stay in state i, which has no step. By components, without
    cleverness; strong fairness by removing what may not occur infinitely often."""
    size = automaton["states"]
    fitting = {}  # of a letter and a state of the automaton: what it may do
    sets = automaton["sets"]
    enabled = [set().union(*row) if row else set() for row in graph.movers] if fair else None

    def edges(node):
        """(target, sets, who moves)"""
        s, q = divmod(node, size)
        letter = tuple(bool(column[s]) for column in columns)
        choices = fitting.get((letter, q))
        if choices is None:
            choices = fitting[letter, q] = [(b, frozenset(numbers)) for a, label, b, numbers in automaton["edges"] if a == q and is_true(label, letter)]
        if not choices:
            return []
        if repeats[s]:
            return [(s * size + b, marks, ()) for b, marks in choices]
        return [(t * size + b, marks, graph.movers[s][i] if fair else ()) for i, t in enumerate(graph.next[s]) for b, marks in choices]

    start = [s * size + q for s in range(graph.initial) for q in automaton["start"]]
    known = {}
    work = list(start)
    while work:
        node = work.pop()
        if node not in known:
            known[node] = edges(node)
            work += [target for target, _, _ in known[node]]

    def accepts(nodes):
        for component in components(nodes, known):
            inside = [(node, edge) for node in component for edge in known[node] if edge[0] in component]
            if not inside or len(set().union(*(marks for _, (_, marks, _) in inside))) < sets:
                continue
            moved = set().union(*(movers for _, (_, _, movers) in inside))
            able = {node: enabled[node // size] for node in component} if fair else {}
            if fair == "weak" and any(all(p in some for some in able.values()) for p in set().union(*able.values()) - moved):
                continue
            if fair == "strong":
                starved = set().union(*able.values()) - moved
                if starved:
                    if accepts({node for node in component if not able[node] & starved}):
                        return True
                    continue
            return True
        return False

    return accepts(set(known))


def components(nodes, following):
    """The strongly connected components of a set of nodes, as sets (Tarjan, with a stack of its own)."""
    index, low, on_stack, stack, result = {}, {}, set(), [], []
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        calls = [(root, iter(following[root]))]
        while calls:
            node, rest = calls[-1]
            for target, *_ in rest:
                if target not in nodes:
                    continue
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    calls.append((target, iter(following[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == index[node]:
                    component = set()
                    while node not in component:
                        component.add(stack.pop())
                    on_stack -= component
                    result.append(component)
    return result
