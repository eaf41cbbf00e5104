// Formulas of LTL on maximal runs that may be finite (Manna and Pnueli's finitary reading with a strong X): X f is
// false in the last state, negation is classical.
//
// A finite run is read as the infinite one whose last state repeats, with an atom that tells such a state: X f becomes
// !deadlock && X f. On a suffix of equal letters where every X is false, every other operator means the same on the
// infinite word and on the finite one, by induction over the formula.
#pragma once

#include "logic/formula.hpp"

namespace tideline::logic {

// `deadlock`: true in a state that ends a run, and in no other.
[[nodiscard]] Formula finite_reading(Formulas& formulas, Formula f, Formula deadlock);

}  // namespace tideline::logic
