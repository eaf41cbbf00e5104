// AG EF p and AG AF p during a sweep by a monotonic measure (ctl/layer_components.hpp). States behind the sweep line
// are forgotten, so a violation comes without evidence: whoever wants some asks another engine.
#pragma once

#include "check/branching.hpp"

namespace tideline::check {

// The system's key is the measure; every root of the program is such a formula (ctl::recurrence_of). The engine is
// ignored, and runs that end count. A measure that is not monotonic on the reachable states is an error of the outcome,
// and nothing is decided.
Outcome decide_by_layers(const BranchingRequest& request);

}  // namespace tideline::check
