// Small hand-made models for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace tideline::model::examples {

inline VariableId add_scalar(Model& model, std::string name, Range range, Value initial) {
    Variable variable;
    variable.name = std::move(name);
    variable.range = range;
    return model.add_variable(std::move(variable), {initial});
}

inline VariableId add_array(Model& model, std::string name, Range range, const std::vector<Value>& initial) {
    Variable variable;
    variable.name = std::move(name);
    variable.range = range;
    variable.length = static_cast<std::uint32_t>(initial.size());
    return model.add_variable(std::move(variable), initial);
}

inline ProcessId add_process(Model& model, const std::string& name, std::vector<std::string> locations,
                             Value initial = 0) {
    const auto id = static_cast<ProcessId>(model.processes.size());
    Variable location;
    location.name = name;
    location.kind = Variable::Kind::location;
    location.range = {0, static_cast<Value>(locations.size()) - 1};
    location.owner = id;
    Process process;
    process.name = name;
    process.outgoing.resize(locations.size());
    location.value_names = std::move(locations);
    process.location = model.add_variable(std::move(location), {initial});
    model.processes.push_back(std::move(process));
    return id;
}

inline Expression number(Value value) { return Expression::constant(value); }

inline Assign assign(VariableId variable, Expression value) {
    Assign result;
    result.targets.push_back({variable, std::nullopt});
    result.values.push_back(std::move(value));
    return result;
}

inline Assign assign_element(VariableId variable, Expression index, Expression value) {
    Assign result = examples::assign(variable, std::move(value));
    result.targets[0].index = std::move(index);
    return result;
}

inline Transition move(ProcessId process, Value from, Value to) {
    Transition result;
    result.participants.push_back({process, from, to, {}});
    return result;
}

// variable := variable + step, while that stays in 0..limit.
inline Transition count(const Model& model, VariableId variable, Value step, Value limit) {
    Transition result;
    result.guards.push_back(
        Expression::binary(Op::less_equal, Expression::binary(Op::add, model.read(variable), examples::number(step)),
                           examples::number(limit)));
    result.effects.emplace_back(
        examples::assign(variable, Expression::binary(Op::add, model.read(variable), examples::number(step))));
    return result;
}

// Two counters from 0 to `limit`, each of which may be counted up at any time: (limit + 1)^2 states, one deadlock,
// 2 limit + 1 levels.
inline Model two_counters(Value limit) {
    Model model;
    const VariableId x = examples::add_scalar(model, "x", {0, limit}, 0);
    const VariableId y = examples::add_scalar(model, "y", {0, limit}, 0);
    model.add_transition(examples::count(model, x, 1, limit));
    model.add_transition(examples::count(model, y, 1, limit));
    return model;
}

}  // namespace tideline::model::examples
