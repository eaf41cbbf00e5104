#include "successor/key.hpp"

#include <algorithm>

#include "model/footprint.hpp"

namespace tideline {

std::vector<bool> may_change_key(const Model& model, const KeyProgram& program) {
    std::vector<bool> result(model.transitions.size());
    if (program.components.empty()) return result;
    // How many of the slots before each one are read.
    std::vector<std::uint32_t> read_before(model.slot_count() + 1);
    for (const KeyComponent& component : program.components)
        for (const SlotId slot : slots_read(component.expression)) read_before[slot + 1] = 1;
    for (std::size_t slot = 0; slot < model.slot_count(); ++slot) read_before[slot + 1] += read_before[slot];
    for (std::size_t t = 0; t < result.size(); ++t) {
        const std::vector<SlotRun> writes = runs_written(model, model.transitions[t]);
        result[t] = std::any_of(writes.begin(), writes.end(), [&](SlotRun run) { return read_before[run.first + run.count] > read_before[run.first]; });
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
