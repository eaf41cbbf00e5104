// What every search does with the system that it searches: take a wider one when a value does not fit, and count what
// belongs to it.
#pragma once

#include <cassert>
#include <memory>

#include "explore/search_limits.hpp"
#include "explore/statistics.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

// The system whose packing holds the value that stopped an expander. Machine code that comes with it is part of the
// program: it does not count as memory of the search.
[[nodiscard]] inline std::shared_ptr<const successor::System> repacked(const successor::System& system,
                                                                       const successor::Expander& stopped,
                                                                       SearchLimits& limits) {
    const std::uint64_t before = limits.memory_taken();
    std::shared_ptr<const successor::System> wider = system.with_wider_fields(stopped);
    limits.set_aside_since(before);
    assert(wider && "a system that needs repacking has a wider one");
    return wider;
}

// Seconds since the search began, and the figures of the system.
inline void count_system(Statistics& statistics, const successor::System& system, const SearchLimits& limits) {
    statistics.state_bytes = system.state_bytes();
    statistics.compile_seconds = system.compile_seconds();
    statistics.seconds = limits.seconds();
}

}  // namespace tideline::explore
