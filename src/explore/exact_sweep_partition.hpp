// One thread's partition of an exact sweep (exact_sweep.hpp): of every layer, the states whose hashes make the thread
// their owner. It takes states from the current layer and inserts successors where they belong: into the current layer,
// or into those that wait in this pass or the next. It does not use the ledger.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>
#include <vector>

#include "explore/entries_in_order.hpp"
#include "explore/grouped_insertion.hpp"
#include "explore/layer_numbers.hpp"
#include "explore/open_layers.hpp"
#include "explore/sleep_queue.hpp"
#include "explore/sweep_decisions.hpp"
#include "explore/sweep_layer.hpp"
#include "explore/sweep_mode.hpp"

namespace tideline::explore {

class ExactSweepPartition {
public:
    // The states that were taken last, in columns.
    struct TakenStates {
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint64_t> parents;
        std::vector<std::uint32_t> transitions;
        std::vector<store::PackedNumber> positions;  // where states have numbers
    };

    // The mode and the queues must outlive it.
    ExactSweepPartition(const StateShape& shape, const SweepMode& mode, OpenLayers& this_pass, OpenLayers& next_pass,
                        const successor::Commuting* commuting, const TemporaryIds& ids)
        : shape_(shape),
          mode_(&mode),
          this_pass_(&this_pass),
          next_pass_(&next_pass),
          current_(shape),
          asleep_(commuting),
          ids_(ids) {}

    // ---- by the partition's thread ----------------------------------------------------------------------------------

    void insert_initial(const successor::Word* state, std::uint64_t hash, successor::Key key) {
        this_pass_->insert(mode_->by_level ? 0 : key,
                           {state, hash, store::RecordLog::kNoParent, 0, mode_->is_numbered ? ids_.give() : 0});
    }

    // Takes open states of the current layer.
    std::size_t pop_batch(successor::Word* states, successor::SleepSet* asleep, std::size_t most) {
        const std::size_t count = std::min<std::uint64_t>(most, current_.open.size());
        taken_.bytes.resize(count * shape_.bytes);
        taken_.parents.resize(count);
        taken_.transitions.resize(count);
        if (current_.numbers) {
            const auto first = current_.numbers->positions.begin() + static_cast<std::ptrdiff_t>(current_.open.begin());
            taken_.positions.assign(first, first + static_cast<std::ptrdiff_t>(count));
        }
        for (std::size_t i = 0; i < count; ++i) {
            const store::RecordLog::Record record = current_.open.pop();
            successor::Word* state = states + i * shape_.words;
            state[shape_.words - 1] = 0;
            std::memcpy(state, record.state, shape_.bytes);
            std::memcpy(taken_.bytes.data() + i * shape_.bytes, record.state, shape_.bytes);
            taken_.parents[i] = record.parent;
            taken_.transitions[i] = record.transition;
        }
        if (asleep_.in_use()) asleep_.take(asleep, count);
        return count;
    }

    // Inserts the entries pick(0) ... pick(count - 1) of a batch; those that are new are appended to `discovered`, in
    // ascending order.
    template <class Pick>
    void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                           std::vector<std::uint32_t>& discovered) {
        if (mode_->is_numbered) return insert_numbered(batch, count, pick, discovered);
        groups_.start(count);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(j);
            groups_.add(i, target_of(batch, i));
        }
        find_sources(batch);
        found_.start(batch.size());
        const auto insert = [&](SweepLayer& layer, std::span<const std::uint32_t> entries,
                                std::vector<std::uint32_t>& found) {
            groups_.insert_all(layer.table, batch, entries, found);
        };
        groups_.run(insert, [&](SweepLayer& layer, std::span<const std::uint32_t> found) {
            for (const std::uint32_t i : found)
                layer.open.push(batch.state(i), batch.first_number() + source_of_[i], batch.transition(i));
            found_.add(found);
            if (&layer != &current_) queue_of(layer).add(found.size());
            else if (asleep_.in_use())  // what sleeps must lead to a state of the layer's table
                asleep_.push(found, [&](std::uint32_t i) { return mode_->streams ? 0 : batch.asleep(i); });
        });
        found_.append_to(discovered);
    }
    void expanded() {}
    // The numbers of the entries that were inserted last, each to its index in the batch.
    template <class Pick>
    void give_numbers(Pick pick, std::vector<std::uint64_t>& to) const {
        for (std::size_t j = 0; j < inserted_.size(); ++j) to[pick(j)] = inserted_[j];
    }

    // ---- by the sweep, between rounds -------------------------------------------------------------------------------

    [[nodiscard]] SweepLayer& current() { return current_; }
    [[nodiscard]] const SweepLayer& current() const { return current_; }
    [[nodiscard]] TakenStates& taken() { return taken_; }
    [[nodiscard]] std::uint64_t regress_edges() const { return regress_edges_; }
    // An entry of a batch.
    struct Entry {
        const successor::SuccessorBatch* batch;
        std::size_t index;
    };
    // The first regress edge, where the measure must be monotonic.
    [[nodiscard]] const std::optional<Entry>& against_order() const { return against_order_; }
    [[nodiscard]] const TemporaryIds& temporary_ids() const { return ids_; }

    // The sweep line comes to a slice: what this pass has of it in memory becomes the current layer.
    void enter(const Slice& slice) {
        at_ = slice;
        forget_layers();
        if (mode_->split_bits == 0) this_pass_->take(slice.key, current_);
        else
            this_pass_->take_slice(slice.key, current_,
                                   [this](std::uint64_t hash) { return mode_->slice_of(hash) == at_.slice; });
    }
    // All open states of the current layer are there: none has steps that sleep.
    void wake_all() { asleep_.wake_all(current_.open.size()); }
    // The current layer is freed.
    void leave() { current_ = SweepLayer(shape_); }
    // The sweep line stands on no slice of the layer: successors of the same key wait.
    void leave_slice() { at_.slice = kNoSlice; }
    // Layers have left the queues or changed them.
    void forget_layers() { std::fill(std::begin(cached_), std::end(cached_), CachedLayer{}); }

    // States are packed with wider fields from here on; the current layer and the queues have been carried over.
    void repack(const StateShape& shape, SweepLayer&& current) {
        shape_ = shape;
        current_ = std::move(current);
        wake_all();
        forget_layers();
    }

private:
    struct CachedLayer {
        successor::Key key = 0;
        SweepLayer* layer = nullptr;
    };

    [[gnu::always_inline]] SweepLayer& target_of(const successor::SuccessorBatch& batch, std::size_t i) {
        const successor::Key key = mode_->by_level ? 0 : batch.key(i);
        if (key < at_.key) note_regress_edge(batch, i);
        if (mode_->by_level || key != at_.key || mode_->slice_of(batch.hash(i)) != at_.slice) return waiting_layer(key);
        const bool may_be_visited = mode_->streams && mode_->visited.may_contain(batch.hash(i));
        return may_be_visited && !current_.table.contains(batch.state(i), batch.hash(i)) ? waiting_layer(key)
                                                                                         : current_;
    }

    void note_regress_edge(const successor::SuccessorBatch& batch, std::size_t i) {
        ++regress_edges_;
        if (mode_->monotonic_only && !against_order_) against_order_ = Entry{&batch, i};
    }

    // insert_successors() where every entry needs the number of its state.
    template <class Pick>
    void insert_numbered(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                         std::vector<std::uint32_t>& discovered) {
        targets_.resize(count);
        inserted_.resize(count);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(j);
            targets_[j] = &target_of(batch, i);
            targets_[j]->numbers->table.prefetch(batch.hash(i));
        }
        find_sources(batch);
        constexpr std::size_t kAhead = 16;
        for (std::size_t j = 0; j < std::min(kAhead, count); ++j)
            targets_[j]->numbers->table.prefetch_state(batch.hash(pick(j)));
        for (std::size_t j = 0; j < count; ++j) {
            if (j + kAhead < count) targets_[j + kAhead]->numbers->table.prefetch_state(batch.hash(pick(j + kAhead)));
            const std::size_t i = pick(j);
            SweepLayer& layer = *targets_[j];
            const store::NumberedTable::Insertion inserted = layer.numbers->table.insert(batch.state(i), batch.hash(i));
            if (inserted.is_new) {
                layer.numbers->open(inserted.number, ids_.give());
                layer.open.push(batch.state(i), batch.first_number() + source_of_[i], batch.transition(i));
                if (&layer != &current_) queue_of(layer).add(1);
                discovered.push_back(static_cast<std::uint32_t>(i));
            }
            inserted_[j] = layer.numbers->table.payload(inserted.number);
        }
    }

    // The source of every entry of a batch, among its complete ones; of the last entries perhaps the one behind them.
    void find_sources(const successor::SuccessorBatch& batch) {
        source_of_.resize(batch.size());
        std::uint32_t begin = 0;
        for (std::size_t n = 0; n < batch.complete_sources(); begin = batch.end(n++))
            std::fill(source_of_.begin() + begin, source_of_.begin() + batch.end(n), static_cast<std::uint32_t>(n));
        std::fill(source_of_.begin() + begin, source_of_.end(), static_cast<std::uint32_t>(batch.complete_sources()));
    }

    // A layer in one of the queues; it may have the key of the current one. The successors of a layer lie in few
    // others: the last ones are found without a lookup.
    SweepLayer& waiting_layer(successor::Key key) {
        const auto mixed = static_cast<std::uint64_t>(key ^ (key >> 64U));
        CachedLayer& cached = cached_[mixed * 0x9E3779B97F4A7C15U >> 58U];
        if (cached.layer == nullptr || cached.key != key)
            cached = {key, &(is_in_this_pass(key) ? this_pass_ : next_pass_)->at(key)};
        return *cached.layer;
    }
    // Whether a successor of this key that does not join the current layer waits in this pass.
    [[nodiscard]] bool is_in_this_pass(successor::Key key) const {
        return !mode_->by_level && (key > at_.key || (key == at_.key && !(mode_->streams && mode_->defers)));
    }
    [[nodiscard]] OpenLayers& queue_of(const SweepLayer& layer) const {
        return *(layer.in_next_pass ? next_pass_ : this_pass_);
    }

    StateShape shape_;
    const SweepMode* mode_;
    OpenLayers* this_pass_;
    OpenLayers* next_pass_;
    SweepLayer current_;  // the current layer, or the current slice of it
    Slice at_;            // which that is
    SleepQueue asleep_;   // in the open states of the current layer
    TemporaryIds ids_;
    TakenStates taken_;
    std::uint64_t regress_edges_ = 0;
    std::optional<Entry> against_order_;
    // Of the entries that are being inserted.
    std::vector<SweepLayer*> targets_;
    std::vector<std::uint32_t> source_of_;
    GroupedInsertion<SweepLayer> groups_;
    EntriesInOrder found_;
    CachedLayer cached_[64];
    std::vector<std::uint64_t> inserted_;  // numbers of the entries that were inserted last
};

}  // namespace tideline::explore
