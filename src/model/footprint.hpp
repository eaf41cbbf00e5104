// Which slots a transition reads and writes.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline::model {

struct Footprint {
    std::vector<SlotId> reads;   // ascending; by guards, effects and locations
    std::vector<SlotId> writes;  // ascending; slots that may change (all of an array where the index is computed)
};

// Consecutive slots.
struct SlotRun {
    SlotId first = 0;
    SlotId count = 0;
};
// The slots that may change, in no order, perhaps repeated: of long arrays this is much shorter than the footprint.
std::vector<SlotRun> runs_written(const Model& model, const Transition& transition);
// An upper bound on the number of slots of the footprint. Ask before computing footprints of many transitions of models
// with long arrays.
std::size_t footprint_bound(const Model& model, const Transition& transition);

Footprint footprint(const Model& model, const Transition& transition);

// Whether the system reads or writes slots of the observer. Then it has no meaning without the observer.
bool depends_on_observer(const Model& model);

// The slots that an expression may read; in no order, perhaps repeated.
std::vector<SlotId> slots_read(const Expression& expression);

}  // namespace tideline::model
