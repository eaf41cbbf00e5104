// The last word on a trace before it is shown: reference/, which shares no code with the engines, walks it again, state
// by state, within the budget of the run.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reference/machine.hpp"
#include "support/budget.hpp"
#include "trace/trace.hpp"

namespace tideline::trace {

struct Confirmation {
    support::StopReason stopped = support::StopReason::none;  // the budget was exhausted first: nothing is known
    std::optional<std::string> disagreement;                  // the first one

    [[nodiscard]] bool is_confirmed() const { return stopped == support::StopReason::none && !disagreement; }
};

// Whoever can walk a trace again with other code.
using Confirm = std::function<Confirmation(const Trace&, const support::Budget&)>;

// That an atom of a property cannot be evaluated in the last state is no step of the system: the run up to there is
// walked.
Confirmation confirm(const Trace& trace, const reference::Machine& machine, const support::Budget& budget);

}  // namespace tideline::trace
