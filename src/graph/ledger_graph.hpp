// The numbered graph in a ledger that was written with all edges: rows are read from disk, a frame at a time, in the
// order of numbers, layer by layer, or from the last layer to the first. There is no array per state or edge here;
// memory holds the extents, the layer graph, and what resolves temporary numbers (ledger/edge_reader.hpp).
//
// A layer is all states of one key, which a sweep of several passes wrote in several ranges of numbers. Layers are
// numbered in ascending order of keys. A breadth-first search leaves a single layer. The *layer graph* has a node per
// layer and an edge where any state of one layer has an edge to a state of another: every cycle of the graph lies in
// one of its components.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "graph/numbered_graph.hpp"
#include "ledger/edge_reader.hpp"
#include "support/budget.hpp"
#include "support/components.hpp"

namespace tideline::graph {

// States of consecutive numbers.
struct StateRange {
    StateNumber first = 0;
    std::uint64_t count = 0;
    [[nodiscard]] StateNumber end() const { return first + count; }
};

using LayerNumber = std::uint32_t;

class LedgerGraph {
public:
    // A ledger with the edges of all its states (ledger_header() with Recorded::edges), complete or at a checkpoint of
    // a search that is not; it must outlive the graph. Throws LedgerError where it has no edges. Reads nothing yet.
    explicit LedgerGraph(ledger::LedgerContents& ledger, ledger::EdgeReaderSettings settings = {});

    // Reads all edges once, in the order of layers: afterwards everything else may be called. Why it ended early where
    // the budget does not suffice; none: it is done. Throws LedgerError where the ledger is damaged.
    [[nodiscard]] support::StopReason prepare(const support::Budget& budget);

    [[nodiscard]] std::uint64_t state_count() const { return ledger_.states(); }
    [[nodiscard]] std::uint64_t edge_count() const { return edges_; }
    // False: some states were open when the search ended. Edges to them lead to kOpen, and so may regress edges whose
    // targets were not looked up yet.
    [[nodiscard]] bool is_complete() const { return is_complete_; }
    [[nodiscard]] std::span<const StateNumber> initial_states() const { return ledger_.initial_states(); }
    [[nodiscard]] std::size_t label_bytes() const { return ledger_.header().label_bytes; }
    // How many steps ended in a run-time fault. They are no edges, and which states they leave is not recorded: where
    // there are any, a row without edges need not be that of a deadlock.
    [[nodiscard]] std::uint64_t faulty_count() const { return faulty_; }

    // ---- layers -----------------------------------------------------------------------------------------------------

    [[nodiscard]] LayerNumber layer_count() const { return static_cast<LayerNumber>(layers_.size()); }
    [[nodiscard]] support::UInt128 key(LayerNumber layer) const { return layers_[layer].key; }
    // In ascending order.
    [[nodiscard]] std::span<const StateRange> ranges(LayerNumber layer) const {
        const std::uint32_t begin = layer == 0 ? 0 : layers_[layer - 1].ranges_end;
        return std::span(ranges_).subspan(begin, layers_[layer].ranges_end - begin);
    }
    [[nodiscard]] std::uint64_t states_of(LayerNumber layer) const { return layers_[layer].states; }
    [[nodiscard]] std::uint64_t edges_of(LayerNumber layer) const { return layers_[layer].edges; }
    [[nodiscard]] LayerNumber layer_of(StateNumber state) const { return extents_[extent_of(state)].layer; }

    // The layers that edges of a layer lead to, each once, its own too where an edge stays there; in no order.
    [[nodiscard]] std::span<const LayerNumber> successors(LayerNumber layer) const {
        return std::span(layer_targets_)
            .subspan(layer_offsets_[layer], layer_offsets_[std::size_t{layer} + 1] - layer_offsets_[layer]);
    }
    // For the component search. Valid as long as the graph.
    [[nodiscard]] support::ArrayGraph<LayerNumber> layer_graph() const { return {layer_offsets_, layer_targets_}; }

    // ---- rows -------------------------------------------------------------------------------------------------------

    // `visit(const RowBlock&)` may return false to end the reading; so does the answer of these. Blocks are rows that
    // are stored together, of one range. The graph must not be read within a visit.

    // In the order of numbers.
    template <class Visit>
    bool read_forward(Visit&& visit) {
        return read_range({0, state_count()}, visit);
    }
    // Layers in descending order; the ranges of a layer, and the rows of a range, in ascending order.
    template <class Visit>
    bool read_backward(Visit&& visit) {
        for (LayerNumber layer = layer_count(); layer-- > 0;)
            if (!read_layer(layer, visit)) return false;
        return true;
    }
    template <class Visit>
    bool read_layer(LayerNumber layer, Visit&& visit) {
        for (const StateRange& range : ranges(layer))
            if (!read_range(range, visit)) return false;
        return true;
    }
    template <class Visit>
    bool read_range(StateRange range, Visit&& visit) {
        while (range.count > 0) {
            const RowBlock block = read_block(range);
            range.first += block.degrees.size();
            range.count -= block.degrees.size();
            if constexpr (std::same_as<std::invoke_result_t<Visit&, const RowBlock&>, bool>) {
                if (!visit(block)) return false;
            } else {
                visit(block);
            }
        }
        return true;
    }

    // Of what is here and in the reader, about.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    struct Layer {
        support::UInt128 key = 0;
        std::uint64_t states = 0;
        std::uint64_t edges = 0;
        std::uint32_t ranges_end = 0;  // in ranges_
    };
    struct Extent {
        StateNumber first;
        LayerNumber layer;
    };

    void collect_layers();
    void index_extents();
    void scan(const std::function<void()>& poll);
    [[nodiscard]] std::size_t extent_of(StateNumber state) const;
    // The rows at the beginning of a range.
    [[nodiscard]] RowBlock read_block(const StateRange& range);

    ledger::LedgerContents& ledger_;
    ledger::EdgeReaderSettings settings_;
    std::optional<ledger::EdgeReader> reader_;
    std::vector<Layer> layers_;
    std::vector<StateRange> ranges_;  // by layer
    std::vector<Extent> extents_;     // by number, and one behind the last
    // Of the first state of each 2^bucket_bits_ ones the extent; and the last extent.
    std::vector<std::uint32_t> buckets_;
    unsigned bucket_bits_ = 0;
    std::vector<std::uint64_t> layer_offsets_;
    std::vector<LayerNumber> layer_targets_;
    std::vector<std::uint8_t> labels_;  // of the current block
    std::uint64_t edges_ = 0;
    std::uint64_t faulty_ = 0;
    bool is_complete_ = false;
};
static_assert(NumberedGraph<LedgerGraph>);

}  // namespace tideline::graph
