// ltl blocks as formulas over labels of the model: each largest part without a temporal operator becomes a label.
#pragma once

#include <string>
#include <vector>

#include "input/load.hpp"
#include "input/promela/expressions.hpp"

namespace tideline::input::promela {

// Adds the labels to the model.
[[nodiscard]] std::vector<FileProperty> translate_formulas(const Program& program, const Expressions& expressions,
                                                           model::Model& model);

}  // namespace tideline::input::promela
