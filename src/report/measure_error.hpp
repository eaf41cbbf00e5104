// The message for a progress measure that cannot be used: the offending step, and the values before and after it.
#pragma once

#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "report/summary.hpp"

namespace tideline::report {

std::string measure_error_text(const check::MeasureError& error, const std::vector<std::string>& components,
                               const std::string& model_path, const SummaryOptions& options);

}  // namespace tideline::report
