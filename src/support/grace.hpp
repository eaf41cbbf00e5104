// Extra time for the work after a verdict. A violation that is found just before the limit should have a short trace;
// so the limit on time, and an interrupt, count for evidence and its report only after a grace period. The limit on
// memory holds at once.
#pragma once

#include <chrono>

#include "support/budget.hpp"

namespace tideline::support {

// The budget must outlive the result.
[[nodiscard]] inline Budget with_grace(const Budget& budget, std::chrono::milliseconds grace) {
    BudgetLimits limits = budget.limits();
    if (limits.time) limits.time = *budget.time_left() + grace;
    const Budget::Clock::time_point patience = Budget::Clock::now() + grace;
    return Budget(limits, [&budget, patience] { return budget.is_interrupted() && Budget::Clock::now() >= patience; });
}

}  // namespace tideline::support
