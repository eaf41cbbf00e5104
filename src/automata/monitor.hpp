// Monitors of safety properties: deterministic automata that read a run and stop at the letter after which no run that
// begins like this has the property any more, a bad prefix. A safety property is violated if and only if a run has one
// (B. Alpern, F. Schneider, Defining liveness, 1985; O. Kupferman, M. Vardi, Model checking of safety properties,
// 2001).
//
// The monitor is the minimal weak automaton of the property (obligation.hpp) without the states from which no word is
// accepted. The property is a safety property if and only if no cycle of what is left rejects: then a word that never
// leaves it is accepted, and one that leaves it is not. Since it is deterministic, it leaves with the first letter that
// completes a bad prefix. By its language, not by the form of the formula.
#pragma once

#include <optional>
#include <vector>

#include "automata/automaton.hpp"
#include "automata/budget.hpp"
#include "logic/formula.hpp"

namespace tideline::automata {

// Deterministic, without sets; where no edge fits the letter, the word so far is a bad prefix. Its atoms are `atoms`,
// which must contain those of the formula. Nothing where `f` (of LTL) is no safety property, or where that is not found
// out within the limits.
std::optional<Automaton> safety_monitor(logic::Formulas& formulas, logic::Formula f, Labels& labels,
                                        const std::vector<logic::Formula>& atoms, const TranslationLimits& limits);

}  // namespace tideline::automata
