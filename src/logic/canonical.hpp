// A text of a formula that depends on the formula alone: the operands of conjunctions and disjunctions, which a
// Formulas sorts by the numbers that it has given to them, come in the order of their texts. Two tables that have grown
// in different ways agree on it, so it names a formula in a file. It is not meant to be parsed.
#pragma once

#include <string>
#include <vector>

#include "logic/formula.hpp"

namespace tideline::logic {

// In prefix notation: E(U(p,and(q,r))).
[[nodiscard]] std::string canonical_text(const Formulas& formulas, Formula f);

struct PathFormula {
    Formulas formulas;
    Formula formula;              // over atoms that stand for the leaves
    std::vector<Formula> atoms;   // atom i stands for leaf i
    std::vector<Formula> leaves;  // in the table that it was taken from, in the order of their texts
};
// Its leaves are its largest state subformulas other than constants.
[[nodiscard]] PathFormula over_leaves(const Formulas& formulas, Formula path);

}  // namespace tideline::logic
