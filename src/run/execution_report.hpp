// What the report says of an execution besides its outcome: measure, reasons, figures, the ledger.
#pragma once

#include <cstddef>

#include "run/execution.hpp"
#include "run/run_report.hpp"

namespace tideline::run {

// `products`: the searches through products that were made, each for a linear-time property.
[[nodiscard]] RunReport execution_report(const Execution& run, check::Outcome outcome, std::size_t products);

}  // namespace tideline::run
