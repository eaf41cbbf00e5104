// Proofs that a progress measure never decreases, whatever a system does: from the transitions alone, before any
// search.
//
// For each transition the value of a component after it, minus that before, is written as a linear form over the slots
// before it (effects.hpp); its least value over the ranges that the transition's guards leave must not be negative,
// unless an earlier component has grown. A property process moves together with a transition of the system: every pair
// is examined. All arithmetic is exact.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "support/budget.hpp"

namespace tideline::progress {

// How many of the leading components, compared lexicographically, no step of the model decreases from any state within
// the declared ranges. Where it is fewer than all, the others may or may not be monotonic. Where the budget does not
// suffice, nothing is certified.
[[nodiscard]] std::size_t monotonic_components(const model::Model& model,
                                               const std::vector<model::Expression>& components,
                                               const support::Budget& budget = {});
// The same where the transitions are kept elsewhere than in `names`, which has the tables of a measure.
[[nodiscard]] std::size_t monotonic_components(const model::Model& names,
                                               const std::vector<model::Transition>& transitions,
                                               const std::vector<model::Expression>& components,
                                               const support::Budget& budget);

// The same for one component.
[[nodiscard]] bool never_decreases(const model::Model& model, const model::Expression& component);

}  // namespace tideline::progress
