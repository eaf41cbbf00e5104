// The properties of states of a run, as goals of one search.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check/reachability.hpp"
#include "model/model.hpp"
#include "run/plan.hpp"

namespace tideline::run {

// As reports call it.
[[nodiscard]] std::string_view logic_name(check::Goal::Kind kind);

// With the labels that the goals need.
struct StateGoals {
    std::vector<check::Goal> goals;
    std::vector<model::Expression> labels;

    void add(check::Goal::Kind kind, std::string name, std::string formula, model::Expression label) {
        goals.push_back({kind, std::move(name), std::move(formula), labels.size()});
        labels.push_back(std::move(label));
    }
};

// Throws Refusal where the plan's properties do not fit the model.
[[nodiscard]] StateGoals state_goals(const RunPlan& plan, const model::Model& model);

}  // namespace tideline::run
