#include "logic/word.hpp"

#include <cassert>
#include <unordered_map>

namespace tideline::logic {
namespace {

using Values = std::vector<bool>;  // by position

// Solves value[i] = law(i, value at the next position), the least or the greatest solution.
template <class Law>
Values solved(const Lasso& word, bool greatest, Law law) {
    const std::size_t n = word.letters.size();
    Values value(n, greatest);
    for (int round = 0; round < 2; ++round)
        for (std::size_t i = n; i-- > word.loop;) value[i] = law(i, value[word.after(i)]);
    for (std::size_t i = word.loop; i-- > 0;) value[i] = law(i, value[i + 1]);
    return value;
}

Values by_position(const Lasso& word, const auto& value) {
    Values result(word.letters.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = value(i);
    return result;
}

// `inside`: atoms and quantifiers that are not among `atoms` are parts of some that are, and do not matter.
bool evaluated(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& atoms, bool inside,
               bool ends = false) {
    assert(word.loop < word.letters.size() && (!ends || word.loop + 1 == word.letters.size()));
    std::unordered_map<std::uint32_t, std::size_t> atom_indices;
    for (std::size_t i = 0; i < atoms.size(); ++i) atom_indices.emplace(atoms[i].number(), i);
    std::unordered_map<std::uint32_t, Values> values;
    for (const Formula g : subformulas(formulas, f)) {
        const std::span<const Formula> operands = formulas.operands(g);
        const Values none;
        const Values& left = operands.empty() ? none : values.at(operands[0].number());
        const Values& right = operands.size() < 2 ? none : values.at(operands[1].number());
        Values here;
        if (const auto place = atom_indices.find(g.number()); place != atom_indices.end()) {
            values[g.number()] =
                by_position(word, [&](std::size_t i) { return ((word.letters[i] >> place->second) & 1U) != 0; });
            continue;
        }
        switch (formulas.connective(g)) {
            case Connective::falsity: here.assign(word.letters.size(), false); break;
            case Connective::truth: here.assign(word.letters.size(), true); break;
            case Connective::negation: here = by_position(word, [&](std::size_t i) { return !left[i]; }); break;
            case Connective::conjunction:
            case Connective::disjunction: {
                const bool is_and = formulas.is(g, Connective::conjunction);
                here.assign(word.letters.size(), is_and);
                for (const Formula operand : operands) {
                    const Values& one = values.at(operand.number());
                    for (std::size_t i = 0; i < here.size(); ++i)
                        here[i] = is_and ? here[i] && one[i] : here[i] || one[i];
                }
                break;
            }
            case Connective::implication:
                here = by_position(word, [&](std::size_t i) { return !left[i] || right[i]; });
                break;
            case Connective::equivalence:
                here = by_position(word, [&](std::size_t i) { return left[i] == right[i]; });
                break;
            case Connective::exclusion:
                here = by_position(word, [&](std::size_t i) { return left[i] != right[i]; });
                break;
            case Connective::next:
                here = by_position(word, [&](std::size_t i) {
                    return left[word.after(i)] && !(ends && i + 1 == word.letters.size());
                });
                break;
            case Connective::eventually:
                here = solved(word, false, [&](std::size_t i, bool next) { return left[i] || next; });
                break;
            case Connective::always:
                here = solved(word, true, [&](std::size_t i, bool next) { return left[i] && next; });
                break;
            case Connective::until:
                here = solved(word, false, [&](std::size_t i, bool next) { return right[i] || (left[i] && next); });
                break;
            case Connective::weak_until:
                here = solved(word, true, [&](std::size_t i, bool next) { return right[i] || (left[i] && next); });
                break;
            case Connective::release:
                here = solved(word, true, [&](std::size_t i, bool next) { return right[i] && (left[i] || next); });
                break;
            case Connective::strong_release:
                here = solved(word, false, [&](std::size_t i, bool next) { return right[i] && (left[i] || next); });
                break;
            case Connective::atom:
            case Connective::exists:
            case Connective::forall:
                assert(inside && "LTL has no quantifiers, and every atom has a value");
                here.assign(word.letters.size(), false);
                break;
        }
        values[g.number()] = std::move(here);
    }
    return values.at(f.number())[0];
}

}  // namespace

bool is_true_of(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& atoms, bool ends) {
    return evaluated(formulas, f, word, atoms, false, ends);
}

bool is_true_of_leaves(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& leaves) {
    return evaluated(formulas, f, word, leaves, true);
}

}  // namespace tideline::logic
