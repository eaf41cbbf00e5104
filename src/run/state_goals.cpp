#include "run/state_goals.hpp"

#include "model/parse_expression.hpp"

namespace tideline::run {

std::string_view logic_name(check::Goal::Kind kind) {
    switch (kind) {
        case check::Goal::Kind::invariant: return "invariant";
        case check::Goal::Kind::assertion: return "assert";
        case check::Goal::Kind::deadlock: return "deadlock";
    }
    return "unknown";
}

StateGoals state_goals(const RunPlan& plan, const model::Model& model) {
    StateGoals result;
    if (plan.spec.task == Task::explore) {
        for (const model::NamedExpression& assertion : model.assertions)
            result.add(check::Goal::Kind::assertion, "assert " + assertion.name, assertion.name, assertion.expression);
        return result;
    }
    auto assertion = model.assertions.begin();
    for (const PropertySpec& property : plan.spec.properties) {
        switch (property.kind) {
            case PropertyKind::deadlock:
                result.goals.push_back({check::Goal::Kind::deadlock, property.name, "", 0});
                break;
            case PropertyKind::invariant: {
                support::Result<model::Expression> parsed =
                    model::parse_expression(model, support::SourceText(property.name, property.text));
                if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
                result.add(check::Goal::Kind::invariant, property.name, property.text, *std::move(parsed));
                break;
            }
            case PropertyKind::assertion:
                if (assertion == model.assertions.end())
                    throw Refusal{{support::diagnostic_about(plan.spec.model.path,
                                                             "the model has no such assertion: " + property.name)},
                                  support::StopReason::none};
                result.add(check::Goal::Kind::assertion, property.name, property.text, (assertion++)->expression);
                break;
            case PropertyKind::ltl:
            case PropertyKind::automaton:
            case PropertyKind::process: break;
        }
    }
    return result;
}

}  // namespace tideline::run
