// From LTL to small Büchi automata: the steps of this folder in the order that gives the fewest states.
#pragma once

#include "automata/automaton.hpp"
#include "automata/budget.hpp"
#include "logic/formula.hpp"
#include "support/diagnostic.hpp"

namespace tideline::automata {

enum class AutomatonKind : std::uint8_t {
    generalised,  // marks on edges, any number of sets
    state_based,  // an ordinary Büchi automaton: accepting states
};

// An automaton for the words on which `f` (of LTL) holds. Its atoms are those of `f`, or `atoms` where given. A formula
// that would take more than the limits allow is an error, with the reason. Same formula, same automaton.
support::Result<Automaton> translate(logic::Formulas& formulas, logic::Formula f, Labels& labels, AutomatonKind kind,
                                     const TranslationLimits& limits = {},
                                     const std::vector<logic::Formula>& atoms = {});

}  // namespace tideline::automata
