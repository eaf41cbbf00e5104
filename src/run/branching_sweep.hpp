// Properties of branching time, whatever the engine: in memory (branching_run.hpp), or by a sweep. The engine `ledger`
// leaves the graph on disk and decides there; `auto` does the same where the graph does not fit into memory. The
// engine `scc-ctl` decides AG EF and AG AF layer by layer.
#pragma once

#include "run/execution.hpp"
#include "run/merge_outcomes.hpp"

namespace tideline::run {

// Those of the plan; there may be none. Throws Refusal, UnconfirmedTrace.
void decide_branching(Execution& run, MergedOutcome& merged);

}  // namespace tideline::run
