// The packed states of a MemoryGraph, which does not keep them: all of them, in the order of their numbers, by
// expanding the system once more. Two levels of the search are in memory at a time.
#pragma once

#include <functional>
#include <memory>

#include "graph/memory_graph.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::graph {

// Calls visit(number, state) for every state of a complete graph, until it returns false. `system` is what the graph
// was built of, as it was packed in the end (BuiltGraph::system). Returns why it stopped: `none` where all states were
// visited, `violation` where `visit` has ended it.
[[nodiscard]] support::StopReason for_each_state(const MemoryGraph& graph, const successor::System& system,
                                                 const support::Budget& budget,
                                                 const std::function<bool(StateNumber, const successor::Word*)>& visit);

}  // namespace tideline::graph
