#include "model/footprint.hpp"

#include <algorithm>

namespace tideline::model {
namespace {

void add_reads(const Expression& expression, std::vector<SlotId>& slots) {
    for (const Instruction& instruction : expression.code()) {
        if (instruction.op == Op::load) slots.push_back(instruction.argument);
        if (instruction.op == Op::load_element)
            for (SlotId i = 0; i < static_cast<SlotId>(instruction.value); ++i)
                slots.push_back(instruction.argument + i);
    }
}

// The slots of a target: the whole array where the index is computed.
SlotRun run_of(const Model& model, const Target& target) {
    const Variable& variable = model.variables[target.variable];
    if (target.index && target.index->is_constant() && target.index->constant_value() >= 0 &&
        target.index->constant_value() < variable.slot_count())
        return {variable.first_slot + static_cast<SlotId>(target.index->constant_value()), 1};
    return {variable.first_slot, variable.slot_count()};
}

void add_slots(const Variable& variable, std::vector<SlotId>& slots) {
    for (SlotId i = 0; i < variable.slot_count(); ++i) slots.push_back(variable.first_slot + i);
}

void add_reads(const Model& /*model*/, const Assign& assign, std::vector<SlotId>& reads) {
    for (const Expression& value : assign.values) add_reads(value, reads);
    for (const Target& target : assign.targets)
        if (target.index) add_reads(*target.index, reads);
}

void add_reads(const Model& model, const Shift& shift, std::vector<SlotId>& reads) {
    add_reads(shift.first, reads);
    add_slots(model.variables[shift.variable], reads);
}

void add_reads(const Model& /*model*/, const Require& require, std::vector<SlotId>& reads) {
    add_reads(require.condition, reads);
}

std::size_t reads_bound(const Expression& expression) {
    std::size_t bound = 0;
    for (const Instruction& instruction : expression.code()) {
        if (instruction.op == Op::load) ++bound;
        if (instruction.op == Op::load_element) bound += static_cast<std::size_t>(instruction.value);
    }
    return bound;
}

std::size_t reads_bound(const Model& /*model*/, const Assign& assign) {
    std::size_t bound = 0;
    for (const Expression& value : assign.values) bound += reads_bound(value);
    for (const Target& target : assign.targets)
        if (target.index) bound += reads_bound(*target.index);
    return bound;
}

std::size_t reads_bound(const Model& model, const Shift& shift) {
    return reads_bound(shift.first) + model.variables[shift.variable].slot_count();
}

std::size_t reads_bound(const Model& /*model*/, const Require& require) { return reads_bound(require.condition); }

void sort_unique(std::vector<SlotId>& slots) {
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

}  // namespace

std::vector<SlotId> slots_read(const Expression& expression) {
    std::vector<SlotId> slots;
    add_reads(expression, slots);
    return slots;
}

std::vector<SlotRun> runs_written(const Model& model, const Transition& transition) {
    std::vector<SlotRun> runs;
    for (const Participant& p : transition.participants)
        if (p.from != p.to) runs.push_back({model.variables[model.processes[p.process].location].first_slot, 1});
    for (const Effect& effect : transition.effects) {
        if (const auto* assign = std::get_if<Assign>(&effect)) {
            for (const Target& target : assign->targets) runs.push_back(run_of(model, target));
        } else if (const auto* shift = std::get_if<Shift>(&effect)) {
            const Variable& variable = model.variables[shift->variable];
            runs.push_back({variable.first_slot, variable.slot_count()});
        }
    }
    return runs;
}

std::size_t footprint_bound(const Model& model, const Transition& transition) {
    std::size_t bound = transition.participants.size();
    for (const Expression& guard : transition.guards) bound += reads_bound(guard);
    for (const Effect& effect : transition.effects)
        bound += std::visit([&](const auto& e) { return reads_bound(model, e); }, effect);
    for (const SlotRun run : runs_written(model, transition)) bound += run.count;
    return bound;
}

Footprint footprint(const Model& model, const Transition& transition) {
    Footprint result;
    for (const Participant& p : transition.participants)
        result.reads.push_back(model.variables[model.processes[p.process].location].first_slot);
    for (const Expression& guard : transition.guards) add_reads(guard, result.reads);
    for (const Effect& effect : transition.effects)
        std::visit([&](const auto& e) { add_reads(model, e, result.reads); }, effect);
    for (const SlotRun run : runs_written(model, transition))
        for (SlotId i = 0; i < run.count; ++i) result.writes.push_back(run.first + i);
    sort_unique(result.reads);
    sort_unique(result.writes);
    return result;
}

bool depends_on_observer(const Model& model) {
    if (!model.observer) return false;
    const ProcessId observer = *model.observer;
    const std::vector<Model::SlotOwner> owners = model.slot_owners();
    const auto is_its = [&](SlotId slot) { return model.variables[owners[slot].variable].owner == observer; };
    for (const Transition& transition : model.transitions) {
        if (!transition.participants.empty() && transition.participants.front().process == observer) continue;
        const Footprint slots = footprint(model, transition);
        if (std::any_of(slots.reads.begin(), slots.reads.end(), is_its) ||
            std::any_of(slots.writes.begin(), slots.writes.end(), is_its))
            return true;
    }
    // An assertion is named after its process and location.
    const std::string own = model.processes[observer].name + '.';
    for (const NamedExpression& assertion : model.assertions) {
        const std::vector<SlotId> slots = slots_read(assertion.expression);
        if (!assertion.name.starts_with(own) && std::any_of(slots.begin(), slots.end(), is_its)) return true;
    }
    return false;
}

}  // namespace tideline::model
