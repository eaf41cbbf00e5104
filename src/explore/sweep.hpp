// The sweep-line walk: states in the order of their progress keys, layers dropped as a whole when the line has passed them.
// K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method (2012), figure 3; Theorems 1 and 2
// bound the states expanded by (|B| + 1)|V| and (n + 2)|V|.
//
// A regress edge to a state that is not in memory makes that state persistent and a root of the next sweep. Sweeps repeat until
// one finds no new root. With a monotonic measure there is one sweep and nothing is persistent.
//
// Where the measure's leading components are known never to decrease, sweeps are nested (the compositional method, section 3.2 of the
// survey): states of one value of them form a block, and sweeps repeat inside a block until one finds no new root. No step leads back into
// a block that is finished: its persistent states are dropped.
//
// Departures from the figure: the last layer of a sweep is dropped too (the figure forgets it), and each thread has the states whose hashes
// fall to it, in layers of its own; the line is the same for all. Inside a layer the order is any: what a layer holds in the
// end, and so every count, does not depend on it. With a constant measure and one thread it is the breadth-first search, state for state.
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
#include "explore/search.hpp"
#include "explore/sleep_queue.hpp"
#include "store/layers.hpp"

namespace tideline {

class Sweep {
public:
    static constexpr bool kForgets = true;  // one state may be discovered more than once, and paths are not known
    static constexpr bool kInOrder = false;
    static constexpr bool kByLevels = false;
    static constexpr bool kJoint = false;
    static constexpr bool kDiscoversOnTake = false;
    static constexpr bool kSleeps = true;
    static constexpr bool kRecords = false;

    class Share {
    public:
        Share(std::size_t words, std::size_t bytes, const Permission& may_allocate, const Commuting* commuting, bool one_of_several)
            : layers_(words, bytes, may_allocate, one_of_several), asleep_(commuting) {}

        void insert_initial(const Word* state, std::uint64_t hash, Key key) {
            Layer& layer = layers_.at(key);
            if (layer.current.insert(state, hash)) count_new(layer, 1);
        }

        std::size_t take(Word* states, SleepSet* asleep, std::size_t most) {
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
        void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
            // Without a branch: what stays on the line cannot be predicted.
            here_.resize(count);
            elsewhere_.resize(count);
            std::size_t here = 0;
            std::size_t elsewhere = 0;
            for (std::size_t j = 0; j < count; ++j) {
                const auto i = static_cast<std::uint32_t>(pick(j));
                const std::size_t stays = batch.key(i) == line_key_ ? 1 : 0;
                here_[here] = elsewhere_[elsewhere] = i;
                here += stays;
                elsewhere += 1 - stays;
            }
            groups_.start(elsewhere);
            regress_.clear();
            for (const std::uint32_t i : std::span(elsewhere_).first(elsewhere)) {
                const Key key = batch.key(i);
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
            if (asleep_.in_use()) asleep_.push(new_here_, [&](std::uint32_t place) { return is_first_sweep_ ? batch.asleep(place) : 0; });
            groups_.run([&](Layer& layer, std::span<const std::uint32_t> entries, std::vector<std::uint32_t>& found) { insert(layer, batch, entries, found); },
                        [&](Layer& layer, std::span<const std::uint32_t> found) { note_new(layer, found); });
            for (const std::uint32_t i : regress_) layers_.persistent(layers_.at(batch.key(i))).states.prefetch(batch.hash(i));
            for (const std::uint32_t i : regress_)
                if (insert_behind(batch.state(i), batch.hash(i), layers_.at(batch.key(i)))) found_.add({&i, 1});
            found_.append_to(fresh);
        }
        void expanded() {}

        // An entry of a batch.
        struct Entry {
            const SuccessorBatch* batch;
            std::size_t place;
        };
        // From here on a regress edge is not followed; the first one is told by against_order().
        void demand_order() { monotonic_only_ = true; }
        [[nodiscard]] const std::optional<Entry>& against_order() const { return against_order_; }

    private:
        friend class Sweep;

        struct Waiting {
            Key key;
            bool operator<(const Waiting& other) const { return key > other.key; }  // the queue's top is the smallest
        };

        static constexpr std::size_t kBlock = 64;

        // Those of the entries that are new in a layer on the line or ahead of it.
        void insert(Layer& layer, const SuccessorBatch& batch, std::span<const std::uint32_t> entries, std::vector<std::uint32_t>& found) {
            if (!layer.persistent) {
                groups_.insert_all(layer.current, batch, entries, found);
                return;
            }
            const StateTable& persistent = layer.persistent->states;
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
        bool insert_behind(const Word* state, std::uint64_t hash, Layer& layer) {
            ++regress_edges_;
            Layer::Persistent& persistent = layers_.persistent(layer);
            if (!persistent.states.insert(state, hash)) return false;
            persistent.roots.push(persistent.states, state);
            ++discovered_;
            ++stored_;
            ++persistent_;
            if (persistent.states.size() == 1) persistent_layers_.push_back(layer.key);
            enqueue(layer, true);
            return true;
        }

        void note_new(Layer& layer, std::span<const std::uint32_t> found) {
            found_.add(found);
            if (!found.empty()) count_new(layer, found.size());
        }
        void count_new(Layer& layer, std::size_t states) {
            discovered_ += states;
            stored_ += states;
            enqueue(layer, false);
        }

        // A layer with something to expand is due in this sweep or, for the target of a regress edge, in the next.
        void enqueue(Layer& layer, bool regress) {
            if (regress) {
                if (!layer.has_roots) roots_.push_back(layer.key);
                layer.has_roots = true;
            } else if (!layer.queued && &layer != line_) {
                layer.queued = true;
                queue_.push({layer.key});
            }
        }

        void enter(Key key) {
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
            for (const Key key : roots_) {
                Layer& layer = layers_.at(key);
                layer.has_roots = false;
                layer.queued = true;
                queue_.push({key});
            }
            roots_.clear();
        }

        // Nothing waits in the block any more, and no step leads back into it.
        void finish_block() {
            for (const Key key : persistent_layers_) {
                Layer& layer = layers_.at(key);
                assert(layer.current.size() == 0 && !layer.has_roots && "the line has left the layer for good");
                stored_ -= layer.persistent->states.size();
                persistent_ -= layer.persistent->states.size();
                layer.persistent.reset();
                layers_.drop_current(layer);
            }
            persistent_layers_.clear();
            is_first_sweep_ = true;  // of the next block
        }

        Layers layers_;
        SleepQueue asleep_;              // in the states that are pending on the line
        bool is_first_sweep_ = true;     // of this block
        // Entries that are being absorbed: those that stay on the line, of which some are new, the others, and those that lead behind it.
        std::vector<std::uint32_t> here_;
        std::vector<std::uint32_t> new_here_;
        std::vector<std::uint32_t> elsewhere_;
        std::vector<std::uint32_t> regress_;
        std::vector<std::uint32_t> passing_;  // of those of a layer, the ones that do not persist there
        GroupedInsertion<Layer> groups_;
        EntriesInOrder found_;
        std::priority_queue<Waiting> queue_;
        std::vector<Key> roots_;         // layers with roots of the next sweep
        std::vector<Key> persistent_layers_;  // of this block: those with persistent states
        Layer* line_ = nullptr;          // the layer that the line is on
        Key line_key_ = 0;
        bool monotonic_only_ = false;
        std::optional<Entry> against_order_;
        std::uint64_t stored_ = 0;
        std::uint64_t taken_ = 0;
        std::uint64_t discovered_ = 0;
        std::uint64_t persistent_ = 0;   // in memory
        std::uint64_t regress_edges_ = 0;
    };

    // Keys that differ only in the lower `block_bits` form a block; no step leads to an earlier one. Nothing is known of that where it is
    // absent.
    Sweep(const System& system, const Permission& may_allocate, unsigned shares, std::optional<unsigned> block_bits = {})
        : may_allocate_(&may_allocate), block_bits_(block_bits), counts_(1) {
        for (unsigned i = 0; i < shares; ++i)
            shares_.emplace_back(system.state_words(), system.state_bytes(), may_allocate, system.commuting(), shares > 1);
    }

    // Carries all states over to another packing. With several shares they are dealt out anew: hashes have changed, and with them the owners.
    template <class Owner>
    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate, Owner owner) {
        if (shares_.size() == 1) {
            shares_[0].layers_.repack(words, bytes, translate);
            return;
        }
        std::deque<Layers> old;
        for (Share& share : shares_) {
            old.push_back(std::exchange(share.layers_, Layers(words, bytes, *may_allocate_, true)));
            share.queue_ = {};
            share.roots_.clear();
            share.persistent_layers_.clear();
            if (share.line_ != nullptr) share.line_ = &share.layers_.at(share.line_key_);
        }
        std::vector<Word> to(words);
        std::uint64_t hash = 0;
        const auto receiver = [&](const Word* from) -> Share& {
            translate(from, to.data());
            hash = hash_state(to.data(), words);
            return shares_[owner(hash)];
        };
        for (Layers& layers : old) {
            layers.for_each([&](Layer& layer) {
                layer.current.for_each([&](const Word* from) {
                    Share& share = receiver(from);
                    Layer& mine = share.layers_.at(layer.key);
                    mine.current.insert(to.data(), hash);
                    share.enqueue(mine, false);
                });
                std::vector<Word> from(layer.current.state_words());
                while (layer.pending.take(layer.current, from.data(), 1) != 0) {
                    Layer& mine = receiver(from.data()).layers_.at(layer.key);
                    mine.pending.push(mine.current, to.data());
                }
                // Dropped when it is done, so that there are never two whole sets.
                layer.current = StateTable(layer.current.state_words(), layer.current.state_bytes(), *may_allocate_);
                if (!layer.persistent) return;
                layer.persistent->states.for_each([&](const Word* state) {
                    Share& share = receiver(state);
                    Layer::Persistent& mine = share.layers_.persistent(share.layers_.at(layer.key));
                    mine.states.insert(to.data(), hash);
                    if (mine.states.size() == 1) share.persistent_layers_.push_back(layer.key);
                });
                while (layer.persistent->roots.take(layer.persistent->states, from.data(), 1) != 0) {
                    Share& share = receiver(from.data());
                    Layer& mine = share.layers_.at(layer.key);
                    mine.persistent->roots.push(mine.persistent->states, to.data());
                    // Roots behind the line are for the next sweep, the others for this one.
                    share.enqueue(mine, layer.key < share.line_key_);
                }
                layer.persistent.reset();
            });
        }
        for (Share& share : shares_)
            if (share.line_ != nullptr) share.asleep_.wake_all(share.line_->pending.size(share.line_->current));
    }

    [[nodiscard]] Share& share(std::size_t i) { return shares_[i]; }

    // To the next layer of this sweep, or to the first one of the next sweep or block. False: all is done.
    bool advance() {
        note_peaks();
        for (Share& share : shares_) share.leave();
        std::optional<Key> next = next_key();
        if (!next || (block_ && block_of(*next) != *block_)) {
            if (std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return !share.roots_.empty(); }))
                start_sweep();
            else
                finish_block();
            next = next_key();
        }
        if (!next) return false;
        assert((!block_ || *block_ <= block_of(*next)) && "no step leads to an earlier block");
        block_ = block_of(*next);
        for (Share& share : shares_) share.enter(*next);
        recent_keys_.push_back(*next);
        ++layers_of_sweep_;
        return true;
    }

    [[nodiscard]] std::uint64_t states() const { return sum(&Share::discovered_); }

    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) {
            if (share.line_ == nullptr) continue;
            result += share.line_->pending.size(share.line_->current);
            if (share.line_->persistent) result += share.line_->persistent->roots.size(share.line_->persistent->states);
        }
        return result;
    }

    void count(Statistics& statistics) {
        note_peaks();
        statistics.states = states();
        statistics.states_exact = sum(&Share::regress_edges_) == 0;  // the target of a regress edge may have been met before
        statistics.peak_states = peak_;
        statistics.waiting = states() - sum(&Share::taken_);
        statistics.layers = layers_before_ + std::max<std::uint64_t>(keys_.size(), layers_of_sweep_);
        statistics.sweeps = counts_.size();
        statistics.persistent = most_persistent_;
        statistics.regress_edges = sum(&Share::regress_edges_);
        statistics.widest_layer = widest_;
    }

    [[nodiscard]] const std::vector<SweepCount>& details() const { return counts_; }

private:
    [[nodiscard]] std::uint64_t sum(std::uint64_t Share::* figure) const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.*figure;
        return result;
    }

    // The least key that waits in this sweep.
    [[nodiscard]] std::optional<Key> next_key() const {
        std::optional<Key> next;
        for (const Share& share : shares_)
            if (!share.queue_.empty() && (!next || share.queue_.top().key < *next)) next = share.queue_.top().key;
        return next;
    }

    [[nodiscard]] Key block_of(Key key) const { return !block_bits_ || *block_bits_ >= 128 ? 0 : key >> *block_bits_; }

    // From the roots that were found, all of them in this block.
    void start_sweep() {
        if (recent_keys_.size() > keys_.size()) merge_keys();
        layers_of_sweep_ = 0;
        taken_before_ = sum(&Share::taken_);
        counts_.emplace_back().peak_states = sum(&Share::stored_);
        for (Share& share : shares_) share.start_sweep();
    }

    void finish_block() {
        for (Share& share : shares_) share.finish_block();
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
        const std::uint64_t stored = sum(&Share::stored_);
        peak_ = std::max(peak_, stored);
        most_persistent_ = std::max(most_persistent_, sum(&Share::persistent_));
        counts_.back().peak_states = std::max(counts_.back().peak_states, stored);
        counts_.back().expanded = sum(&Share::taken_) - taken_before_;
        std::uint64_t on_line = 0;
        for (const Share& share : shares_)
            if (share.line_ != nullptr) on_line += share.line_->size();
        widest_ = std::max(widest_, on_line);
    }

    // Sweeps meet many keys again. They are not merged after every one: there may be as many sweeps as states.
    void merge_keys() {
        std::sort(recent_keys_.begin(), recent_keys_.end());
        recent_keys_.erase(std::unique(recent_keys_.begin(), recent_keys_.end()), recent_keys_.end());
        std::vector<Key> both;
        std::set_union(keys_.begin(), keys_.end(), recent_keys_.begin(), recent_keys_.end(), std::back_inserter(both));
        keys_ = std::move(both);
        recent_keys_.clear();
    }

    const Permission* may_allocate_;
    std::deque<Share> shares_;
    std::optional<unsigned> block_bits_;
    std::optional<Key> block_;        // that the line is in
    std::vector<SweepCount> counts_;
    std::uint64_t peak_ = 0;
    std::uint64_t most_persistent_ = 0;
    std::uint64_t widest_ = 0;
    std::uint64_t taken_before_ = 0;  // this sweep
    std::vector<Key> keys_;           // of this block that the line has been on, in ascending order,
    std::vector<Key> recent_keys_;    // and those not merged with them yet
    std::uint64_t layers_before_ = 0;  // of the blocks that are finished
    std::uint64_t layers_of_sweep_ = 0;  // in this block
};

}  // namespace tideline
