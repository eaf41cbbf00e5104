// Rewriting of formulas into equivalent ones that are smaller or easier to translate into automata.
//
// The laws are those of Etessami and Holzmann (CONCUR 2000: pure eventualities and universalities), Somenzi and Bloem
// (CAV 2000: implications between subformulas), Babiak et al. (TACAS 2012), and folklore about X, F, G, U, R, W and M.
// They hold on infinite paths.
#pragma once

#include "logic/formula.hpp"

namespace tideline::logic {

// In negation normal form. In a formula with path quantifiers, the path formulas that are not of CTL are rewritten,
// with quantified subformulas taken as atoms; the parts that belong to CTL are left as they are, since their meaning
// may depend on how deadlocks are read. Very large formulas are rewritten only in part: the work is bounded.
Formula simplified(Formulas& formulas, Formula f);

}  // namespace tideline::logic
