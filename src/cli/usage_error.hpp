// Errors of the command line, as text.
#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "support/diagnostic.hpp"

namespace tideline::cli {

[[nodiscard]] UsageError usage_error(const std::string& message, const std::string& hint = {});

// The first error of a value given to an option.
[[nodiscard]] UsageError bad_value(const std::string& option, const support::Diagnostics& diagnostics);

}  // namespace tideline::cli
