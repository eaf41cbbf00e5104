// Which values the slots of a model take, as far as a few random walks show: the packing starts from it.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline {

// The smallest and the largest value of every slot along the walks. Deterministic.
std::vector<Range> observe_ranges(const Model& model);

}  // namespace tideline
