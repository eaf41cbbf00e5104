// The Aldebaran format: `des (initial, transitions, states)`, then a line `(from, "label", to)` for each transition.
#pragma once

#include "input/lts/graph.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::lts {

// Parses a whole file. On a mistake the result holds the first one, with its position.
Result<Graph> parse_aut(SourceText source, const Budget& budget = {});

}  // namespace tideline::lts
