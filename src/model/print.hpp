// A model and its expressions as text: for `convert --to model`, for messages, and for people who want to see what was
// understood.
#pragma once

#include <string>

#include "model/model.hpp"

namespace tideline::model {

std::string to_text(const Model& model, const Expression& expression);

// All of a model: variables with ranges and initial values, processes, transitions with guards, effects, and the slots
// they read and write.
std::string to_text(const Model& model);

}  // namespace tideline::model
