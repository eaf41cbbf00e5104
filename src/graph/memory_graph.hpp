// The numbered graph in memory. It is made by a GraphBuilder (graph_builder.hpp), which is a sink of a breadth-first
// search; states are numbered in the order of discovery of a search with one thread, whatever the number of threads.
//
// The packed states are not part of it: a state is found again by following transitions from an initial one.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "graph/compressed_rows.hpp"
#include "graph/numbered_graph.hpp"
#include "model/fault.hpp"

namespace tideline::graph {

class MemoryGraph {
public:
    // A step that ends in a run-time fault: no edge, but its source is no deadlock.
    struct FaultyStep {
        StateNumber source = 0;
        model::TransitionId transition = 0;
        model::FaultKind fault = model::FaultKind::none;
    };

    // A label that cannot be evaluated in a state: its bit is 0 there.
    struct FaultyLabel {
        StateNumber state = 0;
        std::uint32_t label = 0;
        model::FaultKind fault = model::FaultKind::none;
    };

    [[nodiscard]] std::uint64_t state_count() const { return rows_.next_new(); }
    // States 0 ... expanded_count() - 1 have their edges here; the others were not expanded.
    [[nodiscard]] std::uint64_t expanded_count() const { return rows_.rows(); }
    [[nodiscard]] std::uint64_t edge_count() const { return rows_.edges(); }
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    [[nodiscard]] std::span<const StateNumber> initial_states() const { return initial_; }
    [[nodiscard]] std::span<const FaultyStep> faulty_steps() const { return faulty_; }  // in ascending order of sources
    // The first state of each level, and where the last one that was expanded as a whole ends.
    [[nodiscard]] std::span<const StateNumber> levels() const { return levels_; }

    [[nodiscard]] std::size_t label_bytes() const { return label_bytes_; }
    // Of an expanded state.
    [[nodiscard]] bool label(StateNumber state, std::size_t i) const {
        return ((labels_[state * label_bytes_ + i / 8] >> (i % 8)) & 1U) != 0;
    }

    // In ascending order of states.
    [[nodiscard]] std::span<const FaultyLabel> faulty_labels() const { return faulty_labels_; }

    using Edge = CompressedRows::Edge;
    using Cursor = CompressedRows::Cursor;
    [[nodiscard]] Cursor successors(StateNumber state) const { return rows_.row(state); }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const { return rows_.next(cursor, edge); }
    [[gnu::always_inline]] void prefetch(StateNumber state) const { rows_.prefetch(state); }
    // No edge and no faulty step. Asked of an expanded state.
    [[nodiscard]] bool is_deadlock(StateNumber state) const {
        const Cursor cursor = rows_.row(state);
        return cursor.at == cursor.end && !has_faulty_step(state);
    }
    [[nodiscard]] bool has_faulty_step(StateNumber state) const {
        const auto found = std::ranges::lower_bound(faulty_, state, {}, &FaultyStep::source);
        return found != faulty_.end() && found->source == state;
    }

    // The first edge to a state, in the order of the rows: how a breadth-first search with one thread discovers it.
    using Discovery = CompressedRows::Discovery;
    // Nothing for an initial state.
    [[nodiscard]] std::optional<Discovery> discovery(StateNumber state) const {
        return state < initial_.size() ? std::nullopt : std::optional(rows_.discovery(state));
    }

    template <class Visit>
    void read_forward(const Visit& visit) const {
        Decoded decoded;
        for (StateNumber first = 0; first < rows_.rows(); first += kBlock) read_block(first, decoded, visit);
    }
    // Blocks from the last to the first; within a block ascending.
    template <class Visit>
    void read_backward(const Visit& visit) const {
        Decoded decoded;
        for (StateNumber n = (rows_.rows() + kBlock - 1) / kBlock; n-- > 0;) read_block(n * kBlock, decoded, visit);
    }

    // All of it.
    [[nodiscard]] std::uint64_t bytes() const {
        return rows_.bytes() + labels_.bytes() + faulty_.size() * sizeof(FaultyStep) +
               faulty_labels_.size() * sizeof(FaultyLabel) + (levels_.size() + initial_.size()) * sizeof(StateNumber);
    }

private:
    friend class GraphBuilder;
    static constexpr std::uint64_t kBlock = 8 * CompressedRows::kBlock;

    struct Decoded {
        std::vector<std::uint32_t> degrees;
        std::vector<StateNumber> targets;
        std::vector<std::uint64_t> transitions;
        std::vector<model::Marks> marks;
    };

    template <class Visit>
    void read_block(StateNumber first, Decoded& decoded, const Visit& visit) const {
        decoded.degrees.clear();
        decoded.targets.clear();
        decoded.transitions.clear();
        decoded.marks.clear();
        const StateNumber end = std::min(first + kBlock, rows_.rows());
        for (StateNumber state = first; state < end; ++state) {
            Cursor cursor = rows_.row(state);
            const std::size_t before = decoded.targets.size();
            for (Edge edge; rows_.next(cursor, edge);) {
                decoded.targets.push_back(edge.target);
                decoded.transitions.push_back(edge.transition);
                decoded.marks.push_back(edge.marks);
            }
            decoded.degrees.push_back(static_cast<std::uint32_t>(decoded.targets.size() - before));
        }
        const std::span<const std::uint8_t> labels(labels_.data() + first * label_bytes_, (end - first) * label_bytes_);
        visit(RowBlock{first, decoded.degrees, decoded.targets, decoded.transitions, decoded.marks, labels});
    }

    CompressedRows rows_;
    std::vector<StateNumber> initial_;
    std::vector<StateNumber> levels_;
    std::vector<FaultyStep> faulty_;
    std::vector<FaultyLabel> faulty_labels_;
    std::size_t label_bytes_ = 0;
    std::size_t labels_kept_ = 0;
    GrowingArray<std::uint8_t> labels_;
    bool is_complete_ = false;
};
static_assert(NumberedGraph<MemoryGraph>);

// A MemoryGraph for the component search (support/components.hpp), with numbers of as many bits as the states need.
template <std::unsigned_integral NodeType>
class SuccessorView {
public:
    using Node = NodeType;
    struct Edge {
        Node target;
        model::TransitionId transition;
        model::Marks marks;
    };
    using Cursor = MemoryGraph::Cursor;

    // The graph must outlive the view. States that were not expanded have no successors.
    explicit SuccessorView(const MemoryGraph& graph) : graph_(graph) {}
    [[nodiscard]] std::uint64_t node_count() const { return graph_.state_count(); }
    [[nodiscard]] Cursor successors(Node node) const { return graph_.successors(node); }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        MemoryGraph::Edge found;
        if (!graph_.next(cursor, found)) return false;
        edge = {static_cast<Node>(found.target), found.transition, found.marks};
        return true;
    }

private:
    const MemoryGraph& graph_;
};

}  // namespace tideline::graph
