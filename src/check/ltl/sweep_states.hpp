// The states that an LTL sweep has in memory: those of the layers that the sweep line has not left, and the persistent
// ones, the targets of regress edges, which stay for ever. A state is one or the other.
//
// A layer's states have a table that is dropped as a whole; persistent states have one table, whose numbers are their
// names: they never change, so others can refer to them. States of either kind wait in their layer.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "store/numbered_table.hpp"

namespace tideline::check::ltl {

// A state in memory: of a layer, by its number in the layer's table, or persistent.
struct StateRef {
    std::uint64_t bits = 0;  // number << 1 | whether it is persistent

    [[nodiscard]] static StateRef of_layer(std::uint64_t number) { return {number << 1U}; }
    [[nodiscard]] static StateRef persistent(std::uint64_t number) { return {number << 1U | 1U}; }
    [[nodiscard]] bool is_persistent() const { return (bits & 1U) != 0; }
    [[nodiscard]] std::uint64_t number() const { return bits >> 1U; }
    friend bool operator==(StateRef, StateRef) = default;
};

class SweepStates {
public:
    using Key = successor::Key;
    using Word = successor::Word;
    using Number = store::NumberedTable::Number;
    using LayerNumber = std::uint32_t;

    struct Layer {
        Key key;
        LayerNumber number;
        std::unique_ptr<store::NumberedTable> states;  // null: none
        std::vector<StateRef> waiting;
        std::size_t next_waiting = 0;
        bool has_accepting = false;  // of the progress graph

        [[nodiscard]] bool has_waiting() const { return next_waiting < waiting.size(); }
        StateRef take() {
            const StateRef state = waiting[next_waiting++];
            if (has_waiting()) return state;
            waiting.clear();
            next_waiting = 0;
            return state;
        }
    };

    // `payload_bytes`: of every state, for the caller. The budget must outlive this.
    SweepStates(const successor::System& system, std::size_t payload_bytes, const store::MemoryBudget& budget)
        : state_words_(system.state_words()),
          state_bytes_(system.state_bytes()),
          settings_{.payload_bytes = payload_bytes, .growth = store::NumberedTable::kFast},
          budget_(&budget),
          persistent_(state_words_, state_bytes_, budget, settings_) {}

    // ---- layers -----------------------------------------------------------------------------------------------------

    // The layer of a key; it exists from then on, and stays where it is.
    Layer& layer(Key key) {
        Layer*& recent = recent_[hash_of(key) % kRemembered];
        if (recent != nullptr && recent->key == key) return *recent;
        const auto [found, is_new] = numbers_.try_emplace(key, static_cast<LayerNumber>(layers_.size()));
        if (is_new) layers_.push_back(std::make_unique<Layer>(Layer{key, found->second, nullptr, {}, 0, false}));
        return *(recent = layers_[found->second].get());
    }
    [[nodiscard]] const std::vector<std::unique_ptr<Layer>>& layers() const { return layers_; }

    void wait(Layer& layer, StateRef state) {
        if (!layer.has_waiting()) waiting_.insert(layer.key);
        layer.waiting.push_back(state);
    }
    // The least key with waiting states.
    [[nodiscard]] std::optional<Key> least() const {
        return waiting_.empty() ? std::nullopt : std::optional(*waiting_.begin());
    }
    // Takes one that waits; the layer is no longer among those with waiting states once it has none.
    StateRef take(Layer& layer) {
        const StateRef state = layer.take();
        if (!layer.has_waiting()) waiting_.erase(layer.key);
        return state;
    }
    // Deletes the layer's states; persistent ones stay.
    void drop(Layer& layer) {
        assert(!layer.has_waiting());
        if (!layer.states) return;
        in_layers_ -= layer.states->size();
        layer.states.reset();
    }

    // ---- states -----------------------------------------------------------------------------------------------------

    struct Insertion {
        StateRef state;
        bool is_new;
    };
    [[nodiscard]] std::optional<Number> find_persistent(const Word* state, std::uint64_t hash) const {
        return persistent_.find(state, hash);
    }
    Insertion insert_persistent(const Word* state, std::uint64_t hash, Key key) {
        const store::NumberedTable::Insertion inserted = persistent_.insert(state, hash);
        if (inserted.is_new) keys_.push_back(key);
        return {StateRef::persistent(inserted.number), inserted.is_new};
    }
    // A state that is not persistent.
    Insertion insert(Layer& layer, const Word* state, std::uint64_t hash) {
        if (!layer.states)
            layer.states = std::make_unique<store::NumberedTable>(state_words_, state_bytes_, *budget_, settings_);
        const store::NumberedTable::Insertion inserted = layer.states->insert(state, hash);
        in_layers_ += inserted.is_new ? 1 : 0;
        return {StateRef::of_layer(inserted.number), inserted.is_new};
    }
    // The state in memory; nothing where it is not.
    [[nodiscard]] std::optional<StateRef> find(const Layer& layer, const Word* state, std::uint64_t hash) const {
        if (const std::optional<Number> number = persistent_.find(state, hash)) return StateRef::persistent(*number);
        if (!layer.states) return std::nullopt;
        const std::optional<Number> number = layer.states->find(state, hash);
        return number ? std::optional(StateRef::of_layer(*number)) : std::nullopt;
    }

    [[nodiscard]] std::uint64_t payload(const Layer& layer, StateRef state) const {
        return state.is_persistent() ? persistent_.payload(state.number()) : layer.states->payload(state.number());
    }
    void set_payload(Layer& layer, StateRef state, std::uint64_t payload) {
        if (state.is_persistent()) persistent_.set_payload(state.number(), payload);
        else layer.states->set_payload(state.number(), payload);
    }
    void read(const Layer& layer, StateRef state, Word* words) const {
        if (state.is_persistent()) persistent_.read(state.number(), words);
        else layer.states->read(state.number(), words);
    }
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const { persistent_.prefetch(hash); }

    [[nodiscard]] std::uint64_t persistent_count() const { return persistent_.size(); }
    [[nodiscard]] Key key_of_persistent(Number number) const { return keys_[number]; }
    // In memory.
    [[nodiscard]] std::uint64_t size() const { return persistent_.size() + in_layers_; }

    void repack(const successor::System& wider, const successor::Repacking& translate) {
        state_words_ = wider.state_words();
        state_bytes_ = wider.state_bytes();
        persistent_.repack(state_words_, state_bytes_, translate);
        for (const auto& layer : layers_)
            if (layer->states) layer->states->repack(state_words_, state_bytes_, translate);
    }

private:
    static constexpr std::size_t kRemembered = 64;
    static std::size_t hash_of(Key key) {
        std::uint64_t mixed =
            static_cast<std::uint64_t>(key) ^ (static_cast<std::uint64_t>(key >> 64U) * 0x9E3779B97F4A7C15U);
        mixed *= 0xBF58476D1CE4E5B9U;
        return mixed ^ (mixed >> 32U);
    }
    struct KeyHash {
        std::size_t operator()(Key key) const { return hash_of(key); }
    };

    std::size_t state_words_;
    std::size_t state_bytes_;
    store::NumberedTable::Settings settings_;
    const store::MemoryBudget* budget_;
    store::NumberedTable persistent_;
    std::vector<Key> keys_;  // of the persistent states
    std::unordered_map<Key, LayerNumber, KeyHash> numbers_;
    std::vector<std::unique_ptr<Layer>> layers_;
    std::array<Layer*, kRemembered> recent_{};
    std::set<Key> waiting_;
    std::uint64_t in_layers_ = 0;
};

}  // namespace tideline::check::ltl
