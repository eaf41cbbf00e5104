// The automaton of a run's linear-time property, made again from the plan that its ledger has: for audits, which do not
// believe the one in the ledger.
#pragma once

#include <optional>
#include <string>

#include "run/loaded_system.hpp"
#include "run/plan.hpp"

namespace tideline::run {

// In HOA. Nothing where there is no such property, or another program translated it.
[[nodiscard]] std::optional<std::string> automaton_again(const RunPlan& plan, const LoadedInput& input,
                                                         const support::Budget& budget);

}  // namespace tideline::run
