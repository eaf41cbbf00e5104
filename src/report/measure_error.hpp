// What is said when a progress measure cannot be used: the step where that shows, and the values before and after it.
#pragma once

#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "report/summary.hpp"

namespace tideline {

std::string measure_error_text(const MeasureError& error, const std::vector<std::string>& components, const std::string& model_path,
                               const SummaryOptions& options);

}  // namespace tideline
