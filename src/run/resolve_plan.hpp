// What a plan leaves open needs a run: the measure that is found, and with it the engine.
#pragma once

#include "explore/change_over.hpp"
#include "run/execution.hpp"

namespace tideline::run {

// Resolves what is open before a search begins. Not none: the budget has ended, and the search must not begin.
// `has_events`: a ledger is resumed whose events can be reported without a budget. Throws Refusal where the engine
// that was requested needs a measure and none is found.
[[nodiscard]] support::StopReason resolve_plan(Execution& run, bool has_events);

// The measure of a sweep that a search in memory changes to, rated on the states that were visited. Throws
// Execution::Stopped.
void choose_measure(Execution& run, const explore::StatesInMemory& states);

}  // namespace tideline::run
