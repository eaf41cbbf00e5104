// Kripke structures as JSON: states with names, labels and progress values, and edges. docs/lts-formats.md describes
// it.
#pragma once

#include "input/lts/graph.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::lts {

// Parses a whole file. On a mistake the result holds the first one, with its position.
Result<Graph> parse_kripke(SourceText source, const Budget& budget = {});

}  // namespace tideline::lts
