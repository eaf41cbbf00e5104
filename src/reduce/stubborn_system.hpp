// A system with fewer steps: of each state those that a stubborn set contains (stubborn_sets.hpp). All steps of a state
// are computed, by machine code where there is some; which of them are enabled is known then, and those that are left
// out cost neither hashing nor a lookup.
//
// Nothing sleeps in it: that a step sleeps rests on others that are taken from other states, where they may be left
// out.
#pragma once

#include <memory>

#include "reduce/relations.hpp"
#include "reduce/stubborn_sets.hpp"
#include "successor/system.hpp"

namespace tideline::reduce {

// `whole` is a system of a model, whose relations these are.
[[nodiscard]] std::unique_ptr<successor::System> with_stubborn_sets(std::shared_ptr<const successor::System> whole,
                                                                    std::shared_ptr<const Relations> relations,
                                                                    Preserved preserved);

}  // namespace tideline::reduce
