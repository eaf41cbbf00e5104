#include "logic/canonical.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "logic/print.hpp"

namespace tideline::logic {
namespace {

std::string_view name_of(Connective connective) {
    switch (connective) {
        case Connective::falsity: return "false";
        case Connective::truth: return "true";
        case Connective::atom: return "atom";
        case Connective::negation: return "not";
        case Connective::conjunction: return "and";
        case Connective::disjunction: return "or";
        case Connective::implication: return "implies";
        case Connective::equivalence: return "iff";
        case Connective::exclusion: return "xor";
        case Connective::next: return "X";
        case Connective::eventually: return "F";
        case Connective::always: return "G";
        case Connective::until: return "U";
        case Connective::release: return "R";
        case Connective::weak_until: return "W";
        case Connective::strong_release: return "M";
        case Connective::exists: return "E";
        case Connective::forall: return "A";
    }
    return "";
}

// Of all subformulas, by number.
std::unordered_map<std::uint32_t, std::string> texts_of(const Formulas& formulas, Formula f) {
    std::unordered_map<std::uint32_t, std::string> texts;
    for (const Formula g : subformulas(formulas, f)) {
        const Connective connective = formulas.connective(g);
        std::string text;
        if (connective == Connective::atom) {
            text = atom_text(formulas.text(g));
        } else {
            text = name_of(connective);
            std::vector<std::string> operands;
            for (const Formula operand : formulas.operands(g)) operands.push_back(texts.at(operand.number()));
            const bool is_sorted = connective != Connective::conjunction && connective != Connective::disjunction &&
                                   connective != Connective::equivalence && connective != Connective::exclusion;
            if (!is_sorted) std::sort(operands.begin(), operands.end());
            for (std::size_t i = 0; i < operands.size(); ++i) text += (i == 0 ? "(" : ",") + operands[i];
            if (!operands.empty()) text += ')';
        }
        texts[g.number()] = std::move(text);
    }
    return texts;
}

}  // namespace

std::string canonical_text(const Formulas& formulas, Formula f) { return texts_of(formulas, f).at(f.number()); }

PathFormula over_leaves(const Formulas& formulas, Formula path) {
    const std::unordered_map<std::uint32_t, std::string> texts = texts_of(formulas, path);
    PathFormula result;
    std::vector<Formula> inner;  // not below a leaf
    std::vector<Formula> open{path};
    std::unordered_set<std::uint32_t> seen;
    while (!open.empty()) {
        const Formula f = open.back();
        open.pop_back();
        if (!seen.insert(f.number()).second) continue;
        const bool is_constant = formulas.is(f, Connective::truth) || formulas.is(f, Connective::falsity);
        if (formulas.has(f, Trait::state) && !is_constant) {
            result.leaves.push_back(f);
            continue;
        }
        inner.push_back(f);
        for (const Formula operand : formulas.operands(f)) open.push_back(operand);
    }
    // A formula has a longer text than its operands.
    const auto before = [&](Formula f, Formula g) {
        const std::string& left = texts.at(f.number());
        const std::string& right = texts.at(g.number());
        return left.size() != right.size() ? left.size() < right.size() : left < right;
    };
    std::sort(result.leaves.begin(), result.leaves.end(), before);
    std::sort(inner.begin(), inner.end(), before);
    std::unordered_map<std::uint32_t, Formula> made;
    for (std::size_t i = 0; i < result.leaves.size(); ++i) {
        result.atoms.push_back(result.formulas.atom("(" + std::to_string(i) + ")"));
        made[result.leaves[i].number()] = result.atoms.back();
    }
    for (const Formula f : inner) {
        std::vector<Formula> operands;
        for (const Formula operand : formulas.operands(f)) operands.push_back(made.at(operand.number()));
        made[f.number()] = result.formulas.make(formulas.connective(f), operands);
    }
    result.formula = made.at(path.number());
    return result;
}

}  // namespace tideline::logic
