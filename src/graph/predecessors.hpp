// The edges of a MemoryGraph against their direction, for those who ask for them: two arrays, made in two passes over
// the rows.
//
// Memory: one Node per edge and 8 bytes per state. Transitions and marks are not here: they are in the source's row.
#pragma once

#include <cassert>
#include <concepts>
#include <limits>
#include <new>
#include <span>
#include <vector>

#include "graph/memory_graph.hpp"

namespace tideline::graph {

template <std::unsigned_integral Node>
class Predecessors {
public:
    // Of a graph with fewer states than a Node can tell apart. Throws std::bad_alloc where the budget (null: none) does
    // not have the memory.
    explicit Predecessors(const MemoryGraph& graph, const store::MemoryBudget* try_reserve = nullptr) {
        const std::uint64_t states = graph.state_count();
        assert(states <= std::numeric_limits<Node>::max());
        const std::uint64_t bytes = (states + 1) * sizeof(std::uint64_t) + graph.edge_count() * sizeof(Node);
        if (try_reserve != nullptr && !(*try_reserve)(bytes)) throw std::bad_alloc();
        // ends_[v + 1] counts the edges to v, then is where they begin, and in the end where they end.
        ends_.assign(states + 2, 0);
        const auto for_each_edge = [&](const auto& visit) {
            for (StateNumber v = 0; v < graph.expanded_count(); ++v) {
                MemoryGraph::Cursor cursor = graph.successors(v);
                for (MemoryGraph::Edge edge; graph.next(cursor, edge);) visit(v, edge.target);
            }
        };
        for_each_edge([&](StateNumber, StateNumber target) { ++ends_[target + 2]; });
        for (std::uint64_t v = 2; v < ends_.size(); ++v) ends_[v] += ends_[v - 1];
        sources_.resize(graph.edge_count());
        for_each_edge([&](StateNumber v, StateNumber target) { sources_[ends_[target + 1]++] = static_cast<Node>(v); });
    }

    // The sources of the edges to a state, ascending; one that has several edges to it comes as often.
    [[nodiscard]] std::span<const Node> of(StateNumber state) const {
        return std::span(sources_).subspan(ends_[state], ends_[state + 1] - ends_[state]);
    }
    [[nodiscard]] std::uint64_t bytes() const {
        return ends_.size() * sizeof(std::uint64_t) + sources_.size() * sizeof(Node);
    }

private:
    std::vector<std::uint64_t> ends_;
    std::vector<Node> sources_;
};

}  // namespace tideline::graph
