#include "cli/usage_error.hpp"

namespace tideline::cli {

UsageError usage_error(const std::string& message, const std::string& hint) {
    return {support::to_text(support::diagnostic_about("", message, hint)), 2};
}

UsageError bad_value(const std::string& option, const support::Diagnostics& diagnostics) {
    return usage_error(option + ": " + diagnostics.front().message, diagnostics.front().hint);
}

}  // namespace tideline::cli
