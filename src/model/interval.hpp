// Which values an expression can take, from the declared ranges of the variables alone.
#pragma once

#include "model/model.hpp"

namespace tideline::model {

// Every value that the expression has in any state within the declared ranges lies in the result (evaluations that are
// faulty have none).
Range value_range(const Model& model, const Expression& expression);

// The values of a binary operator whose operands lie in these ranges.
Range binary_range(Op op, Range left, Range right);

}  // namespace tideline::model
