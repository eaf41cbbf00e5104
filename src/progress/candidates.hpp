// Candidate progress components: what may grow along paths of a system, from its transitions and from a pilot run.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "progress/linear_component.hpp"
#include "progress/pilot.hpp"
#include "support/budget.hpp"

namespace tideline::progress {

struct Candidate {
    std::vector<LinearComponent>
        components;  // one; or the sum of a vector and then its parts but the last (docs/algorithms/composition.md)
    std::vector<std::uint32_t> ranks;  // ranks of its values in the first states of the pilot
};

// Linear measures that no step decreases, in several weightings; every slot that changes, up and down; sums of arrays,
// of the namesakes of a variable in several processes and of locations, and the vectors of what is summed up; orders of
// values in which most steps of the pilot go forward. No two rank the states in the same way.
std::vector<Candidate> candidates(const model::Model& model, const Pilot& pilot, std::uint32_t first_states,
                                  const support::Budget& budget = {});

// Every slot that changes in the pilot, with its values as they are.
std::vector<Candidate> single_slots(const model::Model& model, const Pilot& pilot, std::uint32_t first_states);

// Ranks of values, from 0.
std::vector<std::uint32_t> ranked(const std::vector<model::Value>& values);

// The values of a linear component in the first states of a pilot.
std::vector<model::Value> values_on(const Pilot& pilot, const model::Model& model, const LinearComponent& component,
                                    std::uint32_t first_states);

}  // namespace tideline::progress
