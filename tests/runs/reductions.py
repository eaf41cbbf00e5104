"""What runs that visit another set of states may find, by definition: one state of each class of a symmetry, a cut-off, the words of a language."""

import re


def renamed(e, names):
    """The expression with the names of processes replaced."""
    return tuple(renamed(part, names) if isinstance(part, tuple) else names.get(part, part) for part in e)


def symmetric(e, copies, sign):
    """The expression of all ways to exchange the copies, joined by "and" or "or"."""
    result = None
    for order in permutations(copies):
        part = renamed(e, dict(zip(copies, order)))
        result = part if result is None else (sign, result, part)
    return result


def permutations(items):
    if not items:
        return [[]]
    return [[first] + rest for i, first in enumerate(items) for rest in permutations(items[:i] + items[i + 1:])]


def classes(system):
    """How many classes of reachable states the exchanges of copies make."""
    keys = [key for key, _ in system.slots()]
    blocks = [[i for i, key in enumerate(keys) if key[0] == name or key == ("place", name)] for name in system.copies]
    apart = [i for i in range(len(keys)) if not any(i in block for block in blocks)]
    return len({(tuple(state[i] for i in apart), tuple(sorted(tuple(state[i] for i in block) for block in blocks))) for state in system.graph().states})


def cut_off(graph, column):
    """Figures of a search that does not expand the states where the column is true, and the states that it visits."""
    visited = set(range(graph.initial))
    work = list(visited)
    behind = set()
    while work:
        i = work.pop()
        if column[i]:
            behind.update(graph.next[i])
            continue
        for t in graph.next[i]:
            if t not in visited:
                visited.add(t)
                work.append(t)
    return {"states": len(visited), "transitions": sum(len(graph.next[i]) for i in visited), "unvisited": len(behind - visited),
            "deadlocks": sum(1 for i in visited if not graph.next[i] and i not in graph.faulty), "faults": bool(graph.faulty & visited)}, visited


def behind_cut_off(system, condition, properties):
    """What a run with --cut-off must say: figures, whether it is exact, and verdicts by their keys."""
    graph = system.graph()
    result, visited = cut_off(graph, system.column(condition))
    result["exact"] = result["unvisited"] == 0
    result["verdicts"] = {}
    for key, prop in properties.items():
        if prop["kind"] == "deadlock":
            is_bad = result["deadlocks"] > 0
        else:
            column = system.column(prop["expr"])
            is_bad = not all(column[i] for i in visited)
        result["verdicts"][key] = "violated" if is_bad else "holds" if result["exact"] and not result["faults"] else "unknown"
    return result


class Language:
    """A specification of labels: a small automaton as an Aldebaran file, with what is hidden and renamed."""

    def __init__(self, states, edges, final, hide, rename):
        self.states = states
        self.edges = edges  # (from, label, to)
        self.final = final  # numbers, or None
        self.hide = hide  # labels
        self.rename = rename  # (from, to) or None

    def text(self):
        return f"des (0, {len(self.edges)}, {self.states})\n" + "".join(f'({a}, "{label}", {b})\n' for a, label, b in self.edges)

    def options(self, file):
        result = ["--language", file]
        if self.final is not None:
            result += ["--final", ",".join(map(str, self.final))]
        if self.hide:
            result += ["--hide", "|".join(re.escape(label).replace("\\-", "-") for label in self.hide)]
        if self.rename:
            result += ["--rename", f"{self.rename[0]}={self.rename[1]}"]
        return result

    def facts(self, graph):
        """What a run with --language must say: verdicts by the names of the properties: whether every sequence of visible labels is one of the automaton; and with final states, whether runs end in them."""
        following = {}
        for a, label, b in self.edges:
            following.setdefault((a, label), set()).add(b)
        start = [(i, frozenset([0])) for i in range(graph.initial)]
        known = set(start)
        work = list(start)
        result = {"language": "holds"}
        if self.final is not None:
            result["language-end"] = "holds"
        while work:
            i, places = work.pop()
            if not graph.next[i] and i not in graph.faulty and self.final is not None and not places & set(self.final):
                result["language-end"] = "violated"
            for t, label in zip(graph.next[i], graph.labels[i]):
                label = self.rename[1] if self.rename and label == self.rename[0] else label
                then = places if label in self.hide else frozenset().union(*(following.get((p, label), ()) for p in places))
                if not then:
                    result["language"] = "violated"
                elif (t, then) not in known:
                    known.add((t, then))
                    work.append((t, then))
        return {"verdicts": result, "faults": bool(graph.faulty)}


def random_language(r, system):
    """One over the labels of the graph that do not depend on messages."""
    labels = sorted({label for row in system.graph().labels for label in row})
    visible = r.sample(labels, min(len(labels), r.randint(1, 3)))
    hide = [label for label in labels if label not in visible]
    rename = (visible[0], "event") if r.random() < 0.2 else None
    letters = sorted({"event" if rename and label == rename[0] else label for label in visible})
    states = r.randint(1, 3)
    density = r.choice([0.8, 0.95, 1])
    edges = [(a, label, r.randrange(states)) for a in range(states) for label in letters for _ in range(r.choice([1, 1, 2])) if r.random() < density]
    final = sorted(r.sample(range(states), r.randint(1, states))) if r.random() < 0.5 else None
    return Language(states, edges, final, hide, rename)
