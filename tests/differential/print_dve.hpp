// A DVE syntax tree as text again, for round trips and for shrinking models.
#pragma once

#include <string>

#include "input/dve/syntax.hpp"

namespace tideline::differential {

// Parentheses of the source are kept; where a changed tree needs more, they are added. Comments are lost, and global
// variables come before channels.
[[nodiscard]] std::string to_dve_text(const input::dve::Program& program);
[[nodiscard]] std::string to_dve_text(const input::dve::Expr& expression);

}  // namespace tideline::differential
