// An explicit system as a Model: one process "lts" whose location, the variable "state", is the state of the system.
#pragma once

#include "input/lts/graph.hpp"
#include "model/model.hpp"

namespace tideline::lts {

Model translate(Graph graph);

}  // namespace tideline::lts
