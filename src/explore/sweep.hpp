// The sweep-line walk: states in the order of their progress keys, layers dropped as a whole when the line has passed
// them. K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method (2012), figure 3;
// Theorems 1 and 2 bound the states expanded by (|B| + 1)|V| and (n + 2)|V|.
//
// A regress edge to a state that is not in memory makes that state persistent and a root of the next sweep. Sweeps
// repeat until one finds no new root. With a monotonic measure there is one sweep and nothing is persistent.
//
// Where the measure's leading components are known never to decrease, sweeps are nested (the compositional method,
// section 3.2 of the survey): states of one value of them form a block, and sweeps repeat inside a block until one
// finds no new root. No step leads back into a block that is finished: its persistent states are dropped.
//
// Departures from the figure: the last layer of a sweep is dropped too (the figure forgets it), and each thread has the
// states whose hashes fall to it, in layers of its own; the line is the same for all. Inside a layer the order is any:
// what a layer holds in the end, and so every count, does not depend on it. With a constant measure and one thread it
// is the breadth-first search, state for state.
#pragma once

#include <algorithm>
#include <cassert>
#include <deque>
#include <iterator>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "explore/entries_in_order.hpp"
#include "explore/grouped_insertion.hpp"
#include "explore/sleep_queue.hpp"
#include "explore/walk.hpp"
#include "store/layers.hpp"

namespace tideline::explore {

class Sweep {
public:
    static constexpr WalkTraits kTraits{.retention = Retention::window, .order = ExpansionOrder::keys};

    class Partition {
    public:
        Partition(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                  const successor::Commuting* commuting, bool one_of_several)
            : layers_(words, bytes, try_reserve, one_of_several), asleep_(commuting) {}

        void insert_initial(const successor::Word* state, std::uint64_t hash, successor::Key key) {
            store::Layer& layer = layers_.at(key);
            if (layer.current.insert(state, hash)) count_new(layer, 1);
        }

        std::size_t pop_batch(successor::Word* states, successor::SleepSet* asleep, std::size_t most) {
            if (line_ == nullptr) return 0;
            std::size_t count = 0;
            if (line_->persistent) count = line_->persistent->roots.take(line_->persistent->states, states, most);
            if (count > 0) {
                if (asleep_.in_use()) std::fill_n(asleep, count, 0);
            } else {
                count = line_->pending.take(line_->current, states, most);
                if (asleep_.in_use()) asleep_.take(asleep, count);
            }
            taken_ += count;
            return count;
        }

        template <class Pick>
        void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                               std::vector<std::uint32_t>& discovered) {
            // Without a branch: what stays on the line cannot be predicted.
            here_.resize(count);
            queued_off_line_.resize(count);
            std::size_t here = 0;
            std::size_t elsewhere = 0;
            for (std::size_t j = 0; j < count; ++j) {
                const auto i = static_cast<std::uint32_t>(pick(j));
                const std::size_t stays = batch.key(i) == line_key_ ? 1 : 0;
                here_[here] = queued_off_line_[elsewhere] = i;
                here += stays;
                elsewhere += 1 - stays;
            }
            groups_.start(elsewhere);
            regress_.clear();
            for (const std::uint32_t i : std::span(queued_off_line_).first(elsewhere)) {
                const successor::Key key = batch.key(i);
                if (key > line_key_) {
                    groups_.add(i, layers_.at(key));
                } else if (monotonic_only_) {
                    against_order_ = Entry{&batch, i};
                    return;
                } else {
                    regress_.push_back(i);
                }
            }
            found_.start(batch.size());
            new_here_.clear();
            insert(*line_, batch, std::span(here_).first(here), new_here_);
            note_new(*line_, new_here_);
            line_->pending.push(line_->current, batch.state(0), new_here_);
            if (asleep_.in_use())
                asleep_.push(new_here_, [&](std::uint32_t index) { return is_first_sweep_ ? batch.asleep(index) : 0; });
            groups_.run([&](store::Layer& layer, std::span<const std::uint32_t> entries,
                            std::vector<std::uint32_t>& found) { insert(layer, batch, entries, found); },
                        [&](store::Layer& layer, std::span<const std::uint32_t> found) { note_new(layer, found); });
            for (const std::uint32_t i : regress_)
                layers_.persistent(layers_.at(batch.key(i))).states.prefetch(batch.hash(i));
            for (const std::uint32_t i : regress_)
                if (insert_behind(batch.state(i), batch.hash(i), layers_.at(batch.key(i)))) found_.add({&i, 1});
            found_.append_to(discovered);
        }
        void expanded() {}

        // An entry of a batch.
        struct Entry {
            const successor::SuccessorBatch* batch;
            std::size_t index;
        };
        // The first regress edge, where the measure must be monotonic: it is not followed.
        [[nodiscard]] const std::optional<Entry>& against_order() const { return against_order_; }

    private:
        friend class Sweep;

        struct Waiting {
            successor::Key key;
            bool operator<(const Waiting& other) const { return key > other.key; }  // the queue's top is the smallest
        };

        static constexpr std::size_t kBlock = 64;

        // Those of the entries that are new in a layer on the line or ahead of it.
        void insert(store::Layer& layer, const successor::SuccessorBatch& batch, std::span<const std::uint32_t> entries,
                    std::vector<std::uint32_t>& found) {
            if (!layer.persistent) {
                groups_.insert_all(layer.current, batch, entries, found);
                return;
            }
            const store::StateTable& persistent = layer.persistent->states;
            passing_.clear();
            for (std::size_t begin = 0; begin < entries.size(); begin += kBlock) {
                const auto block = entries.subspan(begin, std::min(kBlock, entries.size() - begin));
                for (const std::uint32_t i : block) persistent.prefetch(batch.hash(i));
                for (const std::uint32_t i : block)
                    if (!persistent.contains(batch.state(i), batch.hash(i))) passing_.push_back(i);
            }
            groups_.insert_all(layer.current, batch, passing_, found);
        }

        // The target of a regress edge.
        bool insert_behind(const successor::Word* state, std::uint64_t hash, store::Layer& layer) {
            ++regress_edges_;
            store::Layer::Persistent& persistent = layers_.persistent(layer);
            if (!persistent.states.insert(state, hash)) return false;
            persistent.roots.push(persistent.states, state);
            ++discovered_;
            ++stored_;
            ++persistent_;
            if (persistent.states.size() == 1) persistent_layers_.push_back(layer.key);
            enqueue(layer, true);
            return true;
        }

        void note_new(store::Layer& layer, std::span<const std::uint32_t> found) {
            found_.add(found);
            if (!found.empty()) count_new(layer, found.size());
        }
        void count_new(store::Layer& layer, std::size_t states) {
            discovered_ += states;
            stored_ += states;
            enqueue(layer, false);
        }

        // A layer with something to expand is due in this sweep or, for the target of a regress edge, in the next.
        void enqueue(store::Layer& layer, bool regress) {
            if (regress) {
                if (!layer.has_roots) roots_.push_back(layer.key);
                layer.has_roots = true;
            } else if (!layer.queued && &layer != line_) {
                layer.queued = true;
                queue_.push({layer.key});
            }
        }

        void enter(successor::Key key) {
            line_ = &layers_.at(key);
            line_key_ = key;
            if (line_->queued) queue_.pop();
            line_->queued = false;
            line_->pending.fill(line_->current);
            asleep_.wake_all(line_->current.size());
        }

        void leave() {
            if (line_ == nullptr) return;
            stored_ -= layers_.drop_current(*line_);
            line_ = nullptr;
        }

        void start_sweep() {
            line_key_ = 0;
            is_first_sweep_ = false;
            for (const successor::Key key : roots_) {
                store::Layer& layer = layers_.at(key);
                layer.has_roots = false;
                layer.queued = true;
                queue_.push({key});
            }
            roots_.clear();
        }

        // No state is open in the block any more, and no step leads back into it.
        void finish_block() {
            for (const successor::Key key : persistent_layers_) {
                store::Layer& layer = layers_.at(key);
                assert(layer.current.size() == 0 && !layer.has_roots && "the line has left the layer for good");
                stored_ -= layer.persistent->states.size();
                persistent_ -= layer.persistent->states.size();
                layer.persistent.reset();
                layers_.drop_current(layer);
            }
            persistent_layers_.clear();
            is_first_sweep_ = true;  // of the next block
        }

        store::Layers layers_;
        SleepQueue asleep_;           // in the states that are pending on the line
        bool is_first_sweep_ = true;  // of this block
        // Entries that are being absorbed: those that stay on the line, of which some are new, the others, and those
        // that lead behind it.
        std::vector<std::uint32_t> here_;
        std::vector<std::uint32_t> new_here_;
        std::vector<std::uint32_t> queued_off_line_;
        std::vector<std::uint32_t> regress_;
        std::vector<std::uint32_t> passing_;  // of those of a layer, the ones that do not persist there
        GroupedInsertion<store::Layer> groups_;
        EntriesInOrder found_;
        std::priority_queue<Waiting> queue_;
        std::vector<successor::Key> roots_;              // layers with roots of the next sweep
        std::vector<successor::Key> persistent_layers_;  // of this block: those with persistent states
        store::Layer* line_ = nullptr;                   // the layer that the line is on
        successor::Key line_key_ = 0;
        bool monotonic_only_ = false;
        std::optional<Entry> against_order_;
        std::uint64_t stored_ = 0;
        std::uint64_t taken_ = 0;
        std::uint64_t discovered_ = 0;
        std::uint64_t persistent_ = 0;  // in memory
        std::uint64_t regress_edges_ = 0;
    };

    // Keys that differ only in the lower `block_bits` form a block; no step leads to an earlier one. Nothing is known
    // of that where it is absent.
    // `monotonic_only`: the walk ends at a step to less progress.
    Sweep(const WalkSetup& setup, bool monotonic_only, std::optional<unsigned> block_bits = {})
        : try_reserve_(&setup.try_reserve), block_bits_(block_bits), counts_(1) {
        for (unsigned i = 0; i < setup.partitions; ++i)
            partitions_
                .emplace_back(setup.system.state_words(), setup.system.state_bytes(), setup.try_reserve,
                              setup.commuting, setup.partitions > 1)
                .monotonic_only_ = monotonic_only;
    }

    // Carries all states over to another packing. With several partitions they are redistributed: hashes have changed,
    // and with them the owners.
    void repack(const successor::System& wider, const successor::Repacking& translate, Owner owner) {
        const std::size_t words = wider.state_words();
        const std::size_t bytes = wider.state_bytes();
        if (partitions_.size() == 1) {
            partitions_[0].layers_.repack(words, bytes, translate);
            return;
        }
        std::deque<store::Layers> old;
        for (Partition& partition : partitions_) {
            old.push_back(std::exchange(partition.layers_, store::Layers(words, bytes, *try_reserve_, true)));
            partition.queue_ = {};
            partition.roots_.clear();
            partition.persistent_layers_.clear();
            if (partition.line_ != nullptr) partition.line_ = &partition.layers_.at(partition.line_key_);
        }
        std::vector<successor::Word> to(words);
        std::uint64_t hash = 0;
        const auto receiver = [&](const successor::Word* from) -> Partition& {
            translate(from, to.data());
            hash = successor::hash_state(to.data(), words);
            return partitions_[owner(hash)];
        };
        for (store::Layers& layers : old) {
            layers.for_each([&](store::Layer& layer) {
                layer.current.for_each([&](const successor::Word* from) {
                    Partition& partition = receiver(from);
                    store::Layer& mine = partition.layers_.at(layer.key);
                    mine.current.insert(to.data(), hash);
                    partition.enqueue(mine, false);
                });
                std::vector<successor::Word> from(layer.current.state_words());
                while (layer.pending.take(layer.current, from.data(), 1) != 0) {
                    store::Layer& mine = receiver(from.data()).layers_.at(layer.key);
                    mine.pending.push(mine.current, to.data());
                }
                // Dropped when it is done, so that there are never two whole sets.
                layer.current =
                    store::StateTable(layer.current.state_words(), layer.current.state_bytes(), *try_reserve_);
                if (!layer.persistent) return;
                layer.persistent->states.for_each([&](const successor::Word* state) {
                    Partition& partition = receiver(state);
                    store::Layer::Persistent& mine = partition.layers_.persistent(partition.layers_.at(layer.key));
                    mine.states.insert(to.data(), hash);
                    if (mine.states.size() == 1) partition.persistent_layers_.push_back(layer.key);
                });
                while (layer.persistent->roots.take(layer.persistent->states, from.data(), 1) != 0) {
                    Partition& partition = receiver(from.data());
                    store::Layer& mine = partition.layers_.at(layer.key);
                    mine.persistent->roots.push(mine.persistent->states, to.data());
                    // Roots behind the line are for the next sweep, the others for this one.
                    partition.enqueue(mine, layer.key < partition.line_key_);
                }
                layer.persistent.reset();
            });
        }
        for (Partition& partition : partitions_)
            if (partition.line_ != nullptr)
                partition.asleep_.wake_all(partition.line_->pending.size(partition.line_->current));
    }

    [[nodiscard]] Partition& partition(std::size_t i) { return partitions_[i]; }

    // To the next layer of this sweep, or to the first one of the next sweep or block. False: all is done.
    bool advance(Owner /*owner*/) {
        note_peaks();
        for (Partition& partition : partitions_) partition.leave();
        std::optional<successor::Key> next = next_key();
        if (!next || (block_ && block_of(*next) != *block_)) {
            if (std::any_of(partitions_.begin(), partitions_.end(),
                            [](const Partition& partition) { return !partition.roots_.empty(); }))
                start_sweep();
            else finish_block();
            next = next_key();
        }
        if (!next) return false;
        assert((!block_ || *block_ <= block_of(*next)) && "no step leads to an earlier block");
        block_ = block_of(*next);
        for (Partition& partition : partitions_) partition.enter(*next);
        recent_keys_.push_back(*next);
        ++layers_of_sweep_;
        return true;
    }

    [[nodiscard]] std::uint64_t states() const { return sum(&Partition::discovered_); }

    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Partition& partition : partitions_) {
            if (partition.line_ == nullptr) continue;
            result += partition.line_->pending.size(partition.line_->current);
            if (partition.line_->persistent)
                result += partition.line_->persistent->roots.size(partition.line_->persistent->states);
        }
        return result;
    }

    void count(Statistics& statistics) {
        note_peaks();
        statistics.states = states();
        statistics.states_exact =
            sum(&Partition::regress_edges_) == 0;  // the target of a regress edge may have been met before
        statistics.peak_states = peak_;
        statistics.waiting = states() - sum(&Partition::taken_);
        statistics.layers = layers_before_ + std::max<std::uint64_t>(keys_.size(), layers_of_sweep_);
        statistics.sweeps = counts_.size();
        statistics.persistent = most_persistent_;
        statistics.regress_edges = sum(&Partition::regress_edges_);
        statistics.widest_layer = widest_;
    }

    [[nodiscard]] const std::vector<SweepCount>& details() const { return counts_; }

private:
    [[nodiscard]] std::uint64_t sum(std::uint64_t Partition::* figure) const {
        std::uint64_t result = 0;
        for (const Partition& partition : partitions_) result += partition.*figure;
        return result;
    }

    // The least key with open states in this sweep.
    [[nodiscard]] std::optional<successor::Key> next_key() const {
        std::optional<successor::Key> next;
        for (const Partition& partition : partitions_)
            if (!partition.queue_.empty() && (!next || partition.queue_.top().key < *next))
                next = partition.queue_.top().key;
        return next;
    }

    [[nodiscard]] successor::Key block_of(successor::Key key) const {
        return !block_bits_ || *block_bits_ >= 128 ? 0 : key >> *block_bits_;
    }

    // From the roots that were found, all of them in this block.
    void start_sweep() {
        if (recent_keys_.size() > keys_.size()) merge_keys();
        layers_of_sweep_ = 0;
        taken_before_ = sum(&Partition::taken_);
        counts_.emplace_back().peak_states = sum(&Partition::stored_);
        for (Partition& partition : partitions_) partition.start_sweep();
    }

    void finish_block() {
        for (Partition& partition : partitions_) partition.finish_block();
        // A sweep comes to a key once.
        const bool was_one_sweep = keys_.empty() && recent_keys_.size() == layers_of_sweep_;
        if (!was_one_sweep) merge_keys();
        layers_before_ += was_one_sweep ? recent_keys_.size() : keys_.size();
        layers_of_sweep_ = 0;
        keys_.clear();
        recent_keys_.clear();
    }

    // States only come while the line is on a layer: looking before it moves on is enough.
    void note_peaks() {
        const std::uint64_t stored = sum(&Partition::stored_);
        peak_ = std::max(peak_, stored);
        most_persistent_ = std::max(most_persistent_, sum(&Partition::persistent_));
        counts_.back().peak_states = std::max(counts_.back().peak_states, stored);
        counts_.back().expanded = sum(&Partition::taken_) - taken_before_;
        std::uint64_t on_line = 0;
        for (const Partition& partition : partitions_)
            if (partition.line_ != nullptr) on_line += partition.line_->size();
        widest_ = std::max(widest_, on_line);
    }

    // Sweeps reach many keys again. They are not merged after every one: there may be as many sweeps as states.
    void merge_keys() {
        std::sort(recent_keys_.begin(), recent_keys_.end());
        recent_keys_.erase(std::unique(recent_keys_.begin(), recent_keys_.end()), recent_keys_.end());
        std::vector<successor::Key> both;
        std::set_union(keys_.begin(), keys_.end(), recent_keys_.begin(), recent_keys_.end(), std::back_inserter(both));
        keys_ = std::move(both);
        recent_keys_.clear();
    }

    const store::MemoryBudget* try_reserve_;
    std::deque<Partition> partitions_;
    std::optional<unsigned> block_bits_;
    std::optional<successor::Key> block_;  // that the line is in
    std::vector<SweepCount> counts_;
    std::uint64_t peak_ = 0;
    std::uint64_t most_persistent_ = 0;
    std::uint64_t widest_ = 0;
    std::uint64_t taken_before_ = 0;           // this sweep
    std::vector<successor::Key> keys_;         // of this block that the line has been on, in ascending order,
    std::vector<successor::Key> recent_keys_;  // and those not merged with them yet
    std::uint64_t layers_before_ = 0;          // of the blocks that are finished
    std::uint64_t layers_of_sweep_ = 0;        // in this block
};

}  // namespace tideline::explore
