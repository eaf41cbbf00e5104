// Paths of a MemoryGraph, and the packed states along them.
//
// A path names its edges by their positions in the rows: a transition alone does not tell edges apart where a product
// or a nondeterministic effect has several targets for it. Replaying expands each state of the path and follows the
// edge at that position, so nothing but the graph and the system is needed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/paths.hpp"
#include "graph/memory_graph.hpp"
#include "successor/system.hpp"

namespace tideline::graph {

// From states[0], edge by edge: edges[i] is the position of the edge from states[i] to states[i + 1] in its row.
struct GraphPath {
    std::vector<StateNumber> states;
    std::vector<std::uint64_t> edges;
};

// A shortest path from an initial state, the one that a breadth-first search with one thread would find. Takes time for
// its length and 32 rows per step. The state has a number below state_count().
[[nodiscard]] GraphPath path_to(const MemoryGraph& graph, StateNumber state);

// The edge at a position of a state's row, which has more edges than that.
[[nodiscard]] MemoryGraph::Edge edge_at(const MemoryGraph& graph, StateNumber state, std::uint64_t position);
// The position of the first edge from one state to another that `keep(edge)` accepts. Nothing where there is none.
template <class Keep>
[[nodiscard]] std::optional<std::uint64_t> position_of_edge(const MemoryGraph& graph, StateNumber from, StateNumber to,
                                                            const Keep& keep) {
    MemoryGraph::Cursor cursor = graph.successors(from);
    std::uint64_t position = 0;
    for (MemoryGraph::Edge edge; graph.next(cursor, edge); ++position)
        if (edge.target == to && keep(edge)) return position;
    return std::nullopt;
}

// The packed states of a path that begins in an initial state, and its transitions. `system` is what the graph was
// built of, as it was packed in the end (BuiltGraph::system). Nothing where the budget is exhausted.
[[nodiscard]] std::optional<explore::PackedPath> replay(const GraphPath& path, const MemoryGraph& graph,
                                                        const std::shared_ptr<const successor::System>& system,
                                                        const support::Budget& budget);

}  // namespace tideline::graph
