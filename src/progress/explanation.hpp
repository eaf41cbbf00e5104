// The effect of a measure on a pilot run, for people: which transitions go forward, which go back, how the states lie
// in its layers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.hpp"
#include "progress/measure.hpp"
#include "progress/pilot.hpp"
#include "progress/rating.hpp"

namespace tideline::progress {

// The keys of a measure on the states of a pilot; nothing where it cannot be evaluated in one of them. `monotonic`: the
// number of leading components that never decrease. (By the keys of the pilot where the measure is no expression but
// the system's own.)
std::optional<Ranks> ranks_of(const Pilot& pilot, const model::Model& model, const Measure& measure,
                              std::size_t monotonic);

// The first component that cannot be evaluated in a state of the pilot, with the values that it reads there: "1/x where
// x = 0". Empty: there is none.
std::string unevaluable_text(const Pilot& pilot, const model::Model& model, const Measure& measure);

// How often a transition of the model went forward, stayed in its layer, and went back.
struct Flow {
    model::TransitionId transition = 0;
    std::uint64_t forward = 0;
    std::uint64_t level = 0;
    std::uint64_t back = 0;
};

// Transitions that occur in the pilot; those that go back most often come first.
std::vector<Flow> flows(const Pilot& pilot, const Ranks& ranks);

// The states of each layer, in the order of the sweep line.
std::vector<std::uint64_t> layer_sizes(const Ranks& ranks);

}  // namespace tideline::progress
