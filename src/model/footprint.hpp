// Which slots a transition reads and writes.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline {

struct Footprint {
    std::vector<SlotId> reads;   // ascending; by guards, effects and locations
    std::vector<SlotId> writes;  // ascending; slots that may change (all of an array where the index is computed)
};

Footprint footprint(const Model& model, const Transition& transition);

// The slots that an expression may read; in no order, perhaps repeated.
std::vector<SlotId> slots_read(const Expression& expression);

}  // namespace tideline
