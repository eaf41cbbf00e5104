// The queue of one pass, as far as it is in the ledger: batches of open states by their keys, and mixed batches of
// several small layers.
//
// A batch has been *spilled* where its states are on disk only, or *saved* where they are in memory too, for a
// checkpoint. A batch stays in the ledger until the sweep line has left its layer. A mixed batch (open_columns.hpp) is
// always spilled, and goes when it is read: the next checkpoint writes what is still open of it. Where a layer that was
// saved is spilled with others, the mixed batch has all of its open states, and the batches before it go at the next
// checkpoint: a search that is resumed would find the same states in both, and write them once more every time.
//
// Invariant: every batch here is live in the ledger's manifest, and in one queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ledger/ledger.hpp"
#include "successor/key.hpp"

namespace tideline::explore {

struct SavedBatch {
    std::uint64_t id = 0;
    bool is_in_memory = true;
    std::uint64_t slices = ~std::uint64_t{0};  // bit n: the sweep line has not been on slice n of the layer yet
};

class SavedBatches {
public:
    [[nodiscard]] bool empty() const { return batches_.empty() && mixed_.empty(); }
    [[nodiscard]] bool has_layers() const { return !batches_.empty(); }  // without mixed batches
    [[nodiscard]] std::optional<successor::Key> first_key() const {
        std::optional<successor::Key> first;
        if (!batches_.empty()) first = batches_.begin()->first;
        if (!mixed_.empty()) first = std::min(first.value_or(mixed_.begin()->first), mixed_.begin()->first);
        return first;
    }
    [[nodiscard]] std::size_t batch_count() const {
        std::size_t count = mixed_.size();
        for (const auto& [key, batches] : batches_) count += batches.size();
        return count;
    }

    // Records of open states that are on disk only, with those of the keys in mixed batches.
    [[nodiscard]] std::uint64_t spilled_records(const ledger::LedgerContents& ledger) const {
        if (!std::exchange(is_spilled_stale_, false)) return spilled_;
        spilled_ = 0;
        for (const auto& [key, batches] : batches_) spilled_ += count_spilled(batches, ledger);
        for (const auto& [key, id] : mixed_) spilled_ += ledger.waiting().at(id).count;
        return spilled_;
    }
    // States of a layer that are on disk only, without its mixed batches.
    [[nodiscard]] std::uint64_t spilled_states(successor::Key key, const ledger::LedgerContents& ledger) const {
        const auto found = batches_.find(key);
        return found == batches_.end() ? 0 : count_spilled(found->second, ledger);
    }

    void add(successor::Key key, const SavedBatch& batch) {
        is_spilled_stale_ = true;
        batches_[key].push_back(batch);
    }
    void add(successor::Key key, const std::vector<SavedBatch>& batches) {
        is_spilled_stale_ = true;
        std::vector<SavedBatch>& all = batches_[key];
        all.insert(all.end(), batches.begin(), batches.end());
    }
    void add_mixed(successor::Key least, std::uint64_t id) {
        is_spilled_stale_ = true;
        mixed_.emplace(least, id);
    }

    // The layer's states are not in memory any more.
    void mark_spilled(successor::Key key) {
        is_spilled_stale_ = true;
        if (const auto found = batches_.find(key); found != batches_.end())
            for (SavedBatch& batch : found->second) batch.is_in_memory = false;
    }
    // The batches of saved states that are not in memory any more, where is_in_memory(key) says so of their layer, go:
    // drop(id) for each.
    template <class IsInMemory, class Drop>
    void remove_superseded(IsInMemory is_in_memory, Drop drop) {
        const auto is_saved = [](const SavedBatch& batch) { return batch.is_in_memory; };
        for (auto layer = batches_.begin(); layer != batches_.end();) {
            auto& [key, batches] = *layer;
            if (std::any_of(batches.begin(), batches.end(), is_saved) && !is_in_memory(key)) {
                for (const SavedBatch& batch : batches)
                    if (batch.is_in_memory) drop(batch.id);
                std::erase_if(batches, is_saved);
            }
            layer = batches.empty() ? batches_.erase(layer) : std::next(layer);
        }
    }
    // The layer has been split finer: its batches are read again for the smaller slices.
    void restart_slices(successor::Key key) {
        if (const auto found = batches_.find(key); found != batches_.end())
            for (SavedBatch& batch : found->second) batch.slices = ~std::uint64_t{0};
    }

    // The sweep line comes to a slice of a layer: read(batch) for the batches that it needs. Those that no other slice
    // of `all` needs move to `current`.
    template <class Read>
    void take_slice(successor::Key key, std::uint32_t slice, std::uint64_t all, std::vector<SavedBatch>& current,
                    Read read) {
        const auto found = batches_.find(key);
        if (found == batches_.end()) return;
        is_spilled_stale_ = true;
        const std::uint64_t bit = std::uint64_t{1} << slice;
        for (SavedBatch& batch : found->second) {
            if (!batch.is_in_memory && (batch.slices & bit) != 0) read(batch.id);
            batch.slices &= ~bit;
            if ((batch.slices & all) == 0) current.push_back(batch);
        }
        std::erase_if(found->second, [all](const SavedBatch& batch) { return (batch.slices & all) == 0; });
        if (found->second.empty()) batches_.erase(found);
    }
    // A mixed batch whose least key this is.
    [[nodiscard]] std::optional<std::uint64_t> take_mixed(successor::Key least) {
        if (mixed_.empty() || mixed_.begin()->first != least) return std::nullopt;
        is_spilled_stale_ = true;
        return mixed_.extract(mixed_.begin()).mapped();
    }

    void move_layer(successor::Key key, SavedBatches& to) {
        auto batches = batches_.extract(key);
        if (!batches) return;
        is_spilled_stale_ = true;
        to.add(key, batches.mapped());
    }
    void take_over(SavedBatches& other) {
        is_spilled_stale_ = other.is_spilled_stale_ = true;
        for (const auto& [key, batches] : other.batches_) add(key, batches);
        other.batches_.clear();
        mixed_.merge(other.mixed_);
    }

    // visit(key, batches), in ascending order, until it returns false.
    template <class Visit>
    void for_each_layer(Visit visit) {
        is_spilled_stale_ = true;
        for (auto& [key, batches] : batches_)
            if (!visit(key, batches)) return;
    }

    [[nodiscard]] bool are_live(const ledger::LedgerContents& ledger) const {
        const auto is_live = [&](std::uint64_t id) { return ledger.waiting().contains(id); };
        return std::all_of(batches_.begin(), batches_.end(),
                           [&](const auto& layer) {
                               return std::all_of(layer.second.begin(), layer.second.end(),
                                                  [&](const SavedBatch& batch) { return is_live(batch.id); });
                           }) &&
               std::all_of(mixed_.begin(), mixed_.end(), [&](const auto& batch) { return is_live(batch.second); });
    }

private:
    [[nodiscard]] static std::uint64_t count_spilled(const std::vector<SavedBatch>& batches,
                                                     const ledger::LedgerContents& ledger) {
        std::uint64_t count = 0;
        for (const SavedBatch& batch : batches)
            if (!batch.is_in_memory) count += ledger.waiting().at(batch.id).count;
        return count;
    }

    std::map<successor::Key, std::vector<SavedBatch>> batches_;
    std::multimap<successor::Key, std::uint64_t> mixed_;  // by the least key
    mutable bool is_spilled_stale_ = false;
    mutable std::uint64_t spilled_ = 0;
};

}  // namespace tideline::explore
