#include "support/budget.hpp"

#include <algorithm>
#include <utility>

#include "support/memory.hpp"

namespace tideline::support {

Budget::Budget(BudgetLimits limits, std::function<bool()> interrupted)
    : limits_(limits), interrupted_(std::move(interrupted)) {}

StopReason Budget::exhausted(std::uint64_t more) const {
    if (is_interrupted()) return StopReason::interrupted;
    if (limits_.time && Clock::now() - start_ >= *limits_.time) return StopReason::time;
    return allows(more) ? StopReason::none : StopReason::memory;
}

bool Budget::allows(std::uint64_t more) const {
    const std::optional<std::uint64_t> left = memory_left();
    return !left || (*left > 0 && more <= *left);
}

std::optional<std::chrono::nanoseconds> Budget::time_left() const {
    if (!limits_.time) return std::nullopt;
    return std::max<std::chrono::nanoseconds>(*limits_.time - (Clock::now() - start_), std::chrono::nanoseconds(1));
}

std::optional<std::uint64_t> Budget::memory_left() const {
    if (!limits_.memory) return std::nullopt;
    const std::uint64_t most =
        *limits_.memory > UINT64_MAX - kProgramMemory ? UINT64_MAX : *limits_.memory + kProgramMemory;
    const std::uint64_t now = anonymous_memory();
    return most - std::min(most, now);
}

}  // namespace tideline::support
