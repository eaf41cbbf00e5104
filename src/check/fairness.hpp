// Which runs count as fair, between the processes of a system (successor/step_labels.hpp says what these are).
#pragma once

#include <cstdint>
#include <string_view>

namespace tideline::check {

enum class Fairness : std::uint8_t {
    none,    // every run counts
    weak,    // no process has a step from some time on, in every state, and never moves
    strong,  // no process has a step infinitely often and moves only finitely often
};

constexpr std::string_view to_string(Fairness fairness) {
    switch (fairness) {
        case Fairness::none: return "none";
        case Fairness::weak: return "weak";
        case Fairness::strong: return "strong";
    }
    return "unknown";
}

}  // namespace tideline::check
