// How much code a model becomes, in instructions of its expressions: what compiling costs goes by it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "model/model.hpp"

namespace tideline {

// Of the expressions of a transition.
[[nodiscard]] inline std::size_t instructions_of(const Transition& t) {
    std::size_t count = 0;
    for (const Expression& guard : t.guards) count += guard.code().size();
    for (const Effect& effect : t.effects) {
        if (const auto* assign = std::get_if<Assign>(&effect))
            for (const Expression& value : assign->values) count += value.code().size() + 1;
        else
            count += std::get<Shift>(effect).count;
    }
    return count;
}

// What a transition is besides its expressions.
inline constexpr std::size_t kInstructionsPerTransition = 10;

[[nodiscard]] inline std::size_t instructions_of(const std::vector<Expression>& expressions) {
    std::size_t count = 0;
    for (const Expression& expression : expressions) count += expression.code().size();
    return count;
}

// Models of more instructions or transitions are not merged into one function, and compiled in units: LLVM's time grows faster than the code.
inline constexpr std::size_t kLargeModel = 4000;
inline constexpr std::size_t kManyTransitions = 1000;
inline constexpr std::size_t kLargeLabels = 16'000;

}  // namespace tideline
