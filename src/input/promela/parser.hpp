// Promela as SPIN 6.5 reads it, to a syntax tree. docs/promela.md has the grammar's corners.
#pragma once

#include "input/promela/preprocess.hpp"
#include "input/promela/syntax.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::input::promela {

support::Result<Program> parse(const support::SourceText& source, const PreprocessOptions& options,
                               const support::Budget& budget);

ExprPtr clone(const Expr& expr);
std::unique_ptr<Reference> clone(const Reference& reference);

// The value of an expression of constants; nothing where it has none.
std::optional<std::int64_t> constant_value(const Expr& expr);

}  // namespace tideline::input::promela
