// Compares the open states of the current layer with V(k), the states of its key that are in the ledger: an open state
// that is there is not open any more.
//
// V(k) is *kept*: its states become part of the layer in memory, where later successors find them. Or it is *streamed*:
// of its states only a filter remains, a byte per state (sweep_mode.hpp). By level V(k) is neither: successors wait for
// the next level, and are compared then (delayed duplicate detection). Where the layer is split, only the states of the
// current slice count.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "explore/ledger_states.hpp"
#include "explore/sweep_layer.hpp"
#include "explore/sweep_mode.hpp"
#include "store/hash_filter.hpp"

namespace tideline::explore {

[[nodiscard]] inline std::uint64_t count_states(std::span<const ledger::Extent> extents) {
    std::uint64_t count = 0;
    for (const ledger::Extent& extent : extents) count += extent.count;
    return count;
}

class VisitedLoader {
public:
    // All must outlive it. `current` has the current layer of every partition.
    VisitedLoader(LedgerStates& ledger, SweepMode& mode, const StateShape& shape,
                  const std::vector<SweepLayer*>& current)
        : ledger_(&ledger), mode_(&mode), shape_(&shape), current_(&current) {}

    // Reads the extents of V(k). owner(hash) is the partition of a state.
    template <class Owner>
    void remove_from_open(std::span<const ledger::Extent> extents, std::uint32_t slice, Owner owner) {
        store::HashFilter open;  // avoids the lookup of a streamed state
        if (mode_->streams) prepare_streaming(extents, open);
        const bool keeps = !mode_->by_level && !mode_->streams;
        std::deque<store::StateTable> found;  // by partition: open states that have been visited
        for (std::size_t i = 0; i < current_->size(); ++i)
            found.emplace_back(shape_->words, shape_->bytes, *shape_->try_reserve);
        std::uint64_t hits = 0;
        const auto prefetch = [&](std::uint64_t hash) {
            if (!mode_->streams) (*current_)[owner(hash)]->table.prefetch(hash);
        };
        const auto compare = [&](const successor::Word* state, std::uint64_t hash, std::uint64_t /*number*/) {
            if (mode_->slice_of(hash) != slice) return;
            if (mode_->streams) {
                mode_->visited.add(hash);
                if (!open.may_contain(hash)) return;
            }
            const std::size_t partition = owner(hash);
            store::StateTable& table = (*current_)[partition]->table;
            const bool is_open = keeps ? !table.insert(state, hash) : table.contains(state, hash);
            if (is_open) hits += found[partition].insert(state, hash);
        };
        for (const ledger::Extent& extent : extents) ledger_->for_each_visited(extent, prefetch, compare);
        if (hits == 0) return;
        for (std::size_t i = 0; i < current_->size(); ++i) (*current_)[i]->remove_visited(*shape_, found[i]);
    }

    // The same where states have numbers. An open state that has been visited keeps its position, with the number of
    // V(k). `after_extent()` may write the fix-ups.
    template <class Owner, class AfterExtent>
    void remove_from_open_numbered(std::span<const ledger::Extent> extents, std::uint32_t slice, Owner owner,
                                   IdFixups& fixups, AfterExtent after_extent) {
        std::uint64_t hits = 0;
        const auto prefetch = [&](std::uint64_t hash) { (*current_)[owner(hash)]->numbers->table.prefetch(hash); };
        const auto compare = [&](const successor::Word* state, std::uint64_t hash, std::uint64_t number) {
            if (mode_->slice_of(hash) != slice) return;
            LayerNumbers& numbers = *(*current_)[owner(hash)]->numbers;
            if (mode_->by_level) {
                if (const std::optional<LayerNumbers::Position> position = numbers.table.find(state, hash)) {
                    ++hits;
                    numbers.resolve(*position, number, fixups);
                }
                return;
            }
            const store::NumberedTable::Insertion inserted = numbers.table.insert(state, hash);
            if (inserted.is_new) {
                numbers.table.set_payload(inserted.number, number);
            } else {
                ++hits;
                numbers.resolve(inserted.number, number, fixups);
            }
        };
        for (const ledger::Extent& extent : extents) {
            ledger_->for_each_visited(extent, prefetch, compare);
            after_extent();
        }
        if (hits == 0) return;
        for (SweepLayer* layer : *current_) layer->remove_resolved(*shape_);
    }

private:
    void prepare_streaming(std::span<const ledger::Extent> extents, store::HashFilter& open) {
        std::uint64_t count = 0;
        for (const SweepLayer* layer : *current_) count += layer->table.size();
        open.reset(2 * count);
        for (const SweepLayer* layer : *current_)
            layer->table.for_each(
                [&](const successor::Word* state) { open.add(successor::hash_state(state, shape_->words)); });
        mode_->visited.reset(count_states(extents));
    }

    LedgerStates* ledger_;
    SweepMode* mode_;
    const StateShape* shape_;
    const std::vector<SweepLayer*>* current_;
};

}  // namespace tideline::explore
