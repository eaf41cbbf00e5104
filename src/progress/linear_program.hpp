// Linear measures that no step decreases, by linear programming.
//
// A component has a weight per location of every process and a factor per slot. A transition changes it by at least
// what its locations differ, plus for every slot that it writes the factor times the least (a positive factor) or the
// largest (a negative one) change of that slot: linear in the weights and factors. No transition may decrease the
// component; as many as possible, weighted, should increase it. Those that do are ignored for the next component, and
// so on: a lexicographic measure, as lexicographic ranking functions are found. It comprises the component graphs of
// processes, counters that only grow and, for nets, the place weights of the method of 2004.
//
// The solver works with floating-point numbers; what it finds is rounded to integers and kept only where the
// certificate holds (certificate.hpp).
#pragma once

#include <vector>

#include "model/model.hpp"
#include "progress/linear_component.hpp"
#include "support/budget.hpp"

namespace tideline::progress {

// The ingredients of a component.
struct LinearFeatures {
    bool locations = true;
    bool slots = true;
};

// Components of one measure, the most significant first; all together are certified. Empty: there is none. One weight
// per transition. Where the budget is exhausted, the chain is shorter.
std::vector<LinearComponent> monotonic_chain(const model::Model& model, const std::vector<double>& weights,
                                             LinearFeatures features, const support::Budget& budget = {});

}  // namespace tideline::progress
