// The messages and the texts of a step, for people.
#pragma once

#include <span>
#include <vector>

#include "successor/interpret/interpreter.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

// Of transitions that are executed one after the other from the interpreter's state. Where a value cannot be evaluated
// it is shown as "?".
std::vector<StepEvent> step_events(Interpreter& interpreter, const model::Model& model,
                                   std::span<const model::TransitionId> transitions);

// The text of printf: %d %i %u %c %x %o %e %s %%; a value is given as a number and as a name (empty: it has none).
struct PrintedValue {
    model::Value value = 0;
    std::string name{};
};
std::string printed(const std::string& format, const std::vector<PrintedValue>& values);

}  // namespace tideline::successor
