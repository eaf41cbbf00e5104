#include "run/state_properties.hpp"

#include "model/parse_expression.hpp"

namespace tideline::run {

std::string_view logic_name(check::StateProperty::Kind kind) {
    switch (kind) {
        case check::StateProperty::Kind::invariant: return "invariant";
        case check::StateProperty::Kind::assertion: return "assert";
        case check::StateProperty::Kind::deadlock: return "deadlock";
    }
    return "unknown";
}

StateProperties state_properties(const RunPlan& plan, const model::Model& model) {
    StateProperties result;
    if (plan.spec.task == Task::explore) {
        for (const model::NamedExpression& assertion : model.assertions)
            result.add(check::StateProperty::Kind::assertion, "assert " + assertion.name, assertion.name,
                       assertion.expression);
        return result;
    }
    auto assertion = model.assertions.begin();
    for (const PropertySpec& property : plan.spec.properties) {
        switch (property.kind) {
            case PropertyKind::deadlock:
                result.properties.push_back({check::StateProperty::Kind::deadlock, property.name, "", 0});
                break;
            case PropertyKind::invariant: {
                support::Result<model::Expression> parsed =
                    model::parse_expression(model, support::SourceText(property.name, property.text));
                if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
                result.add(check::StateProperty::Kind::invariant, property.name, property.text, *std::move(parsed));
                break;
            }
            case PropertyKind::assertion:
                if (assertion == model.assertions.end())
                    throw Refusal{{support::diagnostic_about(plan.spec.model.path,
                                                             "the model has no such assertion: " + property.name)},
                                  support::StopReason::none};
                result.add(check::StateProperty::Kind::assertion, property.name, property.text,
                           (assertion++)->expression);
                break;
            case PropertyKind::ltl:
            case PropertyKind::automaton:
            case PropertyKind::process: break;
        }
    }
    return result;
}

}  // namespace tideline::run
