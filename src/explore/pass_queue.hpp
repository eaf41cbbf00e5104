// The open states of one pass, this one or the next, but for those of the current layer: in memory per partition, in
// the ledger for all partitions together.
//
// Invariants: a state is open in memory at most once per partition, in the current layer, this pass or the next, but by
// level, where duplicates are found when the next level begins; a key waits in memory in one pass only, but the current
// one where the layer is streamed and deferred. What is in the ledger may be there more than once, and in V(k).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>

#include "explore/open_layers.hpp"
#include "explore/saved_batches.hpp"

namespace tideline::explore {

class PassQueue {
public:
    PassQueue(std::size_t partitions, const StateShape& shape, bool is_next_pass) {
        for (std::size_t i = 0; i < partitions; ++i) open_.emplace_back(shape, is_next_pass);
    }

    // What a partition has in memory.
    [[nodiscard]] OpenLayers& open(std::size_t partition) { return open_[partition]; }
    [[nodiscard]] const OpenLayers& open(std::size_t partition) const { return open_[partition]; }
    // What is in the ledger.
    [[nodiscard]] SavedBatches& saved() { return saved_; }
    [[nodiscard]] const SavedBatches& saved() const { return saved_; }

    [[nodiscard]] bool empty() const {
        return saved_.empty() &&
               std::all_of(open_.begin(), open_.end(), [](const OpenLayers& open) { return open.empty(); });
    }
    // The least key; there must be one.
    [[nodiscard]] successor::Key next_key() const {
        successor::Key next = saved_.first_key().value_or(~successor::Key{0});
        for (const OpenLayers& open : open_)
            if (!open.empty()) next = std::min(next, open.first_key());
        return next;
    }
    [[nodiscard]] std::uint64_t states_in_memory() const {
        std::uint64_t count = 0;
        for (const OpenLayers& open : open_) count += open.size();
        return count;
    }
    [[nodiscard]] std::size_t layers_in_memory() const {
        std::size_t count = 0;
        for (const OpenLayers& open : open_) count += open.layer_count();
        return count;
    }
    [[nodiscard]] bool has_in_memory(successor::Key key) const {
        return std::any_of(open_.begin(), open_.end(), [key](const OpenLayers& open) { return open.contains(key); });
    }
    // Open states of a layer, in memory and on disk; without those of mixed batches.
    [[nodiscard]] std::uint64_t count(successor::Key key, const ledger::LedgerContents& ledger) const {
        std::uint64_t count = saved_.spilled_states(key, ledger);
        for (const OpenLayers& open : open_) count += open.count(key);
        return count;
    }

    // A layer waits in another pass from here on.
    void move_layer(successor::Key key, PassQueue& to) {
        for (std::size_t i = 0; i < open_.size(); ++i) open_[i].move_layer(key, to.open_[i]);
        saved_.move_layer(key, to.saved_);
    }
    // All that waits in another pass waits in this one from here on.
    void take_over(PassQueue& other) {
        for (std::size_t i = 0; i < open_.size(); ++i) open_[i].take_over(other.open_[i]);
        saved_.take_over(other.saved_);
    }
    // The open states of a queue in another packing; what is in the ledger stays.
    void take_repacked(PassQueue& repacked) {
        for (std::size_t i = 0; i < open_.size(); ++i)
            std::swap(open_[i], repacked.open_[i]);  // partitions know them by their addresses
    }

    [[nodiscard]] bool are_sizes_consistent() const {
        return std::all_of(open_.begin(), open_.end(), [](const OpenLayers& open) { return open.is_consistent(); });
    }

private:
    std::deque<OpenLayers> open_;  // by partition
    SavedBatches saved_;
};

// Whether no state of a partition is open in memory twice. Other keys than the current one wait in one pass only.
[[nodiscard]] inline bool is_open_once(const SweepLayer& current, successor::Key current_key,
                                       const OpenLayers& this_pass, const OpenLayers& next_pass) {
    bool is_once = true;
    this_pass.for_each([&](successor::Key key, const SweepLayer& layer) {
        const SweepLayer* deferred = next_pass.find(key);
        if (deferred != nullptr && (key != current_key || deferred->has_open_state_of(layer))) is_once = false;
    });
    for (const OpenLayers* queue : {&this_pass, &next_pass})
        if (const SweepLayer* layer = queue->find(current_key)) is_once = is_once && !current.has_open_state_of(*layer);
    return is_once;
}

}  // namespace tideline::explore
