// Minimal deterministic automata for obligation properties (safety, guarantee, and boolean combinations of these).
//
// A language is an obligation if and only if a weak deterministic automaton accepts it. Such an automaton has the
// structure of the subset construction, and only which of its components accept is open; one word per component decides
// it (Dax, Eisinger and Klaedtke, ATVA 2007). It has a unique minimal form, found as that of a finite automaton once
// components without cycles are coloured suitably (Löding, IPL 79, 2001). Whether the language was an obligation is
// decided by comparing the result with it.
#pragma once

#include <optional>

#include "automata/automaton.hpp"
#include "automata/budget.hpp"

namespace tideline::automata {

// Given automata for a property and for its complement. State-based and deterministic; nothing where the property is no
// obligation or the subset construction has more than `most_states` states. Throws LimitReached.
std::optional<Automaton> minimal_weak(const Automaton& automaton, const Automaton& complement, std::size_t most_states,
                                      const TranslationBudget& budget);

}  // namespace tideline::automata
