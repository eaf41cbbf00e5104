// From generalised Büchi automata with marks on edges to ordinary ones with accepting states.
//
// The sets are visited in turn: a copy of a state at level i waits for set i, and level n, where all have been seen,
// accepts (Gastin and Oddoux, CAV 2001; refinements after Babiak, Badie, Duret-Lutz, Kretinsky and Strejcek, SPIN
// 2013). Levels matter inside accepting components only: elsewhere they are 0, and an edge that enters a component may
// choose any, preferably one that exists already.
#pragma once

#include <vector>

#include "automata/automaton.hpp"
#include "automata/budget.hpp"

namespace tideline::automata {

struct DegeneralisationChoice {
    std::vector<std::size_t> order;  // in which the sets are waited for
    bool look_ahead = true;  // a state all of whose edges belong to the awaited set is entered at the next level
    bool reuse = true;       // an edge that enters a component goes to a level of its target that exists
};

// Throws LimitReached.
Automaton degeneralised(const Automaton& automaton, const DegeneralisationChoice& choice,
                        const TranslationBudget& budget);

}  // namespace tideline::automata
