// Reads never claims of SPIN, as written by `spin -f`, LTL2BA, Spot and Tideline:
//
//   never { T0_init: if :: (p && !q) -> goto accept_S1 :: (1) -> goto T0_init fi; accept_S1: skip }
//
// A condition combines atoms with !, && and ||; an atom is any other text, such as a name or x == 3. A state whose
// label begins with `accept` is accepting. `skip`, the end of the claim and a step with an assertion (atomic { (p) ->
// assert(!(p)) }) accept every suffix.
#pragma once

#include "automata/automaton.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::automata {

// The result is state-based.
support::Result<Automaton> parse_never_claim(const support::SourceText& source, Labels& labels,
                                             const support::Budget& budget = {});

}  // namespace tideline::automata
