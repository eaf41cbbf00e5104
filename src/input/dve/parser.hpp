// Text to the syntax tree of DVE. Syntax only: names and types are checked by translate().
#pragma once

#include "input/dve/syntax.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::dve {

// Parses a whole file. On a syntax error the result holds the first error, with its position; Result::stopped() where the budget does not
// suffice.
Result<Program> parse(SourceText source, const Budget& budget = {});

// Parses one expression that stands alone (tests and reference/ read invariants with it).
Result<ExprPtr> parse_expression(const SourceText& source);

}  // namespace tideline::dve
