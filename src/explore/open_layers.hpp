// The queue of one pass, as far as one partition has it in memory: layers of open states by their keys.
//
// Invariants: size() is the sum of the layers' open states; no layer is empty; a layer knows whether it waits in this
// pass or the next.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "explore/sweep_layer.hpp"
#include "successor/key.hpp"

namespace tideline::explore {

class OpenLayers {
public:
    OpenLayers(const StateShape& shape, bool is_next_pass) : shape_(shape), is_next_pass_(is_next_pass) {}

    [[nodiscard]] bool empty() const { return layers_.empty(); }
    // Open states of all layers.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::size_t layer_count() const { return layers_.size(); }
    [[nodiscard]] successor::Key first_key() const { return layers_.begin()->first; }
    [[nodiscard]] bool contains(successor::Key key) const { return layers_.contains(key); }
    [[nodiscard]] const SweepLayer* find(successor::Key key) const {
        const auto found = layers_.find(key);
        return found == layers_.end() ? nullptr : &found->second;
    }
    // Open states of one layer.
    [[nodiscard]] std::uint64_t count(successor::Key key) const {
        const SweepLayer* layer = find(key);
        return layer == nullptr ? 0 : layer->open.size();
    }

    // The layer of a key, which may be new. What is pushed to its open states is counted by add().
    [[nodiscard]] SweepLayer& at(successor::Key key) {
        const auto [entry, is_new] = layers_.try_emplace(key, shape_);
        if (is_new) entry->second.in_next_pass = is_next_pass_;
        return entry->second;
    }
    void add(std::uint64_t open_states) { size_ += open_states; }

    bool insert(successor::Key key, const OpenState& state) { return count_if(at(key).insert(state)); }
    // A state of a batch that stays in the ledger.
    bool insert_saved(successor::Key key, const OpenState& state) { return count_if(at(key).insert_saved(state)); }

    // Moves a layer out of the queue, to where the sweep line has it; nothing happens where there is none.
    void take(successor::Key key, SweepLayer& to) {
        const auto found = layers_.find(key);
        if (found == layers_.end()) return;
        size_ -= found->second.open.size();
        to = std::move(found->second);
        layers_.erase(found);
    }
    // The same for those of its states with is_in_slice(hash).
    template <class IsInSlice>
    void take_slice(successor::Key key, SweepLayer& to, IsInSlice is_in_slice) {
        const auto found = layers_.find(key);
        if (found == layers_.end()) return;
        SweepLayer& layer = found->second;
        size_ -= layer.open.size();
        layer.move_slice(shape_, to, is_in_slice);
        size_ += layer.open.size();
        if (layer.open.size() == 0) layers_.erase(found);
    }

    // A layer waits in another pass from here on.
    void move_layer(successor::Key key, OpenLayers& to) {
        auto layer = layers_.extract(key);
        if (!layer) return;
        const std::uint64_t count = layer.mapped().open.size();
        layer.mapped().in_next_pass = to.is_next_pass_;
        size_ -= count;
        to.size_ += count;
        [[maybe_unused]] const auto moved = to.layers_.insert(std::move(layer));
        assert(moved.inserted && "a layer waits in one pass only");
    }
    // All layers of another queue wait in this one from here on.
    void take_over(OpenLayers& other) {
        for (auto& [key, layer] : other.layers_) layer.in_next_pass = is_next_pass_;
        layers_.merge(other.layers_);
        assert(other.layers_.empty() && "a layer waits in one pass only");
        size_ += std::exchange(other.size_, 0);
    }

    // Visits layers, the one of the largest key first, but not the `kept` ones of the smallest keys. visit(key, layer)
    // says what happens.
    enum class Removal : std::uint8_t { keep, remove, stop };
    template <class Visit>
    void remove_from_last(std::size_t kept, Visit visit) {
        auto end = layers_.end();
        for (std::size_t left = layers_.size() - std::min(kept, layers_.size()); left > 0; --left) {
            const auto last = std::prev(end);
            const std::uint64_t count = last->second.open.size();
            const Removal removal = visit(last->first, last->second);
            if (removal == Removal::stop) return;
            if (removal == Removal::remove) size_ -= count;
            end = removal == Removal::remove ? layers_.erase(last) : last;
        }
    }
    template <class Visit>
    void for_each(Visit visit) {
        for (auto& [key, layer] : layers_) visit(key, layer);
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [key, layer] : layers_) visit(key, layer);
    }

    // How many of the first layers have fewer than this many open states in all.
    [[nodiscard]] std::size_t first_layers_below(std::uint64_t open_states) const {
        std::uint64_t states = 0;
        std::size_t layers = 0;
        for (const auto& [key, layer] : layers_) {
            states += layer.open.size();
            if (states >= open_states) break;
            ++layers;
        }
        return layers;
    }

    // Asserted where there is time for it.
    [[nodiscard]] bool is_consistent() const {
        std::uint64_t sum = 0;
        for (const auto& [key, layer] : layers_) {
            if (layer.open.size() == 0 || layer.in_next_pass != is_next_pass_) return false;
            sum += layer.open.size();
        }
        return sum == size_;
    }

private:
    bool count_if(bool is_new) {
        size_ += is_new ? 1 : 0;
        return is_new;
    }

    StateShape shape_;
    bool is_next_pass_;
    std::map<successor::Key, SweepLayer> layers_;
    std::uint64_t size_ = 0;
};

}  // namespace tideline::explore
