#include "successor/native/codegen/effects.hpp"

#include <algorithm>
#include <bit>

namespace tideline::successor::codegen {

void Effects::apply(const model::Transition& transition) {
    for (const model::Effect& effect : transition.effects) std::visit([this](const auto& e) { apply(e); }, effect);
}

void Effects::apply(const model::Assign& assign) {
    std::vector<Known> values;
    for (const model::Expression& value : assign.values) values.push_back(expressions_.evaluate(value));
    for (std::size_t i = 0; i < std::max(assign.targets.size(), assign.passing.size()); ++i) {
        if (i < assign.passing.size()) values[i] = fitted(values[i], assign.passing[i], assign.wrap);
        if (i < assign.targets.size()) store(assign.targets[i], values[i], assign.wrap);
    }
}

void Effects::apply(const model::Shift& shift) {
    const model::Variable& variable = e_.request.model.variables[shift.variable];
    const std::uint32_t slots = variable.slot_count();
    Known first = expressions_.evaluate(shift.first);
    // The number of positions where the group can begin.
    const std::uint32_t positions = shift.count > slots ? 0 : slots - shift.count + 1;
    first = expressions_.checked_index(first, positions);
    if (first.range.low >= first.range.high) {
        // One position; where there is none, the following code is unreachable.
        if (positions > 0)
            state_.shift_down(variable.first_slot + static_cast<model::SlotId>(
                                                        std::clamp<model::Value>(first.range.low, 0, positions - 1)),
                              shift.count);
        return;
    }
    const auto position = [&](std::uint32_t offset) {
        const auto by = static_cast<model::Value>(offset);
        return Known{
            e_.b.CreateAdd(first.value, e_.constant(by)), {first.range.low + by, first.range.high + by}, nullptr};
    };
    for (std::uint32_t i = 0; i + 1 < shift.count; ++i)
        state_.write_element(variable.first_slot, slots, position(i),
                             state_.read_element(variable.first_slot, slots, position(i + 1)));
    state_.write_element(variable.first_slot, slots, position(shift.count - 1), e_.known(0));
}

void Effects::apply(const model::Require& require) {
    e_.require_no_fault(e_.truth(expressions_.evaluate(require.condition)), require.fault);
}

// The value within a range: checked, or wrapped around.
Known Effects::fitted(const Known& value, model::Range range, bool wrap) {
    if (is_inside(value.range, range)) return value;
    if (!wrap) {
        llvm::Value* offset = e_.b.CreateSub(value.value, e_.constant(range.low));
        e_.require_no_fault(e_.b.CreateICmpULE(offset, e_.b.getInt64(span_of(range))), model::FaultKind::range);
        return {value.value, {std::max(value.range.low, range.low), std::min(value.range.high, range.high)}, value.bit};
    }
    const std::uint64_t count = span_of(range) + 1;
    if (count == 0) return value;  // all of 64 bits
    llvm::Value* above = e_.b.CreateSub(value.value, e_.constant(range.low));
    if (std::has_single_bit(count))
        return {e_.b.CreateAdd(e_.b.CreateAnd(above, e_.b.getInt64(count - 1)), e_.constant(range.low)), range,
                nullptr};
    // The distance from the lowest value fits 64 bits without a sign; below it, one counts from the other end.
    e_.emit_branch();  // slow: not to be executed speculatively
    llvm::Value* is_above = e_.b.CreateICmpSGE(value.value, e_.constant(range.low));
    llvm::Value* below = e_.b.CreateSub(e_.constant(range.low), value.value);
    llvm::Value* rest = e_.b.CreateURem(e_.b.CreateSelect(is_above, above, below), e_.b.getInt64(count));
    llvm::Value* mirrored =
        e_.b.CreateSelect(e_.b.CreateICmpEQ(rest, e_.b.getInt64(0)), rest, e_.b.CreateSub(e_.b.getInt64(count), rest));
    return {e_.b.CreateAdd(e_.b.CreateSelect(is_above, rest, mirrored), e_.constant(range.low)), range, nullptr};
}

void Effects::store(const model::Target& target, Known value, bool wrap) {
    const model::Variable& variable = e_.request.model.variables[target.variable];
    if (!target.index) {
        state_.write(variable.first_slot, fitted(value, variable.range, wrap));
        return;
    }
    const Known index = expressions_.checked_index(expressions_.evaluate(*target.index), variable.slot_count());
    value = fitted(value, variable.range, wrap);
    state_.write_element(variable.first_slot, variable.slot_count(), index, value);
}

}  // namespace tideline::successor::codegen
