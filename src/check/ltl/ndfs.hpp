// Nested depth-first search for accepting cycles: a first ("blue") search over all states, and whenever it leaves an
// accepting state, a second ("red") one from there that never visits a state twice.
//
//   plain   Courcoubetis, Vardi, Wolper and Yannakakis, CAV 1990, as the 2012 paper on LTL and the sweep-line method
//           and the lecture of 2023 have it: a cycle is found when the red search meets the accepting state that it
//           began with. Two visits per state at most; the red ones are those of the states that accepting ones reach.
//   early   with the detection of Schwoon and Esparza (A note on on-the-fly verification algorithms, TACAS 2005): the
//           blue search reports a step back to its own path where one of both ends is accepting, and the red search
//           reports any state of that path, since a state that it reaches and that reaches the accepting state closes
//           a cycle. The seed is not expanded again: its steps still lie on the stack.
//
// Why no cycle is missed: the blue search leaves accepting states in postorder, and a red state cannot reach an
// accepting state that is left later, unless over the path, where it would have been reported (both papers).
//
// Departures from the lecture: the red search tests the successor, not the state that it expands, and begins from every
// accepting state, the initial one included (as printed there it misses cycles). All successors of a state are numbered
// when it is entered, so the table also holds those that have not been entered yet. No recursion: both searches lie on
// stacks of their own.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

[[nodiscard]] EmptinessResult ndfs(const EmptinessTask& task);

}  // namespace tideline::check::ltl
