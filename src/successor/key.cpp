#include "successor/key.hpp"

#include <algorithm>

#include "model/footprint.hpp"

namespace tideline {

std::vector<bool> may_change_key(const Model& model, const KeyProgram& program) {
    std::vector<bool> is_read(model.slot_count());
    for (const KeyComponent& component : program.components)
        for (const SlotId slot : slots_read(component.expression)) is_read[slot] = true;
    std::vector<bool> result;
    for (const Transition& transition : model.transitions) {
        const std::vector<SlotId> writes = footprint(model, transition).writes;
        result.push_back(std::any_of(writes.begin(), writes.end(), [&](SlotId slot) { return is_read[slot]; }));
    }
    return result;
}

std::vector<Value> key_values(const KeyProgram& program, Key key) {
    std::vector<Value> values(program.components.size());
    for (std::size_t i = values.size(); i-- > 0;) {
        const KeyComponent& component = program.components[i];
        const Key mask = (Key{1} << component.bits) - 1;
        values[i] = static_cast<Value>(static_cast<std::uint64_t>(component.low) + static_cast<std::uint64_t>(key & mask));
        key >>= component.bits;
    }
    return values;
}

}  // namespace tideline
