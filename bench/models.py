#!/usr/bin/env python3
"""Writes a DVE model of one of the five systems that are also measured with SPIN.

    bench/models.py MODEL [NAME=VALUE ...]        for example: bench/models.py swp W=3 C=3 MAXD=4

The systems are those of five Promela files; a model takes the same steps as the verifier that `spin -a -o1 -o2 -o3` makes of the file
(without these options SPIN merges statements, drops dead values, and leaves unused variables out):

- A statement is a step between two locations: assignments, conditions, `else`, `skip`, `assert`, sends and receives. Jumps are none.
- An atomic sequence is one step, since none of the five can block inside. A d_step is one step.
- `_pid`, the parameters of a process and the places in its arrays are numbers in the text of each process, not variables.
- DVE can not look at the first message before it takes it. Where Promela receives by the kind of message, the kind is received into a
  variable `kind` that the next step sets to 0 again: Promela's location after the receive is our location `received` together with `kind`.
- What is received into nothing (`_`) is received into variables that the same step sets to 0 again.
- DVE can not ask how full a channel is; a variable counts the messages where the guard of a step needs it.
- Promela ends processes in the reverse order of their start. The end is a step, after which the process has no variables: ours sets them
  to 0.
- The edges of `timeout` in the sliding window protocol are left out, with the variable `i` that only they use: SPIN reports them as never
  reached. The sender is never stuck where `timeout` stands: with a full window it can send again unless the channel is full, and then
  a message can get lost.
- An assertion is checked by its step, as in Promela, and not in every state as DVE's `assert` is: the guard divides by its condition,
  which is a run-time fault where it is false, and a search reports those.

So the states are one to one. SPIN counts its initial state among the transitions (it says "stored+matched"): it reports one more than
there are steps, and nothing else differs. bench/pairs.csv has the counts of SPIN, and a test compares them with ours.
"""
import sys


def step(source, target, guard=None, sync=None, effect=None):
    parts = [("guard", guard), ("sync", sync), ("effect", effect)]
    return source, target, " ".join(f"{word} {text};" for word, text in parts if text is not None)


def asserting(source, target, condition, effect=None):
    return step(source, target, guard=f"1 / ({condition}) == 1", effect=effect)


def process(name, variables, steps):
    """A process that starts where its first step does."""
    locations = list(dict.fromkeys(location for source, target, _ in steps for location in (source, target)))
    text = [f"process {name} {{"]
    text += [f"  byte {variables};"] if variables else []
    text += [f"  state {', '.join(locations)};", f"  init {steps[0][0]};"]
    text += ["  trans"] + [f"    {source} -> {target} {{ {body} }}," for source, target, body in steps]
    text[-1] = text[-1][:-1] + ";"
    return "\n".join(text + ["}", ""])


def bakery(N, MAX):
    """Lamport's bakery: N processes, tickets up to MAX; who would need a higher one tries again."""
    def one(p):
        return process(f"P_{p}", "j, m", [
            step("idle", "clear_m", effect=f"choosing[{p}] = 1"),
            step("clear_m", "clear_j", effect="m = 0"),
            step("clear_j", "scan", effect="j = 0"),
            step("scan", "compare", guard=f"j < {N}"),
            step("scan", "draw", guard=f"not (j < {N})"),
            step("compare", "raise", guard="num[j] > m"),
            step("compare", "scanned", guard="not (num[j] > m)"),
            step("raise", "scanned", effect="m = num[j]"),
            step("scanned", "scan", effect="j = j + 1"),
            step("draw", "take", guard=f"m < {MAX}"),
            step("draw", "refuse", guard=f"not (m < {MAX})"),
            step("take", "chosen", effect=f"num[{p}] = m + 1"),
            step("refuse", "again", effect=f"choosing[{p}] = 0"),
            step("chosen", "queue", effect=f"choosing[{p}] = 0"),
            step("queue", "look", effect="j = 0"),
            step("look", "wait_choice", guard=f"j < {N}"),
            step("look", "enter", guard=f"not (j < {N})"),
            step("wait_choice", "wait_turn", guard="choosing[j] == 0"),
            step("wait_turn", "passed", guard=f"num[j] == 0 or num[j] > num[{p}] or (num[j] == num[{p}] and j >= {p})"),
            step("passed", "look", effect="j = j + 1"),
            step("enter", "critical", effect="ncrit = ncrit + 1"),
            asserting("critical", "leave", "ncrit == 1"),
            step("leave", "give_back", effect="ncrit = ncrit - 1"),
            step("give_back", "again", effect=f"num[{p}] = 0"),
            step("again", "idle"),
        ])
    return f"byte num[{N}], choosing[{N}], ncrit;\n\n" + "\n".join(one(p) for p in range(N))


def leader(N, L, I):
    """Dolev, Klawe and Rodeh's election of a leader in a ring of N with channels of L places; I turns the numbers around the ring."""
    kinds = "const byte one = 1, two = 2, winner = 3;\n"
    channels = "".join(f"channel {{byte, byte}} q_{c}[{L}];\n" for c in range(N))
    start = process("Init", "proc", [
        step("start", "started", effect=f"proc = {N + 1}"),
        step("started", "ended", guard="Node_1.ended", effect="proc = 0"),
    ])

    def one(p):
        number = (N + I - p) % N + 1

        def send(kind, value):
            return f"q_{p % N}!{{{kind}, {value}}}"
        return process(f"Node_{p}", f"active = 1, know_winner, nr, maximum = {number}, neighbour, kind", [
            step("start", "listen", guard="Init.started", sync=send("one", number)),
            step("listen", "received", sync=f"q_{p - 1}?{{kind, nr}}"),
            step("received", "first_active", guard="kind == one and active", effect="kind = 0"),
            step("received", "first_passive", guard="kind == one and not active", effect="kind = 0"),
            step("first_active", "first_other", guard="nr != maximum"),
            step("first_active", "first_own", guard="not (nr != maximum)"),
            step("first_other", "first_sent", sync=send("two", "nr")),
            step("first_sent", "listen", effect="neighbour = nr"),
            step("first_own", "won", effect="know_winner = 1"),
            step("won", "listen", sync=send("winner", "nr")),
            step("first_passive", "listen", sync=send("one", "nr")),
            step("received", "second_active", guard="kind == two and active", effect="kind = 0"),
            step("received", "second_passive", guard="kind == two and not active", effect="kind = 0"),
            step("second_active", "second_wins", guard="neighbour > nr and neighbour > maximum"),
            step("second_active", "second_loses", guard="not (neighbour > nr and neighbour > maximum)"),
            step("second_wins", "raised", effect="maximum = neighbour"),
            step("raised", "listen", sync=send("one", "neighbour")),
            step("second_loses", "listen", effect="active = 0"),
            step("second_passive", "listen", sync=send("two", "nr")),
            step("received", "not_elected", guard=f"kind == winner and nr != {number}", effect="kind = 0"),
            step("received", "elected", guard=f"kind == winner and not (nr != {number})", effect="kind = 0"),
            step("not_elected", "announce"),
            step("elected", "counted", effect="nr_leaders = nr_leaders + 1"),
            asserting("counted", "announce", "nr_leaders == 1"),
            step("announce", "done", guard="know_winner"),
            step("announce", "tell", guard="not know_winner"),
            step("tell", "done", sync=send("winner", "nr")),
            step("done", "ended", guard=f"Node_{p + 1}.ended" if p < N else None,
                 effect="active = 0, know_winner = 0, nr = 0, maximum = 0, neighbour = 0"),
        ])
    return kinds + channels + "byte nr_leaders;\n\n" + start + "\n" + "\n".join(one(p) for p in range(1, N + 1))


def peterson(N):
    """Peterson's mutual exclusion for N processes."""
    def one(p):
        return process(f"P_{p}", "j, k", [
            step("idle", "rise", effect="j = 1"),
            step("rise", "announce", guard=f"j < {N}"),
            step("rise", "enter", guard=f"not (j < {N})"),
            step("announce", "sign", effect=f"level[{p}] = j"),
            step("sign", "clear_k", effect=f"last[j] = {p}"),
            step("clear_k", "look", effect="k = 0"),
            step("look", "wait", guard=f"k < {N}"),
            step("look", "risen", guard=f"k >= {N}"),
            step("wait", "passed", guard=f"k == {p} or level[k] < j or last[j] != {p}"),
            step("passed", "look", effect="k = k + 1"),
            step("risen", "rise", effect="j = j + 1"),
            step("enter", "critical", effect="ncrit = ncrit + 1"),
            asserting("critical", "leave", "ncrit == 1"),
            step("leave", "step_down", effect="ncrit = ncrit - 1"),
            step("step_down", "idle", effect=f"level[{p}] = 0"),
        ])
    return f"byte level[{N}], last[{N}], ncrit;\n\n" + "\n".join(one(p) for p in range(N))


def phils(N):
    """N philosophers, the last of them left-handed."""
    def one(p):
        first, second = (0, N - 1) if p == N - 1 else (p, (p + 1) % N)
        return process(f"P_{p}", "l, r", [
            step("sit_down", "think", effect=f"l = {first}, r = {second}"),
            step("think", "one_fork", guard="fork[l] == 0", effect=f"fork[l] = {p + 1}"),
            step("one_fork", "eat", guard="fork[r] == 0", effect=f"fork[r] = {p + 1}, eating = eating + 1"),
            asserting("eat", "sated", f"fork[l] == {p + 1} and fork[r] == {p + 1}"),
            step("sated", "half_done", effect="fork[r] = 0, eating = eating - 1"),
            step("half_done", "think", effect="fork[l] = 0"),
        ])
    return f"byte fork[{N}], eating;\n\n" + "\n".join(one(p) for p in range(N))


def swp(W, C, MAXD):
    """A sliding window protocol (go back n) with a window of W, over lossy channels of C places, for data that count modulo MAXD."""
    M = W + 1

    def send(index):
        return {"sync": f"data!{{{index}, buf[{index}]}}", "effect": "in_data = in_data + 1"}
    sender = process("Sender", f"base, next, v, a, buf[{M}]", [
        step("ready", "fill", guard=f"(next + {M} - base) % {M} < {W}"),
        step("fill", "filled", effect=f"buf[next] = v, v = (v + 1) % {MAXD}"),
        step("filled", "sent", **send("next")),
        step("sent", "ready", effect=f"next = (next + 1) % {M}"),
        step("ready", "answered", sync="ack?{a}"),
        step("answered", "slide", guard=f"(a + {M} - base) % {M} < (next + {M} - base) % {M}"),
        step("answered", "stale", guard=f"not ((a + {M} - base) % {M} < (next + {M} - base) % {M})"),
        step("slide", "ready", effect=f"base = (a + 1) % {M}"),
        step("stale", "ready"),
        step("ready", "repeat", guard=f"base != next and in_data < {C}"),
        step("repeat", "ready", **send("base")),
    ])
    receiver = process("Receiver", "exp, s, v", [
        step("wait", "look", sync="data?{s, v}", effect="in_data = in_data - 1"),
        step("look", "expected", guard="s == exp"),
        step("look", "unexpected", guard="not (s == exp)"),
        asserting("expected", "answer", "v == got", effect=f"got = (got + 1) % {MAXD}, exp = (exp + 1) % {M}"),
        step("unexpected", "answer"),
        step("answer", "wait", sync=f"ack!{{(exp + {M} - 1) % {M}}}"),
    ])
    lossy = process("Lossy", "x, y", [
        step("lose", "lose", sync="data?{x, y}", effect="x = 0, y = 0, in_data = in_data - 1"),
        step("lose", "lose", sync="ack?{x}", effect="x = 0"),
    ])
    return f"channel {{byte, byte}} data[{C}];\nchannel {{byte}} ack[{C}];\nbyte in_data, got;\n\n" + "\n".join([sender, receiver, lossy])


# The parameters of each, with the defaults of the Promela files, by the names that these have for `spin -D`.
MODELS = {
    "bakery": (bakery, {"N": 3, "MAX": 7}),
    "leader": (leader, {"N": 6, "L": 10, "I": 3}),
    "peterson": (peterson, {"N": 4}),
    "phils": (phils, {"N": 10}),
    "swp": (swp, {"W": 3, "C": 3, "MAXD": 4}),
}


def model(name, parameters):
    """The text of a model; `parameters` maps some or all of its names to numbers."""
    write, defaults = MODELS[name]
    unknown = parameters.keys() - defaults.keys()
    if unknown:
        raise ValueError(f"{name} has no parameter {', '.join(sorted(unknown))}")
    return write(**{**defaults, **parameters}) + "\nsystem async;\n"


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in MODELS:
        sys.exit(f"usage: models.py {'|'.join(MODELS)} [NAME=VALUE ...]")
    try:
        print(model(sys.argv[1], {name: int(value) for name, value in (text.split("=") for text in sys.argv[2:])}), end="")
    except ValueError as error:
        sys.exit(f"models.py: {error}")


if __name__ == "__main__":
    main()
