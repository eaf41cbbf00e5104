// The text of a progress measure, split into its components:
//
//   EXPR, product(EXPR, EXPR, ...), ...
//
// the most significant first. Others parse the expressions.
#pragma once

#include <vector>

#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::model {

struct ProgressText {
    std::vector<support::SourceSpan> parts;  // one expression, or those of a product
    bool is_product = false;
};

// An error where a product is not closed or an expression is empty.
support::Result<std::vector<ProgressText>> cut_progress_text(const support::SourceText& source,
                                                             support::SourceSpan span);

}  // namespace tideline::model
