// Which slots must have which values for a transition to be enabled or faulty: what its other participants' locations
// and its guards `x == 3` say before anything that can be faulty is evaluated. Many transitions that differ in one such
// value become a jump on it.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"

namespace tideline::successor::codegen {

struct RequiredValue {
    model::SlotId slot = 0;
    model::Value value = 0;
};

// `with_others`: the locations of participants other than the first count.
[[nodiscard]] std::vector<RequiredValue> required_values(const model::Model& model, const model::Transition& transition,
                                                         bool with_others);

// The beginning of a list of transitions in which all require a value of the same slot.
struct CommonSlot {
    model::SlotId slot = 0;
    std::size_t count = 0;  // of transitions; 0: there is none
};
// The longest such beginning in which several values occur.
[[nodiscard]] CommonSlot common_slot(std::span<const std::vector<RequiredValue>> transitions);

}  // namespace tideline::successor::codegen
