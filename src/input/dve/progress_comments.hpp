// Measures of progress in the comments of a DVE file: lines of the form
//
//   // tideline progress: EXPR
//   // tideline progress: product(EXPR, EXPR, ...)
//
// a component each, or several with commas between them, the most significant first. Other tools do not see them.
#pragma once

#include "model/model.hpp"
#include "support/diagnostic.hpp"

namespace tideline::dve {

// Adds them to the model; errors and warnings where an expression is wrong or doubtful.
Diagnostics read_progress_comments(Model& model);

}  // namespace tideline::dve
