#include "logic/rules.hpp"

#include <algorithm>

namespace tideline::logic {
namespace {

using enum Connective;

constexpr std::size_t kWidest = 40;  // operands of a conjunction or disjunction that are compared pair by pair

}  // namespace

std::vector<Formula> RewriteRules::parts(Formula f, Connective c) const {
    if (!is(f, c)) return {f};
    const std::span<const Formula> operands = formulas_.operands(f);
    return {operands.begin(), operands.end()};
}

template <class Property>
std::optional<RewriteRules::Split> RewriteRules::split(Formula f, Connective c, Property property) {
    if (!is(f, c)) return std::nullopt;
    std::vector<Formula> having;
    std::vector<Formula> rest;
    for (const Formula part : parts(f, c)) (property(part) ? having : rest).push_back(part);
    if (having.empty()) return std::nullopt;
    const Formula left = formulas_.make(c, having);
    return Split{left, formulas_.make(c, rest)};
}

RewriteRules::Found RewriteRules::without(Formula f, Connective c, Formula part) {
    std::vector<Formula> all = parts(f, c);
    const auto found = std::find(all.begin(), all.end(), part);
    if (found == all.end()) return std::nullopt;
    all.erase(found);
    return formulas_.make(c, all);
}

RewriteRules::Found RewriteRules::stripped(Formula f, Connective c) {
    std::vector<Formula> all = parts(f, c);
    bool changed = false;
    for (Formula& part : all) {
        if (!is(part, Connective::next)) continue;
        part = arg(part, 0);
        changed = true;
    }
    if (!changed) return std::nullopt;
    return formulas_.make(c, all);
}

Formula RewriteRules::apply(Formula f) {
    const std::span<const Formula> operands = formulas_.operands(f);
    if (operands.empty()) return f;
    const Formula a = operands.front();
    const Formula b = operands.back();
    Found result;
    switch (formulas_.connective(f)) {
        case Connective::next: result = next(a); break;
        case Connective::eventually: result = eventually(a); break;
        case Connective::always: result = always(a); break;
        case Connective::until: result = until(a, b); break;
        case Connective::release: result = release(a, b); break;
        case Connective::weak_until: result = weak_until(a, b); break;
        case Connective::strong_release: result = strong_release(a, b); break;
        case conjunction:
        case disjunction: result = junction(f); break;
        default: break;
    }
    return result.value_or(f);
}

RewriteRules::Found RewriteRules::next(Formula a) {
    if (steady(a)) return a;  // the constants, too
    for (const Connective c : {conjunction, disjunction})
        if (const auto s = split(a, c, [&](Formula p) { return steady(p); })) {
            const Formula operands[] = {s->having, formulas_.next(s->rest)};
            return formulas_.make(c, operands);
        }
    return std::nullopt;
}

RewriteRules::Found RewriteRules::eventually(Formula a) {
    Formulas& f = formulas_;
    if (eventual(a)) return a;
    switch (f.connective(a)) {
        case Connective::next: return f.next(f.eventually(arg(a, 0)));
        case Connective::until: return f.eventually(arg(a, 1));
        case Connective::strong_release: return f.eventually(f.conjunction(arg(a, 0), arg(a, 1)));
        case Connective::weak_until: return f.disjunction(f.eventually(f.always(arg(a, 0))), f.eventually(arg(a, 1)));
        case Connective::release:
            return f.disjunction(f.eventually(f.always(arg(a, 1))), f.eventually(f.conjunction(arg(a, 0), arg(a, 1))));
        case Connective::always: {
            const Formula inner = arg(a, 0);
            if (const Found s = stripped(inner, conjunction)) return f.eventually(f.always(*s));
            if (const auto s = split(inner, conjunction, [&](Formula p) { return eventual(p); }))
                return f.conjunction(f.always(s->having), f.eventually(f.always(s->rest)));
            return std::nullopt;
        }
        default: break;
    }
    // What is steady stays under F: see merge_or.
    if (const auto s = split(a, disjunction, [&](Formula p) { return eventual(p) && !steady(p); }))
        return f.disjunction(s->having, f.eventually(s->rest));
    if (const auto s = split(a, conjunction, [&](Formula p) { return steady(p); }))
        return f.conjunction(s->having, f.eventually(s->rest));
    return std::nullopt;
}

RewriteRules::Found RewriteRules::always(Formula a) {
    Formulas& f = formulas_;
    if (universal(a)) return a;
    switch (f.connective(a)) {
        case Connective::next: return f.next(f.always(arg(a, 0)));
        case Connective::release: return f.always(arg(a, 1));
        case Connective::weak_until: return f.always(f.disjunction(arg(a, 0), arg(a, 1)));
        case Connective::until:
            return f.conjunction(f.always(f.eventually(arg(a, 1))), f.always(f.disjunction(arg(a, 0), arg(a, 1))));
        case Connective::strong_release: return f.conjunction(f.always(f.eventually(arg(a, 0))), f.always(arg(a, 1)));
        case Connective::eventually: {
            const Formula inner = arg(a, 0);
            if (const Found s = stripped(inner, disjunction)) return f.always(f.eventually(*s));
            if (const auto s = split(inner, disjunction, [&](Formula p) { return universal(p); }))
                return f.disjunction(f.eventually(s->having), f.always(f.eventually(s->rest)));
            if (const auto s = split(inner, conjunction, [&](Formula p) { return eventual(p); }))
                return f.conjunction(f.always(s->having), f.always(f.eventually(s->rest)));
            return std::nullopt;
        }
        default: break;
    }
    if (const auto s = split(a, conjunction, [&](Formula p) { return universal(p); }))
        return f.conjunction(s->having, f.always(s->rest));
    if (const auto s = split(a, disjunction, [&](Formula p) { return steady(p); }))
        return f.disjunction(s->having, f.always(s->rest));
    if (const auto s = split(a, conjunction, [&](Formula p) { return eventual(p); }))
        return f.conjunction(f.always(s->having), f.always(s->rest));
    return std::nullopt;
}

// In a U b and a W b, a matters only where b does not hold; in a R b and a M b only where b does. So parts of a that
// are decided there can go.
RewriteRules::Found RewriteRules::drop_parts(Connective c, Formula a, Formula b) {
    const bool weak_side = c == Connective::until || c == Connective::weak_until;
    const auto is_false = [&](Formula p) {
        return weak_side ? implications_.implies(p, b) : implications_.contradict(p, b);
    };
    const auto is_true = [&](Formula p) {
        return weak_side ? implications_.exhaust(p, b) : implications_.implies(b, p);
    };
    const auto rebuilt = [&](Formula rest) {
        const Formula operands[] = {rest, b};
        return formulas_.make(c, operands);
    };
    if (const auto s = split(a, disjunction, is_false)) return rebuilt(s->rest);
    if (const auto s = split(a, conjunction, is_true)) return rebuilt(s->rest);
    return std::nullopt;
}

RewriteRules::Found RewriteRules::until(Formula a, Formula b) {
    Formulas& f = formulas_;
    if (eventual(b) || implications_.implies(a, b)) return b;
    if (implications_.exhaust(a, b)) return f.eventually(b);
    if (is(a, Connective::next) && is(b, Connective::next)) return f.next(f.until(arg(a, 0), arg(b, 0)));
    if ((is(b, Connective::until) || is(b, Connective::weak_until)) && implications_.implies(a, arg(b, 0))) return b;
    if (is(b, Connective::until) && implications_.implies(arg(b, 0), a)) return f.until(a, arg(b, 1));
    if (is(b, conjunction))
        if (const Found rest = without(b, conjunction, a)) return f.strong_release(*rest, a);
    if (const Found rest = without(b, disjunction, f.always(a))) return f.weak_until(a, *rest);
    if (const auto s = split(b, conjunction, [&](Formula p) { return steady(p); }))
        return f.conjunction(f.until(a, s->rest), s->having);
    if (const auto s = split(b, disjunction, [&](Formula p) { return eventual(p); }))
        return f.disjunction(f.until(a, s->rest), s->having);
    return drop_parts(Connective::until, a, b);
}

RewriteRules::Found RewriteRules::release(Formula a, Formula b) {
    Formulas& f = formulas_;
    if (universal(b) || implications_.implies(b, a)) return b;
    if (implications_.contradict(a, b)) return f.always(b);
    if (is(a, Connective::next) && is(b, Connective::next)) return f.next(f.release(arg(a, 0), arg(b, 0)));
    if ((is(b, Connective::release) || is(b, Connective::strong_release)) && implications_.implies(arg(b, 0), a))
        return b;
    if (is(b, Connective::release) && implications_.implies(a, arg(b, 0))) return f.release(a, arg(b, 1));
    if (is(b, disjunction))
        if (const Found rest = without(b, disjunction, a)) return f.weak_until(*rest, a);
    if (const Found rest = without(b, conjunction, f.eventually(a))) return f.strong_release(a, *rest);
    if (const auto s = split(b, disjunction, [&](Formula p) { return steady(p); }))
        return f.disjunction(f.release(a, s->rest), s->having);
    if (const auto s = split(b, conjunction, [&](Formula p) { return universal(p); }))
        return f.conjunction(f.release(a, s->rest), s->having);
    return drop_parts(Connective::release, a, b);
}

RewriteRules::Found RewriteRules::weak_until(Formula a, Formula b) {
    Formulas& f = formulas_;
    if (implications_.implies(a, b)) return b;
    if (implications_.exhaust(a, b)) return f.truth();
    if (universal(a)) return f.disjunction(a, b);
    if (eventual(b)) return f.disjunction(f.always(a), b);
    if (is(a, Connective::next) && is(b, Connective::next)) return f.next(f.weak_until(arg(a, 0), arg(b, 0)));
    if (is(b, Connective::weak_until) && implications_.implies(a, arg(b, 0))) return b;
    if ((is(b, Connective::until) || is(b, Connective::weak_until)) && implications_.implies(arg(b, 0), a))
        return f.weak_until(a, arg(b, 1));
    if (is(b, conjunction))
        if (const Found rest = without(b, conjunction, a)) return f.release(*rest, a);
    if (const Found rest = without(b, disjunction, f.always(a))) return f.weak_until(a, *rest);
    if (const auto s = split(b, disjunction, [&](Formula p) { return steady(p); }))
        return f.disjunction(f.weak_until(a, s->rest), s->having);
    if (const auto s = split(a, disjunction, [&](Formula p) { return steady(p); }))
        return f.disjunction(f.weak_until(s->rest, b), s->having);
    return drop_parts(Connective::weak_until, a, b);
}

RewriteRules::Found RewriteRules::strong_release(Formula a, Formula b) {
    Formulas& f = formulas_;
    if (implications_.implies(b, a)) return b;
    if (implications_.contradict(a, b)) return f.falsity();
    if (eventual(a)) return f.conjunction(a, b);
    if (universal(b)) return f.conjunction(f.eventually(a), b);
    if (is(a, Connective::next) && is(b, Connective::next)) return f.next(f.strong_release(arg(a, 0), arg(b, 0)));
    if (is(b, Connective::strong_release) && implications_.implies(arg(b, 0), a)) return b;
    if ((is(b, Connective::release) || is(b, Connective::strong_release)) && implications_.implies(a, arg(b, 0)))
        return f.strong_release(a, arg(b, 1));
    if (is(b, disjunction))
        if (const Found rest = without(b, disjunction, a)) return f.until(*rest, a);
    if (const Found rest = without(b, conjunction, f.eventually(a))) return f.strong_release(a, *rest);
    if (const auto s = split(b, conjunction, [&](Formula p) { return steady(p); }))
        return f.conjunction(f.strong_release(a, s->rest), s->having);
    if (const auto s = split(a, conjunction, [&](Formula p) { return steady(p); }))
        return f.conjunction(f.strong_release(s->rest, b), s->having);
    return drop_parts(Connective::strong_release, a, b);
}

// b | (a & X(a U b)) is a U b, likewise for W; a | X F a is F a; and the duals. `a` is an operand of the junction `c`,
// `b` another one.
RewriteRules::Found RewriteRules::unfold(Connective c, Formula a, Formula b) {
    Formulas& f = formulas_;
    const bool disjunctive = c == disjunction;
    if (is(b, Connective::next)) {
        const Formula inner = arg(b, 0);
        if (is(inner, disjunctive ? Connective::eventually : Connective::always) && arg(inner, 0) == a) return inner;
        return std::nullopt;
    }
    if (!is(b, disjunctive ? conjunction : disjunction) || f.operands(b).size() != 2) return std::nullopt;
    for (const std::size_t i : {0U, 1U}) {
        const Formula nexted = arg(b, i);
        const Formula other = arg(b, 1 - i);
        if (!is(nexted, Connective::next)) continue;
        const Formula inner = arg(nexted, 0);
        const bool fits = disjunctive ? is(inner, Connective::until) || is(inner, Connective::weak_until)
                                      : is(inner, Connective::release) || is(inner, Connective::strong_release);
        if (fits && arg(inner, 0) == other && arg(inner, 1) == a) return inner;
    }
    return std::nullopt;
}

RewriteRules::Found RewriteRules::merge_or(Formula a, Formula b) {
    Formulas& f = formulas_;
    const Connective ca = f.connective(a);
    const Connective cb = f.connective(b);
    const auto either = [&](std::size_t i) { return f.disjunction(arg(a, i), arg(b, i)); };
    if (ca == Connective::next && cb == Connective::next) return f.next(either(0));
    // Under one F, the choice between the operands can be deferred; an automaton then needs no state for making it at
    // once.
    if (ca == Connective::eventually && cb == Connective::eventually) return f.eventually(either(0));
    if (ca == Connective::eventually && steady(b)) return f.eventually(f.disjunction(arg(a, 0), b));
    if (ca == Connective::always && cb == Connective::always && is(arg(a, 0), Connective::eventually) &&
        is(arg(b, 0), Connective::eventually))
        return f.always(f.eventually(f.disjunction(arg(arg(a, 0), 0), arg(arg(b, 0), 0))));
    const auto untils = [](Connective c) { return c == Connective::until || c == Connective::weak_until; };
    const auto releases = [](Connective c) { return c == Connective::release || c == Connective::strong_release; };
    if (untils(ca) && untils(cb) && arg(a, 0) == arg(b, 0))
        return ca == Connective::until && cb == Connective::until ? f.until(arg(a, 0), either(1))
                                                                  : f.weak_until(arg(a, 0), either(1));
    if (releases(ca) && releases(cb) && arg(a, 1) == arg(b, 1))
        return ca == Connective::strong_release && cb == Connective::strong_release
                   ? f.strong_release(either(0), arg(a, 1))
                   : f.release(either(0), arg(a, 1));
    if (ca == Connective::until && cb == Connective::always && arg(a, 0) == arg(b, 0))
        return f.weak_until(arg(a, 0), arg(a, 1));
    if (ca == Connective::strong_release && cb == Connective::always && arg(a, 1) == arg(b, 0))
        return f.release(arg(a, 0), arg(a, 1));
    // G x | F(!x & e) with e eventual: the first !x decides.
    if (ca == Connective::always && cb == Connective::eventually && is_first_of(arg(a, 0), arg(b, 0), conjunction))
        return f.weak_until(arg(a, 0), arg(b, 0));
    return std::nullopt;
}

// Whether `y` is !x & e with e eventual or, as a disjunction, !x | u with u universal.
bool RewriteRules::is_first_of(Formula x, Formula y, Connective c) {
    const Found rest = is(y, c) ? without(y, c, implications_.negation(x)) : std::nullopt;
    return rest && (c == conjunction ? eventual(*rest) : universal(*rest));
}

RewriteRules::Found RewriteRules::merge_and(Formula a, Formula b) {
    Formulas& f = formulas_;
    const Connective ca = f.connective(a);
    const Connective cb = f.connective(b);
    const auto both = [&](std::size_t i) { return f.conjunction(arg(a, i), arg(b, i)); };
    if (ca == Connective::next && cb == Connective::next) return f.next(both(0));
    if (ca == Connective::always && cb == Connective::always && !steady(a) && !steady(b)) return f.always(both(0));
    if (ca == Connective::eventually && cb == Connective::eventually && is(arg(a, 0), Connective::always) &&
        is(arg(b, 0), Connective::always))
        return f.eventually(f.always(f.conjunction(arg(arg(a, 0), 0), arg(arg(b, 0), 0))));
    const auto untils = [](Connective c) { return c == Connective::until || c == Connective::weak_until; };
    const auto releases = [](Connective c) { return c == Connective::release || c == Connective::strong_release; };
    if (untils(ca) && untils(cb) && arg(a, 1) == arg(b, 1))
        return ca == Connective::weak_until && cb == Connective::weak_until ? f.weak_until(both(0), arg(a, 1))
                                                                            : f.until(both(0), arg(a, 1));
    if (releases(ca) && releases(cb) && arg(a, 0) == arg(b, 0))
        return ca == Connective::release && cb == Connective::release ? f.release(arg(a, 0), both(1))
                                                                      : f.strong_release(arg(a, 0), both(1));
    if (ca == Connective::weak_until && cb == Connective::eventually && arg(a, 1) == arg(b, 0))
        return f.until(arg(a, 0), arg(a, 1));
    if (ca == Connective::release && cb == Connective::eventually && arg(a, 0) == arg(b, 0))
        return f.strong_release(arg(a, 0), arg(a, 1));
    // F x & G(!x | u) with u universal.
    if (ca == Connective::eventually && cb == Connective::always && is_first_of(arg(a, 0), arg(b, 0), disjunction))
        return f.strong_release(arg(a, 0), arg(b, 0));
    return std::nullopt;
}

RewriteRules::Found RewriteRules::junction(Formula f) {
    const Connective c = formulas_.connective(f);
    const bool disjunctive = c == disjunction;
    std::vector<Formula> all = parts(f, c);
    if (all.size() > kWidest) return std::nullopt;
    const Formula absorbing = formulas_.constant(disjunctive);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j) {
            if (i == j) continue;
            const Formula a = all[i];
            const Formula b = all[j];
            if (disjunctive ? implications_.implies(a, b) : implications_.implies(b, a)) {
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
                return formulas_.make(c, all);
            }
            if (disjunctive ? implications_.exhaust(a, b) : implications_.contradict(a, b)) return absorbing;
            Found merged = disjunctive ? merge_or(a, b) : merge_and(a, b);
            if (!merged) merged = unfold(c, a, b);
            if (merged) {
                all[i] = *merged;
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
                return formulas_.make(c, all);
            }
            // In b, only what is not decided by a matters: a | (!a & x) is a | x.
            const auto idle = [&](Formula p) {
                return disjunctive ? implications_.exhaust(a, p) : implications_.contradict(a, p);
            };
            if (const auto s = split(b, disjunctive ? conjunction : disjunction, idle)) {
                all[j] = s->rest;
                return formulas_.make(c, all);
            }
        }
    }
    return std::nullopt;
}

}  // namespace tideline::logic
