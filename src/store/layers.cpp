#include "store/layers.hpp"

#include <new>

namespace tideline {

LayerId Layers::at(Key key) {
    const auto [place, added] = ids_.try_emplace(key, 0);
    if (!added) return place->second;
    LayerId id = 0;
    if (unused_.empty()) {
        // Numbers have room for this many layers at a time (several gigabytes of them).
        if (layers_.size() >= (std::size_t{1} << (63 - kPlaceBits))) {
            ids_.erase(place);
            throw std::bad_alloc();
        }
        id = static_cast<LayerId>(layers_.size());
        layers_.push_back(nullptr);
    } else {
        id = unused_.back();
        unused_.pop_back();
    }
    layers_[id] = std::make_unique<Layer>();
    layers_[id]->key = key;
    place->second = id;
    return id;
}

const Layer* Layers::find(Key key) const {
    const auto found = ids_.find(key);
    return found == ids_.end() ? nullptr : layers_[found->second].get();
}

StateTable& Layers::table(LayerId id, Part part) {
    std::optional<StateTable>& table = part == Part::current ? layers_[id]->current : layers_[id]->persistent;
    if (!table) table.emplace(state_words_, state_bytes_, may_allocate_);
    return *table;
}

std::uint64_t Layers::drop_current(LayerId id) {
    Layer& layer = *layers_[id];
    const std::uint64_t dropped = layer.current ? layer.current->size() : 0;
    layer.current.reset();
    layer.next_current = 0;
    if (!layer.persistent) {
        ids_.erase(layer.key);
        layers_[id].reset();
        unused_.push_back(id);
    }
    return dropped;
}

void Layers::read(StateId number, Word* state) const {
    const Layer& layer = *layers_[number >> (kPlaceBits + 1)];
    const bool persistent = ((number >> kPlaceBits) & 1U) != 0;
    (persistent ? *layer.persistent : *layer.current).read(number & ((StateId{1} << kPlaceBits) - 1), state);
}

bool Layers::repack(std::size_t state_words, std::size_t state_bytes,
                    const std::function<void(const Word*, Word*)>& translate) {
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    for (const std::unique_ptr<Layer>& layer : layers_) {
        if (!layer) continue;
        if (layer->current && !layer->current->repack(state_words, state_bytes, translate)) return false;
        if (layer->persistent && !layer->persistent->repack(state_words, state_bytes, translate)) return false;
    }
    return true;
}

}  // namespace tideline
