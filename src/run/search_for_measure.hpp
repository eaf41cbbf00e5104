// The search for a progress measure as a part of a run: for the system that the run searches, product included.
#pragma once

#include "progress/find_measure.hpp"
#include "run/linear_property.hpp"
#include "run/loaded_system.hpp"
#include "run/spec.hpp"

namespace tideline::run {

[[nodiscard]] SweepKind sweep_kind(const RunSpec& spec);

// `given`: a measure that is rated besides those that are found; null: none. `product`: what the system is multiplied with; null: nothing.
[[nodiscard]] FoundMeasures search_for_measures(const LoadedSystem& system, const LinearProperty* product, SweepKind kind, const Measure* given,
                                                const Budget& budget);

}  // namespace tideline::run
