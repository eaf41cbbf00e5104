// The Aldebaran format: `des (initial, transitions, states)`, then a line `(from, "label", to)` for each transition.
#pragma once

#include "input/lts/graph.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::lts {

// Parses a whole file. On an error the result holds the first one, with its position.
support::Result<Graph> parse_aut(support::SourceText source, const support::Budget& budget = {});

}  // namespace tideline::input::lts
