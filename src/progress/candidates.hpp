// Progress components worth a trial: what may grow on the way through a system, from its transitions and from a pilot run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "progress/linear_component.hpp"
#include "progress/pilot.hpp"
#include "support/budget.hpp"

namespace tideline {

struct Candidate {
    std::vector<LinearComponent> components;  // one; or the sum of a vector and then its parts but the last (docs/algorithms/composition.md)
    std::vector<std::uint32_t> ranks;         // its values in the first states of the pilot, numbered in their order
};

// Linear measures that no step decreases, in several weightings; every slot that changes, up and down; sums of arrays, of the namesakes of a
// variable in several processes and of locations, and the vectors of what is summed up; orders of values in which most steps of the pilot
// go forward. No two rank the states alike.
std::vector<Candidate> candidates(const Model& model, const Pilot& pilot, std::uint32_t first_states, const Budget& budget = {});

// Values numbered from 0 in their order.
std::vector<std::uint32_t> ranked(const std::vector<Value>& values);

// The values of a linear component in the first states of a pilot.
std::vector<Value> values_on(const Pilot& pilot, const Model& model, const LinearComponent& component, std::uint32_t first_states);

}  // namespace tideline
