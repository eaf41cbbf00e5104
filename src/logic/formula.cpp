#include "logic/formula.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "logic/traits.hpp"

namespace tideline::logic {
namespace {

constexpr std::size_t kFirstTable = 256;

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32U);
}

std::uint64_t hash_of(Connective connective, std::span<const Formula> operands) {
    std::uint64_t hash = mix(0, static_cast<std::uint64_t>(connective));
    for (const Formula f : operands) hash = mix(hash, f.number() + 1);
    return hash;
}

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = mix(0, static_cast<std::uint64_t>(Connective::atom));
    for (const char c : text) hash = mix(hash, static_cast<unsigned char>(c));
    return hash;
}

}  // namespace

Formulas::Formulas(bool keeps_quantifiers) : keeps_quantifiers_(keeps_quantifiers), table_(kFirstTable, 0) {
    nodes_.push_back({Connective::falsity, traits_of(Connective::falsity, {}), 0, 0});
    nodes_.push_back({Connective::truth, traits_of(Connective::truth, {}), 0, 0});
}

std::span<const Formula> Formulas::operands(Formula f) const {
    const Node& node = nodes_[f.number()];
    if (node.connective == Connective::atom) return {};
    return {operands_.data() + node.first, node.count};
}

void Formulas::grow_table() {
    std::vector<std::uint32_t> larger(table_.size() * 2, 0);
    const std::size_t mask = larger.size() - 1;
    for (const std::uint32_t number : table_) {
        if (number == 0) continue;
        const Formula f(number);
        std::size_t at = (is(f, Connective::atom) ? hash_of(text(f)) : hash_of(connective(f), operands(f))) & mask;
        while (larger[at] != 0) at = (at + 1) & mask;
        larger[at] = number;
    }
    table_ = std::move(larger);
}

Formula Formulas::atom(std::string_view text) {
    if (nodes_.size() * 2 > table_.size()) grow_table();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash_of(text) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const Formula candidate(table_[at]);
        if (is(candidate, Connective::atom) && this->text(candidate) == text) return candidate;
    }
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({Connective::atom, traits_of(Connective::atom, {}), static_cast<std::uint32_t>(texts_.size()), 0});
    texts_.emplace_back(text);
    return Formula(table_[at]);
}

Formula Formulas::intern(Connective connective, std::span<const Formula> operands) {
    if (nodes_.size() * 2 > table_.size()) grow_table();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash_of(connective, operands) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const Formula candidate(table_[at]);
        if (!is(candidate, connective)) continue;
        const std::span<const Formula> theirs = this->operands(candidate);
        if (std::equal(theirs.begin(), theirs.end(), operands.begin(), operands.end())) return candidate;
    }
    std::vector<std::uint32_t> traits;
    traits.reserve(operands.size());
    for (const Formula f : operands) traits.push_back(nodes_[f.number()].traits);
    std::uint32_t own = traits_of(connective, traits);
    if (connective == Connective::negation && is(operands[0], Connective::atom))
        own |= static_cast<std::uint32_t>(Trait::negation_normal);
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(
        {connective, own, static_cast<std::uint32_t>(operands_.size()), static_cast<std::uint32_t>(operands.size())});
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    return Formula(table_[at]);
}

Formula Formulas::negation(Formula f) {
    if (f == truth()) return falsity();
    if (f == falsity()) return truth();
    if (is(f, Connective::negation)) return operand(f, 0);
    return intern(Connective::negation, std::array{f});
}

// A conjunction or a disjunction: flat, sorted, without repetition, without neutral operands.
Formula Formulas::junction(Connective connective, std::vector<Formula> operands) {
    const bool conjunctive = connective == Connective::conjunction;
    const Formula neutral = constant(conjunctive);
    const Formula absorbing = constant(!conjunctive);
    if (std::any_of(operands.begin(), operands.end(), [&](Formula f) { return is(f, connective); })) {
        std::vector<Formula> flat;
        for (const Formula f : operands) {
            if (!is(f, connective)) {
                flat.push_back(f);
                continue;
            }
            const std::span<const Formula> inner = this->operands(f);  // none of these is of the same kind
            flat.insert(flat.end(), inner.begin(), inner.end());
        }
        operands = std::move(flat);
    }
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    std::erase(operands, neutral);
    if (std::binary_search(operands.begin(), operands.end(), absorbing)) return absorbing;
    for (const Formula f : operands)
        if (is(f, Connective::negation) && std::binary_search(operands.begin(), operands.end(), operand(f, 0)))
            return absorbing;
    if (operands.empty()) return neutral;
    if (operands.size() == 1) return operands[0];
    return intern(connective, operands);
}

Formula Formulas::conjunction(std::vector<Formula> operands) {
    return junction(Connective::conjunction, std::move(operands));
}
Formula Formulas::disjunction(std::vector<Formula> operands) {
    return junction(Connective::disjunction, std::move(operands));
}
Formula Formulas::conjunction(Formula f, Formula g) { return junction(Connective::conjunction, {f, g}); }
Formula Formulas::disjunction(Formula f, Formula g) { return junction(Connective::disjunction, {f, g}); }

Formula Formulas::implication(Formula f, Formula g) {
    if (f == falsity() || g == truth() || f == g) return truth();
    if (f == truth()) return g;
    if (g == falsity()) return negation(f);
    return intern(Connective::implication, std::array{f, g});
}

Formula Formulas::equivalence(Formula f, Formula g) {
    if (g < f) std::swap(f, g);  // constants come first
    if (f == truth()) return g;
    if (f == falsity()) return negation(g);
    if (f == g) return truth();
    if (f == negation(g)) return falsity();
    return intern(Connective::equivalence, std::array{f, g});
}

Formula Formulas::exclusion(Formula f, Formula g) {
    if (g < f) std::swap(f, g);
    if (f == truth()) return negation(g);
    if (f == falsity()) return g;
    if (f == g) return falsity();
    if (f == negation(g)) return truth();
    return intern(Connective::exclusion, std::array{f, g});
}

Formula Formulas::next(Formula f) { return intern(Connective::next, std::array{f}); }

Formula Formulas::eventually(Formula f) {
    if (f == truth() || f == falsity() || is(f, Connective::eventually)) return f;
    return intern(Connective::eventually, std::array{f});
}

Formula Formulas::always(Formula f) {
    if (f == truth() || f == falsity() || is(f, Connective::always)) return f;
    return intern(Connective::always, std::array{f});
}

Formula Formulas::until(Formula f, Formula g) {
    if (g == truth() || g == falsity() || f == falsity() || f == g) return g;
    if (f == truth()) return eventually(g);
    return intern(Connective::until, std::array{f, g});
}

Formula Formulas::release(Formula f, Formula g) {
    if (g == truth() || g == falsity() || f == truth() || f == g) return g;
    if (f == falsity()) return always(g);
    return intern(Connective::release, std::array{f, g});
}

Formula Formulas::weak_until(Formula f, Formula g) {
    if (g == truth() || f == truth()) return truth();
    if (f == falsity() || f == g) return g;
    if (g == falsity()) return always(f);
    return intern(Connective::weak_until, std::array{f, g});
}

Formula Formulas::strong_release(Formula f, Formula g) {
    if (g == falsity() || f == falsity()) return falsity();
    if (f == truth() || f == g) return g;
    if (g == truth()) return eventually(f);
    return intern(Connective::strong_release, std::array{f, g});
}

Formula Formulas::exists(Formula f) {
    return has(f, Trait::state) && !keeps_quantifiers_ ? f : intern(Connective::exists, std::array{f});
}
Formula Formulas::forall(Formula f) {
    return has(f, Trait::state) && !keeps_quantifiers_ ? f : intern(Connective::forall, std::array{f});
}

Formula Formulas::make(Connective connective, std::span<const Formula> operands) {
    switch (connective) {
        case Connective::falsity: return falsity();
        case Connective::truth: return truth();
        case Connective::atom: break;
        case Connective::negation: return negation(operands[0]);
        case Connective::conjunction:
        case Connective::disjunction: return junction(connective, {operands.begin(), operands.end()});
        case Connective::implication: return implication(operands[0], operands[1]);
        case Connective::equivalence: return equivalence(operands[0], operands[1]);
        case Connective::exclusion: return exclusion(operands[0], operands[1]);
        case Connective::next: return next(operands[0]);
        case Connective::eventually: return eventually(operands[0]);
        case Connective::always: return always(operands[0]);
        case Connective::until: return until(operands[0], operands[1]);
        case Connective::release: return release(operands[0], operands[1]);
        case Connective::weak_until: return weak_until(operands[0], operands[1]);
        case Connective::strong_release: return strong_release(operands[0], operands[1]);
        case Connective::exists: return exists(operands[0]);
        case Connective::forall: return forall(operands[0]);
    }
    assert(false && "an atom is made from its text");
    return falsity();
}

std::vector<Formula> subformulas(const Formulas& formulas, Formula f) {
    std::vector<Formula> result;
    std::vector<bool> seen(f.number() + 1, false);  // operands have smaller numbers
    struct Visit {
        Formula formula;
        bool expanded;
    };
    std::vector<Visit> stack{{f, false}};
    while (!stack.empty()) {
        const Visit visit = stack.back();
        stack.pop_back();
        if (visit.expanded) {
            result.push_back(visit.formula);
            continue;
        }
        if (seen[visit.formula.number()]) continue;
        seen[visit.formula.number()] = true;
        stack.push_back({visit.formula, true});
        const std::span<const Formula> operands = formulas.operands(visit.formula);
        for (std::size_t i = operands.size(); i-- > 0;)
            if (!seen[operands[i].number()]) stack.push_back({operands[i], false});
    }
    return result;
}

std::vector<Formula> atoms(const Formulas& formulas, Formula f) {
    std::vector<Formula> result = subformulas(formulas, f);
    std::erase_if(result, [&](Formula g) { return !formulas.is(g, Connective::atom); });
    std::sort(result.begin(), result.end(), [&](Formula a, Formula b) { return formulas.text(a) < formulas.text(b); });
    return result;
}

}  // namespace tideline::logic
