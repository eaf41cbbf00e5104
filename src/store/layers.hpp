// The layers of a sweep in memory: the states of one progress key each, dropped as a whole.
//
// A layer has two parts: the states that the present sweep has met, which go when the line leaves the layer, and the persistent ones,
// which stay. A tiny layer costs a few hundred bytes, a huge one what a StateTable costs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "store/state_table.hpp"

namespace tideline {

using LayerId = std::uint32_t;

struct Layer {
    Key key = 0;
    std::optional<StateTable> current;
    std::optional<StateTable> persistent;
    StateId next_current = 0;     // the first of each part that has not been expanded
    StateId next_persistent = 0;
    bool queued = false;          // in the queue of this sweep
    bool has_roots = false;       // among the roots of the next one

    [[nodiscard]] std::uint64_t size() const { return (current ? current->size() : 0) + (persistent ? persistent->size() : 0); }
};

class Layers {
public:
    enum class Part : std::uint8_t { current, persistent };

    Layers(std::size_t state_words, std::size_t state_bytes, StateTable::Permission may_allocate)
        : state_words_(state_words), state_bytes_(state_bytes), may_allocate_(std::move(may_allocate)) {}

    // The layer of a key, made where there is none. Throws std::bad_alloc where there are too many.
    LayerId at(Key key);
    // The layer of a key, or null.
    [[nodiscard]] const Layer* find(Key key) const;
    [[nodiscard]] Layer& operator[](LayerId id) { return *layers_[id]; }
    [[nodiscard]] const Layer& operator[](LayerId id) const { return *layers_[id]; }

    // The table of a part, made where there is none.
    StateTable& table(LayerId id, Part part);
    // Drops what the sweep has met; the layer itself too, unless states of it persist. Returns how many states went.
    std::uint64_t drop_current(LayerId id);

    // A state's number: which layer, which part, which place.
    [[nodiscard]] static StateId number(LayerId id, Part part, StateId place) {
        return (StateId{id} << (kPlaceBits + 1)) | (StateId{part == Part::persistent} << kPlaceBits) | place;
    }
    void read(StateId number, Word* state) const;

    [[nodiscard]] bool repack(std::size_t state_words, std::size_t state_bytes,
                              const std::function<void(const Word*, Word*)>& translate);

private:
    static constexpr unsigned kPlaceBits = 40;

    struct KeyHash {
        std::size_t operator()(Key key) const {
            std::uint64_t mixed = (static_cast<std::uint64_t>(key) ^ (static_cast<std::uint64_t>(key >> 64U) * 0x9E3779B97F4A7C15U));
            mixed *= 0xBF58476D1CE4E5B9U;
            return mixed ^ (mixed >> 32U);
        }
    };

    std::size_t state_words_;
    std::size_t state_bytes_;
    StateTable::Permission may_allocate_;
    std::unordered_map<Key, LayerId, KeyHash> ids_;
    std::vector<std::unique_ptr<Layer>> layers_;
    std::vector<LayerId> unused_;
};

}  // namespace tideline
