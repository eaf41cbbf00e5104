// Accepting cycles by maximal accepting predecessors (Brim, Cerna, Moravec and Simsa, FMCAD 2004), as the 2012 paper on
// LTL and the sweep-line method compares itself with it.
//
// States are ordered; map(s) is the largest accepting state from which a non-empty path leads to s. It is computed by a
// breadth-first search that propagates larger values until nothing changes. If map(a) = a, then a lies on an accepting
// cycle. Otherwise accepting states that are map(s) of some s lie on no cycle, or they would be their own predecessor
// and no larger one would reach them: they are removed from the accepting states, and the search is repeated. Whoever
// lies on an accepting cycle is hidden by larger accepting states outside it at most, all of which are removed in the
// end. An accepting state with no accepting predecessor at all lies on no cycle, and is removed as well.
//
// The order is that in which states are found, by number. Departures: the second and later searches begin with the
// accepting states that are left, not with the initial states (the figures of the paper show that there they do); a
// search with none left is not begun.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

[[nodiscard]] EmptinessResult map(const EmptinessTask& task);

}  // namespace tideline::check::ltl
