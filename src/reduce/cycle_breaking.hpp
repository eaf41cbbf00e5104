// A set of transitions without which the state space has no cycles: every cycle has a step of one of them.
//
// R. Kurshan, V. Levin, M. Minea, D. Peled and H. Yenigün (Static partial order reduction, TACAS 1998) call them
// sticky. A cycle of states comes back to the same locations, so that the moves of each process in it are a closed walk
// of its control graph. Let the control graphs be without cycles once the sticky transitions are taken out. Then a
// cycle of states without sticky steps moves no process; but a step that moves no process is sticky. The locations that
// effects assign (a process is created) are no moves: these transitions are sticky.
//
// The step of an atomic sequence is sticky where a transition is that it may try.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "reduce/step_facts.hpp"

namespace tideline::reduce {

// By transition: whether the step that begins with it is sticky. `preference`: all transitions, those first that should
// rather not be.
[[nodiscard]] std::vector<bool> sticky_transitions(const model::Model& model, const StepFacts& steps,
                                                   std::span<const model::TransitionId> preference);

}  // namespace tideline::reduce
