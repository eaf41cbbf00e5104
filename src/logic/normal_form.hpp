// Negation normal form: negations stand before atoms only; implication, equivalence and exclusion are gone.
#pragma once

#include "logic/formula.hpp"

namespace tideline {

// Also for formulas with quantifiers. The result has at most as many different subformulas as `f` and its negation; written out as text it
// can be exponentially longer where equivalences are nested.
Formula negation_normal_form(Formulas& formulas, Formula f);

// The negation normal form of !f.
Formula negated(Formulas& formulas, Formula f);

}  // namespace tideline
