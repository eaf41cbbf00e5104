// Which values the slots of a model take, as far as a few random walks and the first states show: the packing starts
// from it.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "support/budget.hpp"

namespace tideline::successor {

// The smallest and the largest value of every slot that was seen. Deterministic, with bounded work for every model; the
// same model gives the same result unless the budget ends first, in which case the result is what was seen until then.
std::vector<model::Range> observe_ranges(const model::Model& model, const support::Budget& budget);

}  // namespace tideline::successor
