#include "successor/key.hpp"

#include <algorithm>

#include "model/footprint.hpp"

namespace tideline::successor {

std::vector<bool> may_change_key(const model::Model& model, const KeyProgram& program) {
    std::vector<bool> result(model.transitions.size());
    if (program.components.empty()) return result;
    // For each slot, how many of the slots before it are read.
    std::vector<std::uint32_t> read_before(model.slot_count() + 1);
    for (const KeyComponent& component : program.components)
        for (const model::SlotId slot : model::slots_read(component.expression)) read_before[slot + 1] = 1;
    for (std::size_t slot = 0; slot < model.slot_count(); ++slot) read_before[slot + 1] += read_before[slot];
    for (std::size_t t = 0; t < result.size(); ++t) {
        const std::vector<model::SlotRun> writes = model::runs_written(model, model.transitions[t]);
        result[t] = std::any_of(writes.begin(), writes.end(), [&](model::SlotRun run) {
            return read_before[run.first + run.count] > read_before[run.first];
        });
    }
    return result;
}

std::vector<model::Value> key_values(const KeyProgram& program, Key key) {
    std::vector<model::Value> values(program.components.size());
    for (std::size_t i = values.size(); i-- > 0;) {
        const KeyComponent& component = program.components[i];
        const Key mask = (Key{1} << component.bits) - 1;
        values[i] = static_cast<model::Value>(static_cast<std::uint64_t>(component.low) +
                                              static_cast<std::uint64_t>(key & mask));
        key >>= component.bits;
    }
    return values;
}

}  // namespace tideline::successor
