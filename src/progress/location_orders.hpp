// Orders of a process's locations, from its own graph alone: for an explicit system, from the system itself.
//
// K. Jensen, L. M. Kristensen, T. Mailund, The sweep-line state space exploration method (2012), section 3.2: the graph of strongly
// connected components gives a monotonic measure; a process that is one component is measured along a spanning tree.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline {

// The rank of each location's component: on a way from one component to another it grows. No transition of the process decreases it.
std::vector<Value> component_ranks(const Model& model, ProcessId process);

// The same, finer: every component has a place of its own, after those of a lower rank.
std::vector<Value> component_order(const Model& model, ProcessId process);

// How far each location is from the initial one: an order for processes that go round, along a spanning tree.
std::vector<Value> spanning_depths(const Model& model, ProcessId process);

// The place of each location in a topological order of a depth-first spanning tree, from the initial location, in which besides only edges
// to ancestors go back. Locations that are not reached come with the initial one.
std::vector<Value> spanning_order(const Model& model, ProcessId process);

}  // namespace tideline
