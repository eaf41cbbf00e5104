#include "model/footprint.hpp"

#include <algorithm>

namespace tideline {
namespace {

void add_reads(const Expression& expression, std::vector<SlotId>& slots) {
    for (const Instruction& instruction : expression.code()) {
        if (instruction.op == Op::load) slots.push_back(instruction.argument);
        if (instruction.op == Op::load_element)
            for (SlotId i = 0; i < static_cast<SlotId>(instruction.value); ++i) slots.push_back(instruction.argument + i);
    }
}

void add_slots(const Variable& variable, std::vector<SlotId>& slots) {
    for (SlotId i = 0; i < variable.slot_count(); ++i) slots.push_back(variable.first_slot + i);
}

void add(const Model& model, const Assign& assign, Footprint& result) {
    for (const Expression& value : assign.values) add_reads(value, result.reads);
    for (const Target& target : assign.targets) {
        const Variable& variable = model.variables[target.variable];
        if (target.index) add_reads(*target.index, result.reads);
        if (target.index && target.index->is_constant() && target.index->constant_value() >= 0 &&
            target.index->constant_value() < variable.slot_count())
            result.writes.push_back(variable.first_slot + static_cast<SlotId>(target.index->constant_value()));
        else
            add_slots(variable, result.writes);
    }
}

void add(const Model& model, const Shift& shift, Footprint& result) {
    add_reads(shift.first, result.reads);
    add_slots(model.variables[shift.variable], result.reads);
    add_slots(model.variables[shift.variable], result.writes);
}

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

Footprint footprint(const Model& model, const Transition& transition) {
    Footprint result;
    for (const Participant& p : transition.participants) {
        const SlotId location = model.variables[model.processes[p.process].location].first_slot;
        result.reads.push_back(location);
        if (p.from != p.to) result.writes.push_back(location);
    }
    for (const Expression& guard : transition.guards) add_reads(guard, result.reads);
    for (const Effect& effect : transition.effects)
        std::visit([&](const auto& e) { add(model, e, result); }, effect);
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
        if (std::any_of(slots.reads.begin(), slots.reads.end(), is_its) || std::any_of(slots.writes.begin(), slots.writes.end(), is_its)) return true;
    }
    // An assertion is named after the process and the location where it stands.
    const std::string own = model.processes[observer].name + '.';
    for (const NamedExpression& assertion : model.assertions) {
        const std::vector<SlotId> slots = slots_read(assertion.expression);
        if (!assertion.name.starts_with(own) && std::any_of(slots.begin(), slots.end(), is_its)) return true;
    }
    return false;
}

}  // namespace tideline
