// Orders of a process's locations, from its own graph alone: for an explicit system, from the system itself.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline {

// The rank of each location's component: on a way from one component to another it grows. No transition of the process decreases it.
std::vector<Value> component_ranks(const Model& model, ProcessId process);

// How far each location is from the initial one: an order for processes that go round, along a spanning tree.
std::vector<Value> spanning_depths(const Model& model, ProcessId process);

}  // namespace tideline
