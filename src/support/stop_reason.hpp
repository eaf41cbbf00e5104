// Why work ended before it was finished. The names are those of the JSON report.
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline::support {

enum class StopReason : std::uint8_t {
    none,
    memory,
    disk,
    time,
    states,  // as many as were asked for
    interrupted,
    violation,      // the observer has seen enough
    against_order,  // a step to less progress, in a search that needs a monotonic measure
    no_key,         // the measure cannot be evaluated in a state
};

constexpr std::string_view to_string(StopReason reason) {
    switch (reason) {
        case StopReason::none: return "none";
        case StopReason::memory: return "memory";
        case StopReason::disk: return "disk";
        case StopReason::time: return "time";
        case StopReason::states: return "states";
        case StopReason::interrupted: return "interrupted";
        case StopReason::violation: return "violation";
        case StopReason::against_order: return "against_order";
        case StopReason::no_key: return "no_key";
    }
    return "unknown";
}

}  // namespace tideline::support
