// Text to the syntax tree of DVE. Syntax only: names and types are checked by translate().
#pragma once

#include "input/dve/syntax.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::dve {

// Parses a whole file. On syntax errors the result holds the first one of each process, with its position;
// Result::stopped() where the budget does not suffice.
support::Result<Program> parse(support::SourceText source, const support::Budget& budget = {});

// Parses one expression that stands alone (tests and reference/ read invariants with it).
support::Result<ExprPtr> parse_expression(const support::SourceText& source);

}  // namespace tideline::input::dve
