// How a temporal property reads a run that ends in a deadlock.
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline::check {

enum class DeadlockReading : std::uint8_t {
    stutter,  // the last state repeats for ever
    finite,   // the run ends there
    ignore,   // runs that end do not count
};

constexpr std::string_view to_string(DeadlockReading reading) {
    switch (reading) {
        case DeadlockReading::stutter: return "stutter";
        case DeadlockReading::finite: return "finite";
        case DeadlockReading::ignore: return "ignore";
    }
    return "unknown";
}

}  // namespace tideline::check
