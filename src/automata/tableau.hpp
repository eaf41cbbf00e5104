// From LTL to generalised Büchi automata by unfolding: Couvreur, "On-the-fly verification of linear temporal logic" (FM
// 1999).
//
// A state is a formula that the suffix of the word must satisfy. Unfolding it gives a boolean function of atoms (what
// must hold now), of formulas (what must hold from the next position on) and of promises (what is deferred: F g and f U
// g defer g). One function is one diagram, so formulas that unfold to the same function are the same state. There is
// one set of accepting edges per promise: the edges that do not defer it.
//
// Two ways of making edges from the function:
//   letters   letters that leave the same rest of the function form a label; what is left for each is a sum of
//             products. Products with the same promises lead to one state, the disjunction of their formulas: the
//             choice between them is deferred (Sebastiani and Tonetta, CHARME 2003). Gives automata that are
//             deterministic where they easily can be.
//   products  each product of the whole function is an edge. Sometimes gives fewer states.
// Neither is always better; translate.hpp tries both.
#pragma once

#include "automata/automaton.hpp"
#include "automata/budget.hpp"
#include "logic/formula.hpp"

namespace tideline::automata {

enum class Branching : std::uint8_t { letters, products };

// `f` of LTL in negation normal form; `atoms` those of the automaton, which contain the formula's. Throws LimitReached.
Automaton tableau(logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms, Labels& labels,
                  Branching branching, const TranslationBudget& budget);

}  // namespace tideline::automata
