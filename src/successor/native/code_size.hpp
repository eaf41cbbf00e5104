// The size of a model's code, in instructions of its expressions: it predicts the cost of compiling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

#include "model/model.hpp"

namespace tideline::successor {

// Of the expressions of a transition.
[[nodiscard]] inline std::size_t instructions_of(const model::Transition& t) {
    std::size_t count = 0;
    for (const model::Expression& guard : t.guards) count += guard.code().size();
    for (const model::Effect& effect : t.effects) {
        if (const auto* assign = std::get_if<model::Assign>(&effect))
            for (const model::Expression& value : assign->values) count += value.code().size() + 1;
        else if (const auto* shift = std::get_if<model::Shift>(&effect)) count += shift->count;
        else count += std::get<model::Require>(effect).condition.code().size();
    }
    return count;
}

// The size of a transition besides its expressions.
inline constexpr std::size_t kInstructionsPerTransition = 10;

[[nodiscard]] inline std::size_t instructions_of(const std::vector<model::Expression>& expressions) {
    std::size_t count = 0;
    for (const model::Expression& expression : expressions) count += expression.code().size();
    return count;
}

// Models of more instructions or transitions are not merged into one function, but compiled in units: LLVM's time grows
// faster than the code.
inline constexpr std::size_t kLargeModel = 4000;
inline constexpr std::size_t kManyTransitions = 1000;
inline constexpr std::size_t kLargeLabels = 16'000;

}  // namespace tideline::successor
