// Constants of a model whose values a user gives: -D NAME=VALUE.
#pragma once

#include <string>
#include <vector>

#include "input/dve/syntax.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::dve {

// Replaces the values of global constants in the syntax tree, so that everything that is made of it has them. Errors
// where a definition is no NAME=VALUE, names no constant, or its value does not fit.
[[nodiscard]] support::Diagnostics define_constants(Program& program, const std::vector<std::string>& definitions);

}  // namespace tideline::input::dve
