#include "run/state_properties.hpp"

#include "model/parse_expression.hpp"

namespace tideline::run {

std::string_view logic_name(check::StateProperty::Kind kind) {
    switch (kind) {
        case check::StateProperty::Kind::invariant: return "invariant";
        case check::StateProperty::Kind::assertion: return "assert";
        case check::StateProperty::Kind::deadlock: return "deadlock";
        case check::StateProperty::Kind::formula: return "ltl";
    }
    return "unknown";
}

support::Result<model::Expression> parse_end_states(const std::string& text, const model::Model& model) {
    return model::parse_expression(model, support::SourceText("--end-states", text));
}

StateProperties state_properties(const RunPlan& plan, const model::Model& model) {
    StateProperties result;
    if (plan.spec.task == Task::explore) {
        for (const model::NamedExpression& assertion : model.assertions)
            result.add(check::StateProperty::Kind::assertion, "assert " + assertion.name, assertion.name,
                       assertion.expression);
        return result;
    }
    bool has_deadlock = false;
    auto assertion = model.assertions.begin();
    for (const PropertySpec& property : plan.spec.properties) {
        switch (property.kind) {
            case PropertyKind::deadlock:
                result.properties.push_back({check::StateProperty::Kind::deadlock, property.name, "", 0});
                has_deadlock = true;
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
            case PropertyKind::ctl:
            case PropertyKind::ctlstar:
            case PropertyKind::automaton:
            case PropertyKind::process: break;
        }
    }
    if (!has_deadlock || plan.spec.end_states.empty()) return result;
    for (check::StateProperty& property : result.properties)
        if (property.kind == check::StateProperty::Kind::deadlock) property.end_label = result.labels.size();
    support::Result<model::Expression> ends = parse_end_states(plan.spec.end_states, model);
    if (!ends) throw Refusal{std::move(ends).diagnostics(), support::StopReason::none};
    result.labels.push_back(*std::move(ends));
    return result;
}

}  // namespace tideline::run
