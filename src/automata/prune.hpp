// Removes useless parts: states from which no word is accepted, marks where no run stays, sets that others imply.
#pragma once

#include "automata/automaton.hpp"

namespace tideline::automata {

// The language is kept. In every accepting component the sets that are implied by the others there are dropped (a set
// is implied if no cycle visits all others without it); the remaining ones are numbered from 0 in each component, so
// that components share sets. Marks outside of accepting components are removed. An automaton whose language is empty
// becomes one state without edges.
Automaton pruned(const Automaton& automaton);

}  // namespace tideline::automata
