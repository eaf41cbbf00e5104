#include "logic/implication.hpp"

#include <algorithm>

namespace tideline::logic {
namespace {

// The rules call each other for subformulas. Beyond this depth or this number of steps the answer is "not found".
constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMostSteps = 2000;
constexpr std::size_t kMostStepsInAll = 2'000'000;
constexpr std::size_t kWidest = 64;  // largest conjunction or disjunction whose operands are examined

}  // namespace

bool Implications::implies(Formula f, Formula g) {
    steps_ = 0;
    if (steps_in_all_ > kMostStepsInAll) return f == g;
    const bool result = decide(f, g, 0);
    steps_in_all_ += steps_;
    return result;
}

bool Implications::decide(Formula f, Formula g, std::size_t depth) {
    if (f == g || f == formulas_.falsity() || g == formulas_.truth()) return true;
    if (f == formulas_.truth() || g == formulas_.falsity()) return false;
    const std::uint64_t key = (std::uint64_t{f.number()} << 32U) | g.number();
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    if (depth > kDeepest || ++steps_ > kMostSteps) {
        cut_ = true;
        return false;
    }
    const bool cut_before = cut_;
    cut_ = false;
    const bool result = by_rules(f, g, depth + 1);
    if (result || !cut_) known_.emplace(key, result);  // an answer that hit the bound may differ next time
    cut_ = cut_ || cut_before;
    return result;
}

bool Implications::by_rules(Formula f, Formula g, std::size_t depth) {
    const std::vector<Formula> of_f(formulas_.operands(f).begin(), formulas_.operands(f).end());
    const std::vector<Formula> of_g(formulas_.operands(g).begin(), formulas_.operands(g).end());
    if (of_f.size() > kWidest || of_g.size() > kWidest) return false;
    if (formulas_.is(g, Connective::conjunction))
        return std::all_of(of_g.begin(), of_g.end(), [&](Formula part) { return decide(f, part, depth); });
    if (formulas_.is(f, Connective::disjunction))
        return std::all_of(of_f.begin(), of_f.end(), [&](Formula part) { return decide(part, g, depth); });
    if (formulas_.is(g, Connective::disjunction) &&
        std::any_of(of_g.begin(), of_g.end(), [&](Formula part) { return decide(f, part, depth); }))
        return true;
    if (formulas_.is(f, Connective::conjunction) &&
        std::any_of(of_f.begin(), of_f.end(), [&](Formula part) { return decide(part, g, depth); }))
        return true;
    if (formulas_.has(f, Trait::boolean) && formulas_.has(g, Trait::boolean)) return false;
    return by_left(f, g, depth) || by_right(f, g, depth) || by_both(f, g, depth);
}

// Consequences of subformulas of f.
bool Implications::by_left(Formula f, Formula g, std::size_t depth) {
    const std::span<const Formula> operands = formulas_.operands(f);
    if (operands.empty()) return false;
    const Formula first = operands.front();
    const Formula last = operands.back();
    switch (formulas_.connective(f)) {
        case Connective::next:
        case Connective::eventually: return formulas_.has(g, Trait::eventual) && decide(first, g, depth);
        case Connective::always: return decide(first, g, depth);
        case Connective::until:
            if (formulas_.has(g, Trait::eventual) && decide(last, g, depth)) return true;
            return decide(first, g, depth) && decide(last, g, depth);
        case Connective::weak_until: return decide(first, g, depth) && decide(last, g, depth);
        case Connective::strong_release:
            if (formulas_.has(g, Trait::eventual) && decide(first, g, depth)) return true;
            return decide(last, g, depth);
        case Connective::release: return decide(last, g, depth);
        default: return false;
    }
}

// Sufficient conditions for g.
bool Implications::by_right(Formula f, Formula g, std::size_t depth) {
    const std::span<const Formula> operands = formulas_.operands(g);
    if (operands.empty()) return false;
    const Formula first = operands.front();
    const Formula last = operands.back();
    const bool lasting = formulas_.has(f, Trait::universal);
    switch (formulas_.connective(g)) {
        case Connective::next: return lasting && decide(f, first, depth);
        case Connective::always: return lasting && decide(f, first, depth);
        case Connective::eventually: return decide(f, first, depth);
        case Connective::until: return decide(f, last, depth);
        case Connective::weak_until: return decide(f, last, depth) || (lasting && decide(f, first, depth));
        case Connective::release: return decide(f, last, depth) && (lasting || decide(f, first, depth));
        case Connective::strong_release: return decide(f, last, depth) && decide(f, first, depth);
        default: return false;
    }
}

// Two temporal operators, operand by operand.
bool Implications::by_both(Formula f, Formula g, std::size_t depth) {
    const Connective left = formulas_.connective(f);
    const Connective right = formulas_.connective(g);
    if (left < Connective::next || left > Connective::strong_release || right < Connective::next ||
        right > Connective::strong_release)
        return false;
    const Formula f1 = formulas_.operands(f).front();
    const Formula f2 = formulas_.operands(f).back();
    const Formula g1 = formulas_.operands(g).front();
    const Formula g2 = formulas_.operands(g).back();
    const auto both = [&](Formula a, Formula b, Formula c, Formula d) {
        return decide(a, b, depth) && decide(c, d, depth);
    };
    switch (right) {
        case Connective::next: return left == Connective::next && decide(f1, g1, depth);
        case Connective::eventually:
            if (left == Connective::until) return decide(f2, g1, depth);
            return (left == Connective::eventually || left == Connective::strong_release) && decide(f1, g1, depth);
        case Connective::until:
            if (left == Connective::until) return both(f1, g1, f2, g2);
            return left == Connective::strong_release && both(f2, g1, f1, g2);
        case Connective::weak_until:
            if (left == Connective::until || left == Connective::weak_until) return both(f1, g1, f2, g2);
            return (left == Connective::release || left == Connective::strong_release) && both(f2, g1, f1, g2);
        case Connective::release:
            if (left == Connective::release || left == Connective::strong_release) return both(f1, g1, f2, g2);
            return (left == Connective::until || left == Connective::weak_until) && decide(f1, g2, depth) &&
                   both(f2, g1, f2, g2);
        case Connective::strong_release:
            if (left == Connective::strong_release) return both(f1, g1, f2, g2);
            return left == Connective::until && decide(f1, g2, depth) && both(f2, g1, f2, g2);
        default: return false;
    }
}

}  // namespace tideline::logic
