// The search for a progress measure as a part of a run: for the system that the run searches, product included.
#pragma once

#include "progress/find_measure.hpp"
#include "run/linear_property.hpp"
#include "run/loaded_system.hpp"
#include "run/spec.hpp"

namespace tideline::run {

[[nodiscard]] progress::SweepKind sweep_kind(const RunSpec& spec);

// `given`: a measure that is rated besides those that are found; null: none. `product`: what the system is multiplied
// with; null: nothing.
[[nodiscard]] progress::FoundMeasures search_for_measures(const LoadedSystem& system, const LinearProperty* product,
                                                          progress::SweepKind kind, const progress::Measure* given,
                                                          const support::Budget& budget,
                                                          progress::MeasureShape shape = progress::MeasureShape::any);

}  // namespace tideline::run
