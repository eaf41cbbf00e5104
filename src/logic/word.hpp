// Whether a formula of LTL holds on a word of the form u v v v ..., in time proportional to the length of both:
// confirms that a run violates a formula, without any automaton. lasso.hpp computes the same more slowly and more
// literally, for tests.
//
// Every subformula has a value at every position. Those of U, F and M are least, those of R, G and W greatest solutions
// of their expansion laws, such as p U q = q || (p && X (p U q)). Two backward passes through the loop find them. After
// the first pass, the value at the position where the loop is entered again is right unless it depends on itself alone.
#pragma once

#include <vector>

#include "logic/lasso.hpp"

namespace tideline::logic {

// The atoms' values are bits of the letters, in the order of `atoms`. `ends`: the word is finite; its last letter,
// where it loops, stands once, and X f is false there.
bool is_true_of(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& atoms,
                bool ends = false);

// The same of a path formula of CTL*: the letters have the values of its state subformulas `leaves`, whatever is inside
// them.
bool is_true_of_leaves(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& leaves);

}  // namespace tideline::logic
