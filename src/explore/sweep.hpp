// The sweep-line walk: states in the order of their progress keys, layers dropped as a whole when the line has passed them.
// K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method (2012), figure 3; Theorems 1 and 2
// bound the states expanded by (|B| + 1)|V| and (n + 2)|V|.
//
// A regress edge to a state that is not in memory makes that state persistent and a root of the next sweep. Sweeps repeat until
// one finds no new root. With a monotonic measure there is one sweep and nothing is persistent.
//
// Departures from the figure: the last layer of a sweep is dropped too (the figure forgets it), and inside a layer states are expanded
// in the order of their discovery, so that a constant measure gives the breadth-first search, state for state.
#pragma once

#include <algorithm>
#include <iterator>
#include <queue>
#include <vector>

#include "explore/search.hpp"
#include "store/layers.hpp"

namespace tideline {

class Sweep {
public:
    Sweep(const System& system, StateTable::Permission may_allocate)
        : layers_(system.state_words(), system.state_bytes(), std::move(may_allocate)) {}

    // States are forgotten: one may be discovered more than once, and paths are not known.
    static constexpr bool kForgets = true;

    bool reserve(std::size_t /*more*/) { return true; }  // insert() asks layer by layer

    std::optional<StateId> insert(const Word* state, std::uint64_t hash, Key key, bool& fresh) {
        const bool regress = is_regress(key);
        if (regress) ++regress_edges_;
        const LayerId id = key == line_key_ && started_ ? line_ : layers_.at(key);
        Layer& layer = layers_[id];
        if (layer.persistent && !regress) {
            if (const std::optional<StateId> known = layer.persistent->find(state, hash)) {
                fresh = false;
                return Layers::number(id, Layers::Part::persistent, *known);
            }
        }
        const Layers::Part part = regress ? Layers::Part::persistent : Layers::Part::current;
        StateTable& table = layers_.table(id, part);
        if (!table.reserve(1)) return std::nullopt;
        const StateId place = table.insert(state, hash, fresh);
        if (fresh) count_new(id, regress);
        return Layers::number(id, part, place);
    }

    [[nodiscard]] bool is_regress(Key key) const { return started_ && key < line_key_; }

    void prefetch(std::uint64_t hash, Key key) const {
        const Layer* layer = key == line_key_ && started_ ? &layers_[line_] : layers_.find(key);
        if (layer != nullptr && layer->current) layer->current->prefetch(hash);
    }

    void take(std::vector<StateId>& ids) {
        ids.clear();
        while (!started_ || !take_from_line(ids))
            if (!move_line()) return;
        counts_.back().expanded += ids.size();
        waiting_ -= ids.size();
    }

    void edge(StateId /*to*/, bool /*fresh*/) {}
    void expanded() {}
    void read(StateId id, Word* state) const { layers_.read(id, state); }
    [[nodiscard]] bool repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        return layers_.repack(words, bytes, translate);
    }
    [[nodiscard]] std::vector<StateId> path_to(const System& /*system*/, StateId /*target*/) const { return {}; }

    void count(Statistics& statistics) const {
        statistics.states = discovered_;
        statistics.peak_states = peak_;
        statistics.waiting = waiting_;
        statistics.layers = std::max<std::uint64_t>(keys_.size(), layers_of_sweep_);
        statistics.sweeps = counts_.size();
        statistics.persistent = persistent_;
        statistics.regress_edges = regress_edges_;
        statistics.widest_layer = std::max(widest_, started_ ? layers_[line_].size() : 0);
    }

    [[nodiscard]] const std::vector<SweepCount>& details() const { return counts_; }

private:
    static constexpr std::size_t kBatch = 256;

    void count_new(LayerId id, bool regress) {
        ++waiting_;
        ++discovered_;
        peak_ = std::max(peak_, ++stored_);
        if (counts_.empty()) counts_.emplace_back();
        counts_.back().peak_states = std::max(counts_.back().peak_states, stored_);
        Layer& layer = layers_[id];
        if (regress) {
            ++persistent_;
            if (!layer.has_roots) roots_.push_back(id);
            layer.has_roots = true;
        } else if (!layer.queued && !(started_ && id == line_)) {
            layer.queued = true;
            queue_.push({layer.key, id});
        }
    }

    bool take_from_line(std::vector<StateId>& ids) {
        Layer& layer = layers_[line_];
        const auto take_part = [&](const std::optional<StateTable>& table, StateId& next, StateId stop, Layers::Part part) {
            if (!table) return;
            for (; next < stop && ids.size() < kBatch; ++next) ids.push_back(Layers::number(line_, part, next));
        };
        take_part(layer.persistent, layer.next_persistent, root_end_, Layers::Part::persistent);
        take_part(layer.current, layer.next_current, layer.current ? layer.current->size() : 0, Layers::Part::current);
        return !ids.empty();
    }

    // To the next layer of this sweep, or to the first one of the next sweep. False: all is done.
    bool move_line() {
        leave_line();
        if (queue_.empty()) {
            if (roots_.empty() || recent_keys_.size() > keys_.size()) merge_keys();
            if (roots_.empty()) return false;
            layers_of_sweep_ = 0;
            counts_.emplace_back();
            counts_.back().peak_states = stored_;
            for (const LayerId id : roots_) {
                layers_[id].has_roots = false;
                layers_[id].queued = true;
                queue_.push({layers_[id].key, id});
            }
            roots_.clear();
        }
        line_ = queue_.top().id;
        queue_.pop();
        Layer& layer = layers_[line_];
        layer.queued = false;
        line_key_ = layer.key;
        root_end_ = layer.persistent ? layer.persistent->size() : 0;
        recent_keys_.push_back(line_key_);
        ++layers_of_sweep_;
        started_ = true;
        return true;
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

    void leave_line() {
        if (!started_) return;
        widest_ = std::max(widest_, layers_[line_].size());
        started_ = false;
        stored_ -= layers_.drop_current(line_);
    }

    struct Waiting {
        Key key;
        LayerId id;
        bool operator<(const Waiting& other) const { return key > other.key; }  // the queue's top is the smallest
    };

    Layers layers_;
    std::priority_queue<Waiting> queue_;
    std::vector<LayerId> roots_;     // layers with roots of the next sweep
    bool started_ = false;           // the line is on a layer
    LayerId line_ = 0;
    Key line_key_ = 0;
    StateId root_end_ = 0;           // persistent states of the line's layer that are roots of this sweep end here
    std::vector<SweepCount> counts_;
    std::uint64_t stored_ = 0;
    std::uint64_t peak_ = 0;
    std::uint64_t waiting_ = 0;
    std::uint64_t discovered_ = 0;
    std::uint64_t persistent_ = 0;
    std::uint64_t regress_edges_ = 0;
    std::vector<Key> keys_;           // that the line has been on, in ascending order,
    std::vector<Key> recent_keys_;    // and those not merged with them yet
    std::uint64_t layers_of_sweep_ = 0;
    std::uint64_t widest_ = 0;
};

}  // namespace tideline
