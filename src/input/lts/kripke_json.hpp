// Kripke structures as JSON: states with names, labels and progress values, and edges. docs/lts-formats.md describes
// it.
#pragma once

#include "input/lts/graph.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::lts {

// Parses a whole file. On an error the result holds the first one, with its position.
support::Result<Graph> parse_kripke(support::SourceText source, const support::Budget& budget = {});

}  // namespace tideline::input::lts
