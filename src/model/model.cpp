#include "model/model.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::model {

VariableId Model::add_variable(Variable variable, const std::vector<Value>& initial_values) {
    assert(initial_values.size() == variable.slot_count());
    variable.first_slot = slot_count();
    initial.insert(initial.end(), initial_values.begin(), initial_values.end());
    variables.push_back(std::move(variable));
    return static_cast<VariableId>(variables.size() - 1);
}

TransitionId Model::add_transition(Transition transition) {
    const auto id = static_cast<TransitionId>(transitions.size());
    if (transition.participants.empty()) {
        free_transitions.push_back(id);
    } else {
        const Participant& first = transition.participants.front();
        processes[first.process].outgoing[static_cast<std::size_t>(first.from)].push_back(id);
    }
    if (transition.priority != 0) has_priorities = true;
    transitions.push_back(std::move(transition));
    return id;
}

std::vector<Model::SlotOwner> Model::slot_owners() const {
    std::vector<SlotOwner> owners(slot_count());
    for (VariableId v = 0; v < variables.size(); ++v)
        for (std::uint32_t i = 0; i < variables[v].slot_count(); ++i) owners[variables[v].first_slot + i] = {v, i};
    return owners;
}

std::string Model::slot_name(SlotOwner owner) const {
    const Variable& variable = variables[owner.variable];
    if (!variable.length) return variable.name;
    return variable.name + '[' + std::to_string(owner.element) + ']' + variable.element_suffix;
}

bool Model::is_explicit_graph() const {
    return slot_count() == 1 && processes.size() == 1 && free_transitions.empty() &&
           std::all_of(transitions.begin(), transitions.end(),
                       [](const Transition& t) { return t.guards.empty() && t.effects.empty(); });
}

std::string Model::value_text(VariableId variable, Value value) const {
    const std::vector<std::string>& names = variables[variable].value_names;
    if (value >= 0 && static_cast<std::size_t>(value) < names.size() && !names[static_cast<std::size_t>(value)].empty())
        return names[static_cast<std::size_t>(value)];
    return std::to_string(value);
}

const std::string& Model::location_name(ProcessId process, Value location) const {
    return variables[processes[process].location].value_names[static_cast<std::size_t>(location)];
}

Model Model::without_transitions() const {
    Model copy;
    copy.format = format;
    copy.source = source;
    copy.variables = variables;
    copy.tables = tables;
    copy.initial = initial;
    copy.more_initial = more_initial;
    for (const Process& process : processes) {
        Process& other = copy.processes.emplace_back();
        other.name = process.name;
        other.location = process.location;
        other.committed = process.committed;
        other.outgoing.resize(process.outgoing.size());
        other.span = process.span;
    }
    copy.composition = composition;
    copy.atomic = atomic;
    copy.has_priorities = has_priorities;
    copy.end_label = end_label;
    copy.explores_observer = explores_observer;
    copy.observer = observer;
    copy.acceptance_sets = acceptance_sets;
    copy.assertions = assertions;
    copy.labels = labels;
    copy.progress = progress;
    return copy;
}

}  // namespace tideline::model
