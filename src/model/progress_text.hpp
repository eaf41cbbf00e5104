// The text of a progress measure, cut into its components:
//
//   EXPR, product(EXPR, EXPR, ...), ...
//
// the most significant first. What the expressions mean is for others.
#pragma once

#include <vector>

#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline {

struct ProgressText {
    std::vector<SourceSpan> parts;  // one expression, or those of a product
    bool is_product = false;
};

// An error where a product is not closed or an expression is empty.
Result<std::vector<ProgressText>> cut_progress_text(const SourceText& source, SourceSpan span);

}  // namespace tideline
