// Whole files as text, with errors a user can act on.
#pragma once

#include <string>

#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::support {

// Reads to the end, once: pipes and FIFOs cannot be read twice. Refuses a device or a pipe at its first zero byte,
// since it may have no end, and what exceeds the budget (Result::stopped).
Result<std::string> read_text_file(const std::string& path, const Budget& budget = {});

}  // namespace tideline::support
