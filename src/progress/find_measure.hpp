// The search for a progress measure: candidates are put together, one component after the other, and rated on a pilot
// run.
//
// A beam search: each of a few measures is extended by every candidate, at its end; all are rated on few states, the
// most promising on more, and the best few are kept, until no extension is an improvement. The score weighs the states
// in memory against the time: states read back from the ledger (or, without one, expanded again) and layers visited.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "progress/linear_component.hpp"
#include "progress/measure.hpp"
#include "progress/pilot.hpp"
#include "progress/rating.hpp"
#include "support/budget.hpp"

namespace tideline::progress {

struct RatedMeasure {
    Measure measure;
    std::size_t monotonic = 0;   // number of leading components that are certified never to decrease
    Ranks ranks;                 // of the pilot's states; empty where the measure cannot be evaluated in one of them
    Rating rating;               // on all states of the pilot
    double predicted_share = 1;  // of all states, at the peak
};

struct FoundMeasures {
    Pilot pilot;
    std::vector<RatedMeasure> measures;  // the best first; empty: no measure is useful
};

enum class SweepKind : std::uint8_t {
    with_ledger,     // explore/exact_sweep.hpp
    without_ledger,  // explore/sweep.hpp
    basic,           // the same in one sweep: only measures that are certified never to decrease
};

// What measures are put together from.
enum class MeasureShape : std::uint8_t {
    any,         // everything that progress/candidates.hpp has
    projection,  // the values of single slots, as they are: a projection of the state vector to some of its components
};

// The system is the model's, without a measure, with room for all declared values. A measure that was given is rated as
// well, and comes first whatever its rating. One without expressions is the system's own: then the system has it, and
// the pilot keeps its keys. Where the budget is exhausted, the result is what was found so far.
FoundMeasures find_measures(const model::Model& model, const successor::System& system, SweepKind kind,
                            const PilotLimits& limits, const support::Budget& budget, const Measure* given = nullptr,
                            MeasureShape shape = MeasureShape::any);

}  // namespace tideline::progress
