// The ways in which executing a model can go wrong. A faulty step leads to no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tideline::model {

enum class FaultKind : std::uint8_t {
    none,
    index,      // an array index outside the array
    division,   // division or modulo by zero
    range,      // a value stored where it does not fit
    overflow,   // arithmetic beyond 64 bits
    shift,      // a shift by a negative or too large number of bits
    assertion,  // an assertion that does not hold
    instance,   // a process is created for which the model has no slots
    endless,    // an atomic sequence passes through more than kMostPassed states
};

// How many states of one state's atomic sequences are passed through.
inline constexpr std::size_t kMostPassed = std::size_t{1} << 20U;

constexpr std::string_view to_string(FaultKind kind) {
    switch (kind) {
        case FaultKind::none: return "none";
        case FaultKind::index: return "index";
        case FaultKind::division: return "division";
        case FaultKind::range: return "range";
        case FaultKind::overflow: return "overflow";
        case FaultKind::shift: return "shift";
        case FaultKind::assertion: return "assertion";
        case FaultKind::instance: return "instance";
        case FaultKind::endless: return "endless";
    }
    return "unknown";
}

}  // namespace tideline::model
