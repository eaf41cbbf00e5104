// What a check sees of a state space: states as numbers, label bits, edges with transition and acceptance marks. Two
// forms have this interface: MemoryGraph, whose rows can also be read one by one and backwards along edges, and
// LedgerGraph, which reads them from a ledger in the order of its layers.
//
// Rows come in blocks, so that nothing virtual or indirect happens per edge.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "model/model.hpp"

namespace tideline::graph {

using StateNumber = std::uint64_t;  // below 2^40

// The edges of consecutive states, state by state; valid during the visit only.
struct RowBlock {
    StateNumber first = 0;                     // number of the first state
    std::span<const std::uint32_t> degrees{};  // of each state
    std::span<const StateNumber> targets{};
    std::span<const std::uint64_t> transitions{};  // of each target
    std::span<const model::Marks> marks{};         // of each target; empty where no edge of the graph has one
    std::span<const std::uint8_t> labels{};        // label_bytes() per state: bit i % 8 of byte i / 8 is label i
};

namespace concept_detail {
struct Visit {
    void operator()(const RowBlock& /*block*/) const {}
};
}  // namespace concept_detail

// States 0 ... state_count() - 1; those that are initial; all rows in the order of numbers, and from the last layer (or
// block of rows) to the first. A target is below state_count(), unless the graph is not complete: then it may be kOpen,
// a state that was not expanded.
template <class Graph>
concept NumberedGraph = requires(Graph& graph, const Graph& constant, const concept_detail::Visit& visit) {
    { constant.state_count() } -> std::convertible_to<std::uint64_t>;
    { constant.edge_count() } -> std::convertible_to<std::uint64_t>;
    { constant.is_complete() } -> std::convertible_to<bool>;
    { constant.label_bytes() } -> std::convertible_to<std::size_t>;
    { constant.initial_states() } -> std::convertible_to<std::span<const StateNumber>>;
    graph.read_forward(visit);
    graph.read_backward(visit);
};

// The target of an edge to a state that has no number.
inline constexpr StateNumber kOpen = ~StateNumber{0};

}  // namespace tideline::graph
