// A trace through representatives of classes of states (reduce/) as one of the system whose states they represent.
#pragma once

#include "trace/trace.hpp"

namespace tideline::trace {

// A cycle of classes is followed until a state repeats. Other traces stay as they are.
Trace in_original(Trace trace);

}  // namespace tideline::trace
