#!/usr/bin/env python3
"""Writes the two-phase commit protocol as a DVE model with a number of workers.

    examples/two_phase_commit.py 3 > /tmp/commit.dve
    tideline explore /tmp/commit.dve --engine sweep --progress Coordinator

The coordinator asks all workers and waits for their votes; when all are in, it sends the decision to those that said yes and waits
until they have acknowledged. Its phase is the progress of the system, except that it begins again at the end.
"""
import argparse

IDLE, ASKED, YES, NO, TO_COMMIT, TO_ABORT, COMMITTED, ABORTED = range(8)


def model(workers):
    every = range(workers)
    each = lambda form, glue: glue.join(form.format(i=i) for i in every)
    text = [f"// two-phase commit with {workers} workers",
            f"// a worker is {IDLE} idle, {ASKED} asked, {YES} yes, {NO} no, {TO_COMMIT} told to commit, {TO_ABORT} told to abort, {COMMITTED} committed, {ABORTED} aborted",
            f"byte worker[{workers}];", "",
            "process Coordinator {", "  state idle, votes, acknowledgements;", "  init idle;", "  trans",
            f"    idle -> votes {{ effect {each('worker[{i}] = ' + str(ASKED), ', ')}; }},",
            f"    votes -> acknowledgements {{ guard {each('worker[{i}] == ' + str(YES), ' and ')}; effect {each('worker[{i}] = ' + str(TO_COMMIT), ', ')}; }},",
            f"    votes -> acknowledgements {{ guard {each('worker[{i}] >= ' + str(YES), ' and ')} and ({each('worker[{i}] == ' + str(NO), ' or ')});",
            f"      effect {each('worker[{i}] = (worker[{i}] == ' + str(YES) + ') * ' + str(TO_ABORT), ', ')}; }},",
            f"    acknowledgements -> idle {{ guard {each('(worker[{i}] == 0 or worker[{i}] >= ' + str(COMMITTED) + ')', ' and ')}; effect {each('worker[{i}] = 0', ', ')}; }};",
            "}", ""]
    for i in every:
        text += [f"process Worker{i} {{", "  state ready;", "  init ready;", "  trans",
                 f"    ready -> ready {{ guard worker[{i}] == {ASKED}; effect worker[{i}] = {YES}; }},",
                 f"    ready -> ready {{ guard worker[{i}] == {ASKED}; effect worker[{i}] = {NO}; }},",
                 f"    ready -> ready {{ guard worker[{i}] == {TO_COMMIT}; effect worker[{i}] = {COMMITTED}; }},",
                 f"    ready -> ready {{ guard worker[{i}] == {TO_ABORT}; effect worker[{i}] = {ABORTED}; }};", "}", ""]
    return "\n".join(text) + "system async;\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("workers", type=int)
    args = parser.parse_args()
    if not 1 <= args.workers <= 20:
        parser.error("workers are from 1 to 20")
    print(model(args.workers), end="")


main()
