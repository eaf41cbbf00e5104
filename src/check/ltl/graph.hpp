// Whether a system has a fair accepting run, on the numbered graph in memory: a breadth-first search on all processors
// fills it (graph/build_graph.hpp), one component search with one thread looks at it whenever it has doubled, and once
// more when it is complete. So a violation shows when twice the states have been visited that it takes, at most, and
// all looks together cost at most twice the last one.
//
// A component of a part of the graph is a part of one of the whole: what is accepting in a part stays so. That there is
// no accepting run is said of the whole graph only.
//
// Verdict and evidence do not depend on the number of threads: the graph is the same after each level, and it is looked
// at after whole levels. Of all accepting components the one is shown that is nearest to an initial state.
//
// Where memory becomes short and the settings say how to change over, the result says with what a sweep continues
// (explore/change_over.hpp): its ledger has the states and all edges of the graph.
//
// Fairness is evaluated component by component (fair_components.hpp): the same states and edges, for any number of
// processes.
//
// Beside the graph (numbered-graph.md has its bytes per edge): while it is looked at, 4 bytes and a bit per state, or 8
// beyond 2^32 states, and the stacks of the component search.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

[[nodiscard]] EmptinessResult graph_components(const EmptinessTask& task);

}  // namespace tideline::check::ltl
