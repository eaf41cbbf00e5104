"""Compact Kripke structures: numbers, label bits and edges, in as many bits as the bound allows; bisimilar to the plain state space."""

import ctypes
import json
import os
import re
import struct

from program import EXAMPLES, MODELS, ProgramTest


BLOCK = 1 << 15  # states
FORMS = set()  # of blocks that were read


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


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def number(self):
        value = shift = 0
        while True:
            byte, = self.take(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def section(self):
        size, stored = self.number(), self.number()
        return self.take(size) if stored == 0 else decompress(self.take(stored), size)


def decompress(data, size):
    target = ctypes.create_string_buffer(max(size, 1))
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    assert library.ZSTD_decompress(target, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data))) == size
    return target.raw[:size]


def plain_rows(data, count, header):
    bits = Bits(data)
    for _ in range(count):
        labels = frozenset(name for name in header["labels"] if bits.take(1))
        edges = []
        for _ in range(bits.gamma() - 1):
            transition = bits.take(width(header["transitions"]))
            edges.append((transition, bits.take(width(header["states"]))))
        yield labels, edges


def compressed_rows(data, count, header, last):
    block = Bytes(data)
    lengths, ranks, unseen = Bytes(block.section()), Bytes(block.section()), Bytes(block.section())
    labels, first, others = Bits(block.section()), Bytes(block.section()), Bytes(block.section())
    assert block.at == len(data)
    end = header["transitions"]
    groups = [Bytes(ranks.take(lengths.number())) for _ in range(end + 1)]
    followers = [[] for _ in groups]
    transitions = []
    for _ in range(count):
        row, before = [], end
        while True:
            rank = groups[before].number()
            transition = unseen.number() if rank == len(followers[before]) else followers[before].pop(rank)
            followers[before].insert(0, transition)
            if transition == end:
                break
            row.append(transition)
            before = transition
        transitions.append(row)
    assert all(group.at == len(group.data) for group in groups)
    carried = [[labels.take(1) for _ in range(count)] for _ in header["labels"]]
    targets = {}
    for transition in sorted({t for row in transitions for t in row}):
        targets[transition] = []
        for _ in range(sum(row.count(transition) for row in transitions)):
            byte, = first.take(1)
            value = byte if byte < 128 else byte & 127 | others.number() << 7
            last[transition] = last.get(transition, 0) + (value >> 1 ^ -(value & 1))
            targets[transition].append(last[transition])
        targets[transition].reverse()
    for i, row in enumerate(transitions):
        yield frozenset(name for name, bits in zip(header["labels"], carried) if bits[i]), [(t, targets[t].pop()) for t in row]


def decode(data):
    """Header, and of each state its labels and its edges (transition, target)."""
    assert data[:4] == b"TLKC" and struct.unpack_from("<I", data, 4) == (2,)
    length, = struct.unpack_from("<Q", data, 8)
    header = json.loads(data[16:16 + length])
    blocks, rows, last = Bytes(data[16 + length:]), [], {}
    while len(rows) < header["states"]:
        count = min(BLOCK, header["states"] - len(rows))
        form, = blocks.take(1)
        FORMS.add(form)
        block = blocks.take(blocks.number())
        rows += compressed_rows(block, count, header, last) if form else note_targets(plain_rows(block, count, header), last)
    assert blocks.at == len(blocks.data)
    return header, rows, 8 * blocks.at


def note_targets(rows, last):
    for labels, edges in rows:
        last.update(edges)
        yield labels, edges


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

    def test_blocks_of_both_forms_and_several(self):
        path = self.write("grid.dve", "int x; int y; process P { state s; init s; trans s -> s { guard x < 299; effect x = x + 1; }, "
                          "s -> s { guard y < 299; effect y = y + 1; }, s -> s { guard x > 0 and y > 7; effect x = x - 1; }; } system async;")
        for progress in ((), ("--progress", "x + y")):
            header, rows = self.convert(path, "--label", "even=x % 2 == 0", "--label", "low=x < y", *progress)
            self.assertEqual(header["states"], 90000)
            place = {header["initial"][0]: (0, 0)}  # the values of the states, by the steps that lead there
            waiting = list(header["initial"])
            while waiting:
                state = waiting.pop()
                x, y = place[state]
                self.assertEqual(rows[state][0], {name for name, holds in (("even", x % 2 == 0), ("low", x < y)) if holds})
                expected = [move for move, possible in (((1, 0), x < 299), ((0, 1), y < 299), ((-1, 0), x > 0 and y > 7)) if possible]
                self.assertEqual(len(rows[state][1]), len(expected))
                for (_, target), (dx, dy) in zip(rows[state][1], expected):
                    if target not in place:
                        place[target] = (x + dx, y + dy)
                        waiting.append(target)
                    self.assertEqual(place[target], (x + dx, y + dy))
            self.assertEqual(len(place), 90000)
            self.assertLess(os.path.getsize(self.folder / "small.bin"), 1.5 * header["edges"])
        self.convert(MODELS / "peterson.dve")
        self.assertEqual(FORMS, {0, 1})

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
