// Smaller automata by simulation.
//
// State q simulates p if q can match every step from p with one for the same letter, to a state that simulates the
// target, on an edge with at least the same marks; then q accepts every word that p accepts. States that simulate each
// other become one, and an edge goes if another one from the same state reads the same letters, has at least its marks
// and leads to a state that simulates its target (Somenzi and Bloem, CAV 2000; for marks on edges: Babiak, Badie,
// Duret-Lutz, Kretinsky and Strejcek, SPIN 2013). The same holds backwards: q simulates p in reverse if everything that
// leads to p is matched by something that leads to q. That quotients and the removal of edges keep the language is
// Theorems 5.1 and 5.4 to 5.6 of Clemente and Mayr (LMCS 15, 2019) for direct and backward simulation.
//
// Marks do not matter on edges that a run can take only once. A state may therefore be replaced by one in another
// component that accepts the same words, which a simulation that ignores such marks shows: the redirected edges are
// taken finitely often.
#pragma once

#include "automata/automaton.hpp"
#include "automata/budget.hpp"

namespace tideline::automata {

// Prunes and applies the three reductions until nothing changes. Throws LimitReached.
Automaton simulation_reduced(const Automaton& automaton, const TranslationBudget& budget);

}  // namespace tideline::automata
