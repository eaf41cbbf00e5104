// The one place where a verdict becomes final.
#pragma once

#include "check/verdict.hpp"

namespace tideline::run {

// What a run may say of each of its properties. A violation stands, whatever was not visited. That something holds is said only where the
// search that was made for it saw every reachable state and met no fault; everything else is unknown, with the reason.
void final_verdicts(Outcome& outcome);

}  // namespace tideline::run
