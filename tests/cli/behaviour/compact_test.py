"""Compact Kripke structures: numbers, label bits and edges, in as many bits as the bound allows; bisimilar to the plain state space."""

import json
import re
import struct

from program import EXAMPLES, MODELS, ProgramTest


class Bits:
    def __init__(self, data):
        self.number, self.at = int.from_bytes(data, "little"), 0

    def take(self, count):
        value = self.number >> self.at & ((1 << count) - 1)
        self.at += count
        return value

    def gamma(self):
        more = 0
        while self.take(1) == 0:
            more += 1
        value = 1
        for _ in range(more):
            value = 2 * value + self.take(1)
        return value


def width(count):
    return (count - 1).bit_length() if count > 1 else 0


def decode(data):
    """Header, and of each state its labels and its edges (transition, target)."""
    assert data[:4] == b"TLKC" and struct.unpack_from("<I", data, 4) == (1,)
    length, = struct.unpack_from("<Q", data, 8)
    header = json.loads(data[16:16 + length])
    bits = Bits(data[16 + length:])
    rows = []
    for _ in range(header["states"]):
        labels = frozenset(name for name in header["labels"] if bits.take(1))
        edges = []
        for _ in range(bits.gamma() - 1):
            transition = bits.take(width(header["transitions"]))
            edges.append((transition, bits.take(width(header["states"]))))
        rows.append((labels, edges))
    return header, rows, bits.at


def classes(labels, successors):
    """The coarsest bisimulation, as a class per state."""
    now = {label: i for i, label in enumerate(sorted(set(labels), key=sorted))}
    block = [now[label] for label in labels]
    while True:
        keys = [(block[s], frozenset(block[t] for t in successors[s])) for s in range(len(labels))]
        number = {}
        refined = [number.setdefault(key, len(number)) for key in keys]
        if len(number) == len(set(block)):
            return refined
        block = refined


class CompactTest(ProgramTest):
    def convert(self, model, *options):
        finished = self.run_program("convert", model, "--to", "kripke", *options, "--compact", "small.bin")
        self.assertEqual((finished.returncode, finished.stdout), (0, ""), finished.stderr)
        found = re.search(r"(\d+) states and (\d+) edges in (\d+) bytes: (\d+) bits, where (\d+) are the bound", finished.stderr)
        data = (self.folder / "small.bin").read_bytes()
        header, rows, bits = decode(data)
        self.assertEqual([int(group) for group in found.groups()[:4]], [len(rows), sum(len(edges) for _, edges in rows), len(data), bits])
        self.assertEqual((header["states"], header["edges"]), (len(rows), sum(len(edges) for _, edges in rows)))
        bound = (64 + len(header["labels"])) * len(rows) + header["edges"] * (width(header["transitions"]) + width(len(rows)))
        self.assertEqual(int(found[5]), bound)
        self.assertLessEqual(bits, bound)
        return header, rows

    def expect_bisimilar(self, model, *options, progress=()):
        header, rows = self.convert(model, *options, *progress)
        plain = json.loads(self.run_program("convert", model, "--to", "kripke", *options).stdout)
        own = set(header["labels"])
        labels = [frozenset(state["labels"]) & own for state in plain["states"]]
        successors = [set() for _ in labels]
        for edge in plain["edges"]:
            successors[edge[0]].add(edge[1])
        self.assertEqual((len(rows), header["edges"]), (len(labels), len(plain["edges"])))
        offset = len(labels)
        block = classes(labels + [row[0] for row in rows], successors + [{offset + target for _, target in edges} for _, edges in rows])
        initial = plain["initial"] if isinstance(plain["initial"], list) else [plain["initial"]]
        self.assertEqual(sorted(block[state] for state in initial), sorted(block[offset + state] for state in header["initial"]))
        # Not only from the initial state: the reachable ones are the same, up to their numbers.
        self.assertEqual(sorted(block[:offset]), sorted(block[offset:]))

    def test_bisimilar_to_the_plain_state_space(self):
        self.expect_bisimilar(EXAMPLES / "layers.json")
        self.expect_bisimilar(EXAMPLES / "layers.json", progress=("--progress", "-state"))
        for progress in ((), ("--progress", "none"), ("--progress", "turn"), ("--threads", "2")):
            with self.subTest(progress):
                self.expect_bisimilar(MODELS / "peterson.dve", "--label", "cs0=P0.critical", "--label", "both=P0.waiting and P1.waiting", progress=progress)
        self.expect_bisimilar(MODELS / "philosophers.dve", "--label", "eats=Philosopher0.one")

    def test_without_labels_and_with_several_initial_states(self):
        self.write("two.json", '{"states": ["s0", "s1", "s2"], "initial": [0, 1], "edges": [[0, 1], [1, 1], [1, 2]]}')
        header, rows = self.convert("two.json")
        self.assertEqual((len(header["initial"]), len(rows), header["labels"]), (2, 3, []))

    def test_what_is_refused(self):
        for arguments, message in ((("--to", "aut", "--compact", "f"), "only Kripke structures"), (("--to", "kripke", "--compact", ""), "empty"),
                                   (("--to", "kripke", "--compact", "missing/f"), "cannot be written"), (("--to", "kripke", "--label", "x=1/0 == 1", "--compact", "f"), "cannot be evaluated in every state")):
            with self.subTest(arguments):
                finished = self.run_program("convert", MODELS / "peterson.dve", *arguments)
                self.assertEqual((finished.returncode, finished.stdout), (2, ""), finished.stderr)
                self.assertIn(message, finished.stderr)
        self.assertFalse((self.folder / "f").exists())
        finished = self.run_program("convert", MODELS / "philosophers.dve", "--to", "kripke", "--states", "10", "--compact", "f")
        self.assertEqual(finished.returncode, 3, finished.stderr)
        self.assertFalse((self.folder / "f").exists())
