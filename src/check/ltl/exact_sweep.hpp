// The exact sweep for linear-time properties: every state of the product is expanded once, whatever the measure; the
// states behind the sweep line are in a ledger, and accepting cycles are found on the residual graph of what was swept
// (ledger_cycles.hpp), while it is swept.
//
// An accepting cycle inside a visit of a layer is reported when the visit ends. One that spans visits is reported at
// the latest at the end of the pass after the one that expanded its last state: then the regress edges of that pass
// have been looked up.
//
// The run: the ledger's path to a state of the component that was found, and from there a shortest way into an
// accepting cycle and round it, by a search that begins there (graph.hpp); then a shorter one, where a search over all
// states finds it within about as many states as the sweep has expanded (lasso.hpp).
//
// Needs a system with a progress measure, and settings with a ledger that records edges and marks. Fairness: weak as
// marks that must recur, strong by marks that say who has a step in the source and who moves.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

[[nodiscard]] EmptinessResult exact_sweep(const EmptinessTask& task);

}  // namespace tideline::check::ltl
