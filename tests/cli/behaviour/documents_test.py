"""Every command that a document shows prints what stands there."""

import unittest

import documents
from program import ROOT


class DocumentsTest(unittest.TestCase):
    maxDiff = None

    def test_commands_print_what_the_documents_say(self):
        for name in documents.DOCUMENTS:
            with self.subTest(name):
                found = [f"{name}:{line}: {command}\n" + "\n".join(printed) for line, command, _, printed in documents.differences(ROOT / name)]
                self.assertEqual(found, [], "tests/cli/documents.py --update writes what is printed now")

    def test_there_are_commands(self):
        for name in documents.DOCUMENTS:
            self.assertGreater(len(documents.commands_of((ROOT / name).read_text(encoding="utf-8"))), 0 if name == "README.md" else 2, name)

    def test_another_output_is_noticed(self):
        self.assertNotEqual(documents.same("states        20"), documents.same("states        21"))
        self.assertEqual(documents.same("time          3 ms (states: 6 k/s)"), documents.same("time          less than 1 ms"))
        self.assertEqual(documents.same("engine        bfs, 2 threads"), documents.same("engine        bfs, 8 threads"))
