// The properties of states of a run, which one search decides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/reachability.hpp"
#include "model/model.hpp"
#include "run/plan.hpp"

namespace tideline::run {

// As reports call it.
[[nodiscard]] std::string_view logic_name(check::StateProperty::Kind kind);

// With the labels that the properties need.
struct StateProperties {
    std::vector<check::StateProperty> properties;
    std::vector<model::Expression> labels;
    // The first labels are these atoms of formulas, recorded for what is decided when all states are known: the search
    // is an exploration.
    std::vector<std::string> atoms{};

    void add(check::StateProperty::Kind kind, std::string name, std::string formula, model::Expression label) {
        properties.push_back({kind, std::move(name), std::move(formula), labels.size()});
        labels.push_back(std::move(label));
    }
};

// The condition of RunSpec::end_states over the names of a model.
[[nodiscard]] support::Result<model::Expression> parse_end_states(const std::string& text, const model::Model& model);

// Throws Refusal where the plan's properties do not fit the model.
[[nodiscard]] StateProperties state_properties(const RunPlan& plan, const model::Model& model);

}  // namespace tideline::run
