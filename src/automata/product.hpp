// Products and sums of automata, and whether an automaton accepts an ultimately periodic word.
#pragma once

#include <optional>

#include "automata/automaton.hpp"
#include "automata/budget.hpp"
#include "logic/lasso.hpp"
#include "support/budget.hpp"

namespace tideline::automata {

// Accepts what both accept. Both have the same labels and the same atoms. Throws LimitReached.
Automaton product(const Automaton& a, const Automaton& b, const TranslationBudget& budget);

// Accepts what at least one accepts.
Automaton sum(const Automaton& a, const Automaton& b);

bool accepts(const Automaton& automaton, const logic::Lasso& word);
// Nothing where the budget is exhausted.
std::optional<bool> accepts(const Automaton& automaton, const logic::Lasso& word, const support::Budget& budget);

}  // namespace tideline::automata
