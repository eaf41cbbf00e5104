// A graph as one array, for the component search (components.hpp): each node's number of the search and, behind it, its
// successors. A node is the position of its number. So entering a node costs one cache miss, where a graph as offsets
// and targets (ArrayGraph) costs two, one after the other: a third more edges per second on large graphs of low degree.
//
// An entry behind the number is a successor; the highest bit marks the last one of the node. A node without successors
// has one entry that is none.
//
// Memory: 4 bytes per node and edge, and 4 per node for the positions. Nodes and edges together are fewer than 2^31.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "support/components.hpp"
#include "support/large_pages.hpp"
#include "support/prefetch.hpp"

namespace tideline::support {

class RowArray {
public:
    using Node = std::uint32_t;
    static constexpr bool kCheapCursors = true;
    struct Edge {
        Node target;
    };
    struct Cursor {
        Node next;  // the position of the next successor; 0: there is none
    };

    // The edges of `graph`, whose nodes 0, 1, 2, ... are node(0), node(1), ... here. Throws std::length_error where it
    // is too large.
    template <SuccessorGraph Graph>
    explicit RowArray(const Graph& graph) {
        const std::uint64_t nodes = graph.node_count();
        positions_.reserve(nodes);
        advise_large_pages(positions_.data(), nodes * sizeof(Node));
        std::uint64_t size = 0;
        typename Graph::Edge edge{};
        for (std::uint64_t v = 0; v < nodes; ++v) {
            positions_.push_back(static_cast<Node>(size));
            std::uint64_t degree = 0;
            auto cursor = graph.successors(static_cast<typename Graph::Node>(v));
            while (graph.next(cursor, edge)) ++degree;
            size += 1 + std::max<std::uint64_t>(degree, 1);
            if (size >= kLast) throw std::length_error("a graph is too large for an array of rows");
        }
        entries_.reserve(size);
        advise_large_pages(entries_.data(), size * sizeof(Node));
        for (std::uint64_t v = 0; v < nodes; ++v) {
            entries_.push_back(0);
            const std::size_t begin = entries_.size();
            auto cursor = graph.successors(static_cast<typename Graph::Node>(v));
            while (graph.next(cursor, edge)) entries_.push_back(positions_[edge.target]);
            if (entries_.size() == begin) entries_.push_back(kNoSuccessor);
            else entries_.back() |= kLast;
        }
        assert(entries_.size() == size);
    }

    [[nodiscard]] Node node(std::uint64_t i) const { return positions_[i]; }
    [[nodiscard]] std::uint64_t size() const { return positions_.size(); }  // nodes
    [[nodiscard]] std::uint64_t bytes() const { return (positions_.size() + entries_.size()) * sizeof(Node); }

    // ---- as the component search sees it ----------------------------------------------------------------------------

    // Positions are below this number.
    [[nodiscard]] std::uint64_t node_count() const { return entries_.size(); }
    [[nodiscard]] Cursor successors(Node node) const {
        return {entries_[node + std::size_t{1}] == kNoSuccessor ? 0 : node + 1};
    }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.next == 0) return false;
        const Node entry = entries_[cursor.next];
        edge.target = entry & ~kLast;
        cursor.next = (entry & kLast) != 0 ? 0 : cursor.next + 1;
        return true;
    }
    // The number of the search.
    [[nodiscard]] Node& number(Node node) const { return entries_[node]; }
    void forget_numbers() const {
        for (const Node node : positions_) entries_[node] = 0;
    }

private:
    static constexpr Node kLast = Node{1} << 31U;
    static constexpr Node kNoSuccessor = ~Node{0};

    std::vector<Node> positions_;        // by node
    mutable std::vector<Node> entries_;  // one search at a time changes the numbers
};

// The components of a graph in this form, by the nodes that it was made from.
template <class Keep = KeepAllEdges>
[[nodiscard]] ComponentNumbers<RowArray::Node> component_numbers(const RowArray& rows, const Keep& keep = {}) {
    ComponentSearch<RowArray> search(rows);
    for (std::uint64_t i = 0; i < rows.size(); ++i)
        search.search_from(rows.node(i), keep, [](std::span<const RowArray::Node>) {});
    ComponentNumbers<RowArray::Node> result;
    result.count = search.count();
    assign_on_large_pages(result.of, rows.size(), RowArray::Node{0});
    for (std::uint64_t i = 0; i < rows.size(); ++i) result.of[i] = search.number(rows.node(i));
    return result;
}

}  // namespace tideline::support
