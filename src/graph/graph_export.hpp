// A complete graph in memory as text for other programs: Aldebaran, DOT of Graphviz, a Kripke structure as JSON
// (docs/lts-formats.md). States have the numbers of the graph, in every form; edges come row by row, parallel ones
// included, so a file that is read again has the same states, transitions and deadlocks.
//
// Edges are called what traces call their steps. A step may be several transitions at once (a property process beside
// the system), so names are asked of the system, state by state.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/memory_graph.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"
#include "support/text_sink.hpp"

namespace tideline::graph {

struct ExportedGraph {
    const MemoryGraph& graph;           // complete, without faulty steps
    const successor::System& system;    // what it was built of, as it was packed in the end (BuiltGraph::system)
    std::string name;                   // of the whole
    std::vector<std::string> labels{};  // names of the label bits
    bool names_are_labels = false;      // an edge is called by the label of its step alone: those of explicit systems
    std::optional<std::vector<std::uint64_t>> progress{};  // of each state
};

// By the keys of the states: 0 for the smallest, then 1, 2, ...; equal where these are.
struct ProgressRanks {
    support::StopReason stopped = support::StopReason::none;  // the limit that ended it
    bool is_undefined = false;                                // the measure cannot be evaluated in some state
    std::vector<std::uint64_t> of;                            // by state
};
[[nodiscard]] ProgressRanks progress_ranks(const MemoryGraph& graph, const successor::System& system,
                                           const support::Budget& budget);

// Each returns the limit that ended it: what was written is not complete then. A graph that is written as Aldebaran has
// one initial state.
[[nodiscard]] support::StopReason write_aut(const ExportedGraph& graph, const support::TextSink& sink,
                                            const support::Budget& budget);
[[nodiscard]] support::StopReason write_dot(const ExportedGraph& graph, const support::TextSink& sink,
                                            const support::Budget& budget);
[[nodiscard]] support::StopReason write_kripke(const ExportedGraph& graph, const support::TextSink& sink,
                                               const support::Budget& budget);

}  // namespace tideline::graph
