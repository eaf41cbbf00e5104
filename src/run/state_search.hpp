// One search decides all properties of states of a run, or explores. Where it keeps a ledger, the plan is resolved
// before, and the ledger's header holds it.
#pragma once

#include "check/verdict.hpp"
#include "run/execution.hpp"
#include "run/state_properties.hpp"
#include "trace/confirm.hpp"

namespace tideline::run {

// Resolves the plan, and searches for its properties of states.
[[nodiscard]] check::Outcome answer_state_questions(Execution& run);

// The search by the plan's engine. `confirm`: replays a run that was found; null: as the system does. `is_resumable`:
// the run can be resumed from the ledger of this search.
[[nodiscard]] check::Outcome search_states(Execution& run, const StateProperties& properties,
                                           trace::Confirm confirm = {}, bool is_resumable = true);

// Of a search that did not begin.
[[nodiscard]] check::Outcome unsearched(const Execution& run, const StateProperties& properties,
                                        support::StopReason reason);

}  // namespace tideline::run
