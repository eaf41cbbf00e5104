// A run's verdicts for machines that build and test software: JUnit XML and SARIF 2.1.0.
#pragma once

#include <string>

#include "run/run_report.hpp"

namespace tideline::report {

// A test suite with a test case per property, and per fault of the model. Where verdicts are expected, one that is as
// expected is a success.
[[nodiscard]] std::string to_junit(const run::RunReport& report);

// A result per violated or undecided property and per fault, with the run as a code flow where lines are known.
[[nodiscard]] std::string to_sarif(const run::RunReport& report);

}  // namespace tideline::report
