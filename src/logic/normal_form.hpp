// Negation normal form: negations stand before atoms only; implication, equivalence and exclusive or are eliminated.
#pragma once

#include <unordered_map>
#include <vector>

#include "logic/formula.hpp"

namespace tideline::logic {

// Caches its results, so that repeated queries for subformulas cost nothing.
class NormalForms {
public:
    explicit NormalForms(Formulas& formulas) : formulas_(formulas) {}

    Formula positive(Formula f) { return run({f, false}); }
    Formula negative(Formula f) { return run({f, true}); }

private:
    // A formula or, if `negated`, its negation.
    struct Signed {
        Formula formula;
        bool negated = false;
        [[nodiscard]] std::uint64_t key() const { return std::uint64_t{formula.number()} * 2 + (negated ? 1 : 0); }
    };

    Formula run(Signed root);
    [[nodiscard]] Connective connective(Signed s) const;
    void direct_operands(Signed s, std::vector<Signed>& to) const;
    void operands_of(Signed s);
    Formula finish(Signed s);

    Formulas& formulas_;
    std::unordered_map<std::uint64_t, Formula> done_;
    std::vector<Signed> operands_;
};

// Also for formulas with quantifiers. The result has at most as many different subformulas as `f` and its negation;
// written out as text it can be exponentially longer where equivalences are nested.
Formula negation_normal_form(Formulas& formulas, Formula f);

// The negation normal form of !f.
Formula negated(Formulas& formulas, Formula f);

}  // namespace tideline::logic
