"""Promela models: processes of a DVE model (models.py) whose steps are statements one after the other, or one block (`atomic`, `d_step`).

What they mean is worked out on a DVE model with a location between any two statements: as long as every process goes on for ever, nothing
else is different but that values wrap around.
"""

from models import Dve
from reductions import renamed


class Promela(Dve):
    file = "model.pml"
    has_labels = False  # that --language could read: they are others than in DVE

    def __init__(self, r, model):
        super().__init__()
        self.variables = [[name, "byte", initial] for name, _, initial in model.variables]
        self.arrays = model.arrays
        self.channels = model.channels
        for i, p in enumerate(model.processes):
            names = {p["name"]: f"P{i}_{i}"}
            steps = [self.made(r, step, names) for step in p["steps"]]
            self.processes.append({"name": f"P{i}_{i}", "variables": [[name, "byte", initial] for name, _, initial in p["variables"]], "locations": p["locations"],
                                   "commit": [], "asserts": [], "steps": steps})

    wrap = True

    @property
    def options(self):
        return []

    @staticmethod
    def made(r, step, names):
        return {"from": step["from"], "to": step["to"], "guard": step["guard"] and renamed(step["guard"], names), "sync": step["sync"] and renamed(step["sync"], names),
                "effects": [tuple(renamed(e, names) for e in effect) for effect in step["effects"]], "block": r.choice([None, None, "atomic", "d_step"]) if step["sync"] is None else None}

    @staticmethod
    def statements(step):
        """Texts, each with the step of a DVE model that it is: guard, message and effects."""
        result = []
        if step["guard"] is not None:
            result.append((as_promela(step["guard"]), {"guard": step["guard"]}))
        if step["sync"] is not None:
            direction, channel, what = step["sync"]
            result.append((f"{channel}{direction}{'_' if what is None else as_promela(what)}", {"sync": step["sync"]}))
        result += [(f"{as_promela(target)} = {as_promela(e)}", {"effects": [(target, e)]}) for target, e in step["effects"]]
        return result

    def laid_out(self):
        """The lines of the text; and the same as a DVE model, with the names of its locations."""
        lines = [f"/* {self.note} */"] if self.note else []
        lines += [f"byte {name} = {initial};" for name, _, initial in self.variables]
        lines += [f"byte {name}[{size}];" for name, size in self.arrays]
        lines += [f"chan {name} = [{capacity}] of {{ byte }};" for name, capacity in self.channels]
        same = Dve()
        same.wrap = True
        same.variables, same.arrays, same.channels = self.variables, self.arrays, self.channels
        for p in self.processes:
            lines.append(f"active proctype {p['name'].split('_')[0]}() {{")
            lines += [f"  byte {name} = {initial};" for name, _, initial in p["variables"]]
            names = [f"s{i}" for i in range(p["locations"])]
            steps = []
            for place in range(p["locations"]):
                lines.append(f"s{place}:")
                lines.append("  if")
                mine = [step for step in p["steps"] if step["from"] == place]
                for step in mine:
                    statements = self.statements(step)
                    if step["block"] and len(statements) > 1:
                        lines.append(f"  :: {step['block']} {{ {'; '.join(text for text, _ in statements)} }}; goto s{step['to']}")
                        steps.append({**step, "sync": None})
                        continue
                    if not statements:
                        lines.append(f"  :: goto s{step['to']}")
                        steps.append(dict(step))
                        continue
                    here = place
                    for i, (text, what) in enumerate(statements):
                        lines.append(("  :: " if i == 0 else "     ") + text + ";")
                        is_last = i + 1 == len(statements)
                        if not is_last:
                            names.append(f"line{len(lines) + 1}")
                        there = step["to"] if is_last else len(names) - 1
                        steps.append({"from": here, "to": there, "guard": None, "sync": None, "effects": [], **what})
                        here = there
                    lines.append(f"     goto s{step['to']}")
                if not mine:
                    lines.append(f"  :: false; goto s{place}")
                lines.append("  fi" + (";" if place + 1 < p["locations"] else ""))
            lines.append("}")
            same.processes.append({"name": p["name"], "variables": p["variables"], "locations": len(names), "commit": [], "asserts": [], "steps": steps, "names": names})
        return lines, same

    def written(self):
        return "\n".join(self.laid_out()[0]) + "\n"

    def explore(self, most):
        return self.laid_out()[1].explore(most)

    def evaluator(self, expression):
        return self.laid_out()[1].evaluator(expression)

    def places(self):
        """Locations that no step leads to are not there."""
        result = []
        for p in self.processes:
            known = [0]
            for place in known:  # grows meanwhile
                known += sorted({step["to"] for step in p["steps"] if step["from"] == place} - set(known))
            result += [("loc", p["name"], f"s{place}") for place in known]
        return result

    def state_of_trace(self, shown):
        named = dict(shown)
        for p in self.laid_out()[1].processes:
            if shown.get(p["name"]) not in p["names"]:
                return None
            named[p["name"]] = f"s{p['names'].index(shown[p['name']])}"
        return super().state_of_trace(named)

    def smaller(self):
        for other in super().smaller():
            if len(other.processes) == len(self.processes) or [p["name"] for p in other.processes] == [p["name"] for p in self.processes][:-1]:
                yield other


def as_promela(e):
    """An expression inside a process, which reads its own variables and global ones."""
    kind = e[0]
    if kind == "num":
        return str(e[1])
    if kind == "var":
        return e[2]
    if kind == "at":
        return f"{e[1]}[{as_promela(e[2])}]"
    return f"({as_promela(e[1])} {kind} {as_promela(e[2])})"
