// A short lasso of a numbered graph: a path of fewest steps to a set of states, then round inside it, each time on a
// path of fewest steps to an edge that contributes what is missing, and back.
//
// Which state of the set the cycle is entered at decides how long it becomes: in a small set the first states, in the
// order of their distance from an initial one, are all tried, and the shortest lasso is taken.
#pragma once

#include <optional>

#include "check/ltl/fair_components.hpp"
#include "graph/graph_paths.hpp"
#include "support/budget.hpp"

namespace tideline::check::ltl {

struct GraphLasso {
    graph::GraphPath path;  // it ends in the state at `loop` again
    std::size_t loop = 0;
};

// Nothing where the budget is exhausted.
[[nodiscard]] std::optional<GraphLasso> shortest_lasso(const Contributions& contributions, const FairSet& set,
                                                       const support::Budget& budget);

}  // namespace tideline::check::ltl
