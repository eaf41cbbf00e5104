// Measures of progress in the comments of a DVE file: lines of the form
//
//   // tideline progress: EXPR
//   // tideline progress: product(EXPR, EXPR, ...)
//
// one component per line, or several with commas between them, the most significant first. Other tools do not see them.
#pragma once

#include "model/model.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::dve {

// Adds them to the model; errors and warnings where an expression is wrong or suspicious.
support::Diagnostics read_progress_comments(model::Model& model);

}  // namespace tideline::input::dve
