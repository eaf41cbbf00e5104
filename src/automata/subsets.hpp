// The subset construction: the states that an automaton can be in after a finite word.
#pragma once

#include <optional>

#include "automata/automaton.hpp"
#include "automata/budget.hpp"

namespace tideline::automata {

struct SubsetAutomaton {
    Automaton automaton;                            // deterministic and complete, without marks
    std::vector<std::vector<StateNumber>> members;  // of each state, sorted; one of them may be empty
};

// Nothing where there would be more than `most_states`. Throws LimitReached.
std::optional<SubsetAutomaton> subset_automaton(const Automaton& automaton, std::size_t most_states,
                                                const TranslationBudget& budget);

}  // namespace tideline::automata
