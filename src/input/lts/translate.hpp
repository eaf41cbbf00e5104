// An explicit system as a Model: one process "lts" whose location, the variable "state", is the state of the system.
#pragma once

#include "input/lts/graph.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::lts {

// Fails only where the budget does not suffice (Result::stopped).
support::Result<model::Model> translate(Graph graph, const support::Budget& budget = {});

}  // namespace tideline::input::lts
