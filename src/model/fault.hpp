// The ways in which executing a model can go wrong. A faulty step leads to no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline::model {

enum class FaultKind : std::uint8_t {
    none,
    index,     // an array index outside the array
    division,  // division or modulo by zero
    range,     // a value stored where it does not fit
    overflow,  // arithmetic beyond 64 bits
    shift,     // a shift by a negative or too large number of bits
};

constexpr std::string_view to_string(FaultKind kind) {
    switch (kind) {
        case FaultKind::none: return "none";
        case FaultKind::index: return "index";
        case FaultKind::division: return "division";
        case FaultKind::range: return "range";
        case FaultKind::overflow: return "overflow";
        case FaultKind::shift: return "shift";
    }
    return "unknown";
}

}  // namespace tideline::model
