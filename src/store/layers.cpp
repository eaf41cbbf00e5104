#include "store/layers.hpp"

namespace tideline::store {

Layer& Layers::look_up(successor::Key key) {
    std::unique_ptr<Layer>& layer = layers_[key];
    if (!layer) layer = std::make_unique<Layer>(key, state_words_, state_bytes_, *try_reserve_, pending_in_blocks_);
    recent_[recent_index(key)] = layer.get();
    return *layer;
}

Layer::Persistent& Layers::persistent(Layer& layer) {
    if (!layer.persistent) {
        StateTable states(state_words_, state_bytes_, *try_reserve_);
        Pending roots(states, pending_in_blocks_);
        layer.persistent = std::make_unique<Layer::Persistent>(Layer::Persistent{std::move(states), std::move(roots)});
    }
    return *layer.persistent;
}

std::uint64_t Layers::drop_current(Layer& layer) {
    const std::uint64_t dropped = layer.current.size();
    if (layer.persistent) {
        layer.current = StateTable(state_words_, state_bytes_, *try_reserve_);
        layer.pending = Pending(layer.current, pending_in_blocks_);
    } else {
        const successor::Key key = layer.key;
        if (recent_[recent_index(key)] == &layer) recent_[recent_index(key)] = nullptr;
        layers_.erase(key);
    }
    return dropped;
}

void Layers::repack(std::size_t state_words, std::size_t state_bytes,
                    const std::function<void(const successor::Word*, successor::Word*)>& translate) {
    for (auto& [key, layer] : layers_) {
        layer->pending.repack(layer->current, state_words, state_bytes, translate);
        layer->current.repack(state_words, state_bytes, translate);
        if (!layer->persistent) continue;
        layer->persistent->roots.repack(layer->persistent->states, state_words, state_bytes, translate);
        layer->persistent->states.repack(state_words, state_bytes, translate);
    }
    state_words_ = state_words;
    state_bytes_ = state_bytes;
}

}  // namespace tideline::store
