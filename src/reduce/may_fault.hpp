// Whether executing a transition can be a fault, from the declared ranges alone.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline::reduce {

// By transition. False: no state within the declared ranges has a faulty step by it.
[[nodiscard]] std::vector<bool> may_fault(const model::Model& model);

}  // namespace tideline::reduce
