// From the packed states of a path to a Trace that people can read.
#pragma once

#include <vector>

#include "successor/system.hpp"
#include "trace/trace.hpp"

namespace tideline {

// Every state must have a step to the next one; the first such step is shown.
Trace rebuild_trace(const System& system, const std::vector<std::vector<Word>>& path);

// The same for a run that goes round for ever: the last state must have a step to the one at place `loop`.
Trace rebuild_lasso(const System& system, std::vector<std::vector<Word>> path, std::size_t loop);

// What the first faulty step of a state with that transition and kind says.
std::string fault_text(const System& system, const std::vector<Word>& state, TransitionId transition, FaultKind kind);

// Appends the faulty step of the last state: the first with that transition and kind.
void append_fault(Trace& trace, const System& system, const std::vector<Word>& last, TransitionId transition, FaultKind kind);

}  // namespace tideline
