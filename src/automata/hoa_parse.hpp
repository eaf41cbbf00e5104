// Reads automata in the Hanoi Omega-Automata format, version 1.
//
// Read: (generalised) Büchi acceptance, on states or edges; explicit, implicit and state labels; aliases; several start
// states. Refused, with a message that says so: other acceptance conditions (Fin, disjunctions), alternation
// (conjunctions of states), more than 64 atoms or sets.
#pragma once

#include "automata/automaton.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::automata {

support::Result<Automaton> parse_hoa(const support::SourceText& source, Labels& labels,
                                     const support::Budget& budget = {});

}  // namespace tideline::automata
