#include "run/state_goals.hpp"

#include "model/parse_expression.hpp"

namespace tideline::run {

std::string_view logic_name(Goal::Kind kind) {
    switch (kind) {
        case Goal::Kind::invariant: return "invariant";
        case Goal::Kind::assertion: return "assert";
        case Goal::Kind::deadlock: return "deadlock";
    }
    return "unknown";
}

StateGoals state_goals(const RunPlan& plan, const Model& model) {
    StateGoals result;
    if (plan.spec.task == Task::explore) {
        for (const NamedExpression& assertion : model.assertions)
            result.add(Goal::Kind::assertion, "assert " + assertion.name, assertion.name, assertion.expression);
        return result;
    }
    auto assertion = model.assertions.begin();
    for (const PropertySpec& property : plan.spec.properties) {
        switch (property.kind) {
            case PropertyKind::deadlock: result.goals.push_back({Goal::Kind::deadlock, property.name, "", 0}); break;
            case PropertyKind::invariant: {
                Result<Expression> parsed = parse_expression(model, SourceText(property.name, property.text));
                if (!parsed) throw Refusal{std::move(parsed).diagnostics(), StopReason::none};
                result.add(Goal::Kind::invariant, property.name, property.text, *std::move(parsed));
                break;
            }
            case PropertyKind::assertion:
                if (assertion == model.assertions.end())
                    throw Refusal{{diagnostic_about(plan.spec.model.path, "the model has no such assertion: " + property.name)}, StopReason::none};
                result.add(Goal::Kind::assertion, property.name, property.text, (assertion++)->expression);
                break;
            case PropertyKind::ltl:
            case PropertyKind::automaton:
            case PropertyKind::process: break;
        }
    }
    return result;
}

}  // namespace tideline::run
