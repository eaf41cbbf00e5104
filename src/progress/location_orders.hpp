// Orders of a process's locations, from its own graph alone: for an explicit system, from the system itself.
//
// K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method (2012), section 3.2: the graph
// of strongly connected components gives a monotonic measure; a process that is one component is measured along a
// spanning tree.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline::progress {

// The rank of each location's component: it grows along every path from one component to another. No transition of the
// process decreases it.
std::vector<model::Value> component_ranks(const model::Model& model, model::ProcessId process);

// The same, finer: every component has its own position, after those of a lower rank.
std::vector<model::Value> component_order(const model::Model& model, model::ProcessId process);

// How far each location is from the initial one: an order for cyclic processes, along a spanning tree.
std::vector<model::Value> spanning_depths(const model::Model& model, model::ProcessId process);

// The position of each location in a topological order of a depth-first spanning tree from the initial location. Only
// edges to ancestors go back in it. Unreachable locations have the position of the initial one.
std::vector<model::Value> spanning_order(const model::Model& model, model::ProcessId process);

}  // namespace tideline::progress
