// The layers of a sweep in memory: the states of one progress key each, dropped as a whole.
//
// A layer has two parts: the states that the current sweep has visited, which are deleted when the sweep line leaves
// the layer, and the persistent ones, which stay. A tiny layer costs some hundred bytes, a huge one what a StateTable
// costs.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <unordered_map>

#include "store/pending.hpp"
#include "store/state_table.hpp"

namespace tideline::store {

struct Layer {
    Layer(successor::Key layer_key, std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
          bool pending_in_blocks)
        : key(layer_key), current(state_words, state_bytes, try_reserve), pending(current, pending_in_blocks) {}

    // Targets of regress edges, and those of them that have not been expanded.
    struct Persistent {
        StateTable states;
        Pending roots;
    };

    successor::Key key;
    StateTable current;
    Pending pending;  // of `current`; filled when the sweep line reaches the layer
    std::unique_ptr<Persistent> persistent;
    bool queued = false;      // in the queue of this sweep
    bool has_roots = false;   // among the roots of the next one
    std::uint32_t group = 0;  // for those who insert into several layers at a time

    [[nodiscard]] std::uint64_t size() const { return current.size() + (persistent ? persistent->states.size() : 0); }
};

class Layers {
public:
    // The memory budget must outlive the layers. For the last one see Pending.
    Layers(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
           bool pending_in_blocks = false)
        : state_words_(state_words),
          state_bytes_(state_bytes),
          try_reserve_(&try_reserve),
          pending_in_blocks_(pending_in_blocks) {}

    // The layer of a key, made where there is none. It stays where it is until it is dropped.
    Layer& at(successor::Key key) {
        Layer* recent = recent_[recent_index(key)];
        return recent != nullptr && recent->key == key ? *recent : look_up(key);
    }
    Layer::Persistent& persistent(Layer& layer);
    // Drops what the sweep has visited; the layer itself too, unless states of it persist. Returns how many states
    // went.
    std::uint64_t drop_current(Layer& layer);

    void repack(std::size_t state_words, std::size_t state_bytes,
                const std::function<void(const successor::Word*, successor::Word*)>& translate);
    template <class Visit>
    void for_each(Visit visit) {
        for (auto& [key, layer] : layers_) visit(*layer);
    }

private:
    struct KeyHash {
        std::size_t operator()(successor::Key key) const {
            std::uint64_t mixed =
                (static_cast<std::uint64_t>(key) ^ (static_cast<std::uint64_t>(key >> 64U) * 0x9E3779B97F4A7C15U));
            mixed *= 0xBF58476D1CE4E5B9U;
            return mixed ^ (mixed >> 32U);
        }
    };

    // The successors of a layer lie in few others: the last ones are found without a lookup.
    static constexpr std::size_t kRemembered = 64;
    static std::size_t recent_index(successor::Key key) { return KeyHash()(key) % kRemembered; }
    Layer& look_up(successor::Key key);

    std::size_t state_words_;
    std::size_t state_bytes_;
    const MemoryBudget* try_reserve_;
    bool pending_in_blocks_;
    std::unordered_map<successor::Key, std::unique_ptr<Layer>, KeyHash> layers_;
    std::array<Layer*, kRemembered> recent_{};
};

}  // namespace tideline::store
