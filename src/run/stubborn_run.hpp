// Runs with stubborn sets (reduce/stubborn_sets.hpp): for which questions they are sound, and the systems of such a
// run.
#pragma once

#include <optional>

#include "run/capability.hpp"
#include "run/loaded_system.hpp"
#include "run/plan.hpp"

namespace tideline::run {

// Whether the spec's questions have the same answers with stubborn sets; otherwise why not.
[[nodiscard]] Capability stubborn_capability(const RunSpec& spec, const LoadedSystem& system);

// The same system, without the steps that the plan's properties do not need.
[[nodiscard]] LoadedSystem with_stubborn_sets(LoadedSystem system, const RunSpec& spec);

}  // namespace tideline::run
