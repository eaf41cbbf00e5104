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

// Walks the run. What the last state violates, and that an atom of a property cannot be evaluated there, is no step of
// the system: whoever knows the properties looks at the last state (run/confirm.hpp).
Confirmation confirm(const Trace& trace, const reference::Machine& machine, const support::Budget& budget);

// The last state of a trace that was confirmed, as the machine has it.
[[nodiscard]] reference::State last_state(const Trace& trace, const reference::Machine& machine);

// State i of a trace as the machine has it. Nothing where the names are others.
[[nodiscard]] std::optional<reference::State> state_of(const Trace& trace, std::size_t i,
                                                       const reference::Machine& machine);

// The truth of an expression in state i of a trace, by the machine. Nothing where the machine does not know the
// expression, or it cannot be evaluated there.
std::optional<bool> evaluate(const std::string& expression, const Trace& trace, std::size_t i,
                             const reference::Machine& machine);

}  // namespace tideline::trace
