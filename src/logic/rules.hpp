// The laws of rewrite.hpp, for one formula whose operands have been rewritten already.
#pragma once

#include <optional>

#include "logic/implication.hpp"

namespace tideline::logic {

class RewriteRules {
public:
    explicit RewriteRules(Formulas& formulas) : formulas_(formulas), implications_(formulas) {}

    // What a law makes of `f`, or `f` itself where none applies; one step, the result may be rewritten further.
    Formula apply(Formula f);

private:
    using Found = std::optional<Formula>;

    Found next(Formula a);
    Found eventually(Formula a);
    Found always(Formula a);
    Found until(Formula a, Formula b);
    Found release(Formula a, Formula b);
    Found weak_until(Formula a, Formula b);
    Found strong_release(Formula a, Formula b);
    Found junction(Formula f);
    Found merge_or(Formula a, Formula b);
    Found merge_and(Formula a, Formula b);
    bool is_first_of(Formula x, Formula y, Connective c);
    Found drop_parts(Connective c, Formula a, Formula b);
    Found unfold(Connective c, Formula a, Formula b);

    // Eventual and universal at once: the truth does not depend on any finite prefix.
    [[nodiscard]] bool steady(Formula f) const {
        return formulas_.has(f, Trait::eventual) && formulas_.has(f, Trait::universal);
    }
    [[nodiscard]] bool eventual(Formula f) const { return formulas_.has(f, Trait::eventual); }
    [[nodiscard]] bool universal(Formula f) const { return formulas_.has(f, Trait::universal); }
    [[nodiscard]] bool is(Formula f, Connective c) const { return formulas_.is(f, c); }
    [[nodiscard]] Formula arg(Formula f, std::size_t i) const { return formulas_.operand(f, i); }
    // Of a conjunction (disjunction): its operands; of anything else: itself.
    [[nodiscard]] std::vector<Formula> parts(Formula f, Connective c) const;
    // The parts of `f` with and without a property; nothing where none has it.
    struct Split {
        Formula having;
        Formula rest;
    };
    template <class Property>
    std::optional<Split> split(Formula f, Connective c, Property property);
    // `f` without the operand `part`; nothing where it has none such.
    Found without(Formula f, Connective c, Formula part);
    // The parts of `f` that begin with X lose it.
    Found stripped(Formula f, Connective c);

    Formulas& formulas_;
    Implications implications_;
};

}  // namespace tideline::logic
