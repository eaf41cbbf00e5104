// The searches that decide properties of branching time. `auto` decides on the fly within a small number of states,
// then by labelling the whole graph what is left: a verdict near the initial states does not cost an exploration.
#pragma once

#include "run/branching_properties.hpp"
#include "run/loaded_system.hpp"
#include "run/plan.hpp"
#include "run/sink.hpp"

namespace tideline::run {

// What is asked of an engine, without the system. The sink and the budget must outlive it.
[[nodiscard]] check::BranchingRequest branching_request(const RunPlan& plan, const BranchingProperties& properties,
                                                        const LoadedSystem& system, Sink& sink,
                                                        const support::Budget& budget);

// Evidence for violations that have none, by labelling, as far as the budget allows.
void add_branching_evidence(check::Outcome& outcome, const RunPlan& plan, const BranchingProperties& properties,
                            const LoadedSystem& system, Sink& sink, const support::Budget& budget);

// The plan's properties of branching time; there is one at least. Throws UnconfirmedTrace.
[[nodiscard]] check::Outcome decide_branching_properties(const RunPlan& plan, const BranchingProperties& properties,
                                                         const LoadedSystem& system, Sink& sink,
                                                         const support::Budget& budget);

}  // namespace tideline::run
