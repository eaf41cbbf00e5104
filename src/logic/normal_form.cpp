#include "logic/normal_form.hpp"

namespace tideline::logic {
namespace {

Connective dual(Connective c) {
    switch (c) {
        case Connective::conjunction: return Connective::disjunction;
        case Connective::disjunction: return Connective::conjunction;
        case Connective::eventually: return Connective::always;
        case Connective::always: return Connective::eventually;
        case Connective::until: return Connective::release;
        case Connective::release: return Connective::until;
        case Connective::weak_until: return Connective::strong_release;
        case Connective::strong_release: return Connective::weak_until;
        case Connective::exists: return Connective::forall;
        case Connective::forall: return Connective::exists;
        default: return c;  // X is its own dual
    }
}

}  // namespace

Formula NormalForms::run(Signed root) {
    struct Visit {
        Signed at;
        bool expanded;
    };
    std::vector<Visit> stack{{root, false}};
    while (!stack.empty()) {
        const Visit visit = stack.back();
        stack.pop_back();
        if (done_.contains(visit.at.key())) continue;
        if (visit.expanded) {
            done_.emplace(visit.at.key(), finish(visit.at));
            continue;
        }
        stack.push_back({visit.at, true});
        operands_of(visit.at);
        for (const Signed& operand : operands_)
            if (!done_.contains(operand.key())) stack.push_back({operand, false});
    }
    return done_.at(root.key());
}

// The connective that the normal form will have; equivalence and exclusion become a disjunction only when they are
// finished.
Connective NormalForms::connective(Signed s) const {
    const Connective c = formulas_.connective(s.formula);
    if (c == Connective::implication) return s.negated ? Connective::conjunction : Connective::disjunction;
    return s.negated ? dual(c) : c;
}

void NormalForms::direct_operands(Signed s, std::vector<Signed>& to) const {
    const std::span<const Formula> operands = formulas_.operands(s.formula);
    switch (formulas_.connective(s.formula)) {
        case Connective::falsity:
        case Connective::truth:
        case Connective::atom: return;
        case Connective::negation: to.push_back({operands[0], !s.negated}); return;
        case Connective::implication:
            to.push_back({operands[0], !s.negated});
            to.push_back({operands[1], s.negated});
            return;
        case Connective::equivalence:
        case Connective::exclusion:
            for (const bool sign : {false, true})
                for (const Formula f : operands) to.push_back({f, sign});
            return;
        default:
            for (const Formula f : operands) to.push_back({f, s.negated});
    }
}

// Into operands_. Those of a conjunction that stand in a conjunction are operands of the outer one (likewise for
// disjunctions): the chain a -> (b -> (c -> ...)) would otherwise become lists whose lengths add up to the square of
// its own.
void NormalForms::operands_of(Signed s) {
    operands_.clear();
    direct_operands(s, operands_);
    const Connective c = connective(s);
    if (c != Connective::conjunction && c != Connective::disjunction) return;
    for (std::size_t i = 0; i < operands_.size();) {
        Signed operand = operands_[i];
        if (formulas_.is(operand.formula, Connective::negation))
            operand = {formulas_.operand(operand.formula, 0), !operand.negated};
        if (connective(operand) != c) {
            operands_[i++] = operand;
            continue;
        }
        operands_[i] = operands_.back();
        operands_.pop_back();
        direct_operands(operand, operands_);
    }
}

Formula NormalForms::finish(Signed s) {
    const Connective c = formulas_.connective(s.formula);
    if (c == Connective::truth || c == Connective::falsity)
        return formulas_.constant((c == Connective::truth) != s.negated);
    if (c == Connective::atom) return s.negated ? formulas_.negation(s.formula) : s.formula;
    operands_of(s);
    std::vector<Formula> finished;
    finished.reserve(operands_.size());
    for (const Signed& operand : operands_) finished.push_back(done_.at(operand.key()));
    if (c == Connective::negation) return finished[0];
    if (c == Connective::equivalence || c == Connective::exclusion) {
        const bool same = (c == Connective::equivalence) != s.negated;
        return formulas_.disjunction(formulas_.conjunction(finished[same ? 0 : 2], finished[1]),
                                     formulas_.conjunction(finished[same ? 2 : 0], finished[3]));
    }
    return formulas_.make(connective(s), finished);
}

Formula negation_normal_form(Formulas& formulas, Formula f) {
    if (formulas.has(f, Trait::negation_normal)) return f;
    return NormalForms(formulas).positive(f);
}

Formula negated(Formulas& formulas, Formula f) { return NormalForms(formulas).negative(f); }

}  // namespace tideline::logic
