// How many states are left to expand, guessed from how the frontier grows. Where every expanded state gives, by the
// latest figures, r new ones, and r is less than 1, those that are open now will give open / (1 - r) in all. Where r is
// nearly 1 or more there is no end in sight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tideline::explore {

// Of a search at two moments.
struct FrontierLook {
    std::uint64_t expanded = 0;
    std::uint64_t states = 0;
};

// Nothing: no end is in sight, or nothing was expanded between them.
[[nodiscard]] inline std::optional<double> states_left(const FrontierLook& first, const FrontierLook& last,
                                                       std::uint64_t open) {
    constexpr double kMostGrowth = 0.98;  // new states per expanded one
    if (last.expanded <= first.expanded) return std::nullopt;
    const double growth = (static_cast<double>(last.states) - static_cast<double>(first.states)) /
                          static_cast<double>(last.expanded - first.expanded);
    if (growth >= kMostGrowth) return std::nullopt;
    return static_cast<double>(open) / (1 - std::max(0.0, growth));
}

}  // namespace tideline::explore
