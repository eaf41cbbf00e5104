// The last word on a trace before it is shown: reference/, which shares no code with the engines, walks it again.
#pragma once

#include <optional>
#include <string>

#include "reference/machine.hpp"
#include "trace/trace.hpp"

namespace tideline {

// Nothing where the trace is confirmed, otherwise the first disagreement.
std::optional<std::string> confirm(const Trace& trace, const reference::Machine& machine);

}  // namespace tideline
