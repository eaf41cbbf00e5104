// A Kripke structure of numbers, bits and edges only, without the states (survey of the sweep-line method, 2012,
// section 3.4): what CTL* asks of a state space in a few bytes per edge. Written from a ledger with all edges, row by
// row, so that memory holds neither states nor edges.
//
// States come in blocks of 2^15, each in the smaller of two forms.
//   plain       per state its label bits, its number of edges as an Elias gamma code (of one more), and per edge the
//               transition and the target in as few bits as distinguish them
//   compressed  by zstd, what is alike side by side: each transition by its rank among those that have followed the one
//               before it in a row, the latest first; and by transition the targets as differences to the one before,
//               which mostly is the target of a neighbour
// With n labels and words of w bits the plain form has at most (2w + n)|V| + |E|(ceil(log2 |T|) + ceil(log2 |V|)) bits,
// the survey's bound: the code of a degree below 2^w - 1 has fewer than 2w bits, and there is room for the head of a
// block. docs/lts-formats.md describes the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/ledger_graph.hpp"
#include "support/budget.hpp"
#include "support/text_sink.hpp"

namespace tideline::graph {

struct CompactKripkeSize {
    std::uint64_t bits = 0;   // of states and edges
    std::uint64_t bound = 0;  // with words of 32 bits
    std::uint64_t bytes = 0;  // of the file
};

struct CompactKripke {
    LedgerGraph& graph;  // complete and prepared, without faulty steps
    std::string name;
    std::vector<std::string> labels;  // of the first bits of a state
};

// Why it ended early; none: it is written.
[[nodiscard]] support::StopReason write_compact_kripke(const CompactKripke& kripke, const support::TextSink& out,
                                                       const support::Budget& budget, CompactKripkeSize& size);

}  // namespace tideline::graph
