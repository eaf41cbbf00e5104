// Proofs that a progress component never decreases, whatever a system does: from the transitions alone, before any search.
//
// For each transition the component's value after it, minus that before, is written as a linear form over the slots before it; its least
// value over the ranges that the transition's guards leave must not be negative. All arithmetic is exact: where a number does not fit, or a part
// of the component is not linear, there is no proof.
#pragma once

#include "model/model.hpp"

namespace tideline {

// True only where no step of the model, from any state within the declared ranges, decreases the expression. False says nothing.
[[nodiscard]] bool never_decreases(const Model& model, const Expression& component);

}  // namespace tideline
