// Which steps a lasso takes, where that is not known and several lead from one state to the next: the cycle is repeated
// until the steps chosen carry all marks between them, and those of `where_possible` that a step of the cycle has.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

// Fills in the transitions; the lasso may become longer. False: the budget is exhausted.
[[nodiscard]] bool choose_steps(PackedLasso& lasso, model::Marks marks, model::Marks where_possible,
                                const support::Budget& budget);

}  // namespace tideline::check::ltl
