#include "automata/tableau.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>

#include "logic/implication.hpp"

namespace tideline::automata {
namespace {

using enum logic::Connective;

class Tableau {
public:
    Tableau(logic::Formulas& formulas, const std::vector<logic::Formula>& atoms, Labels& labels, Branching branching,
            const TranslationBudget& budget)
        : formulas_(formulas), implications_(formulas), labels_(labels), branching_(branching), budget_(budget) {
        for (std::size_t i = 0; i < atoms.size(); ++i)
            atom_variables_.emplace(atoms[i].number(), static_cast<std::uint32_t>(i));
        result_.labels = &labels;
        for (const logic::Formula atom : atoms) result_.atoms.push_back(formulas.text(atom));
    }

    Automaton run(logic::Formula f) {
        result_.initial = state_of(f);
        std::size_t count = 0;
        for (StateNumber s = 0; s < functions_.size(); ++s) {
            budget_.check_states(functions_.size());
            std::vector<Edge> edges =
                branching_ == Branching::letters ? edges_by_letters(functions_[s]) : edges_by_products(functions_[s]);
            count += edges.size();
            budget_.check_edges(count);
            result_.states[s] = std::move(edges);
        }
        set_marks();
        merge_edges(result_);
        return std::move(result_);
    }

private:
    // The meaning of a variable above those of the atoms.
    struct Meaning {
        bool promise;
        logic::Formula formula;
    };

    struct Product {
        Label letters;
        std::vector<std::uint32_t> promises;
        logic::Formula next;
    };

    StateNumber state_of(logic::Formula f) {
        const Label function = unfold(f);
        const auto [found, is_new] = states_.emplace(function.number(), static_cast<StateNumber>(functions_.size()));
        if (is_new) {
            functions_.push_back(function);
            result_.states.emplace_back();
        }
        return found->second;
    }

    std::uint32_t variable_of(logic::Formula f, bool promise) {
        const auto [found, is_new] = variables_.emplace(std::pair(promise, f.number()),
                                                        static_cast<std::uint32_t>(kMostAtoms + meanings_.size()));
        if (is_new) meanings_.push_back({promise, f});
        return found->second;
    }

    // Obligations of the next state are single formulas: a conjunction is that of its parts.
    Label nexted(logic::Formula f) {
        if (!formulas_.is(f, conjunction))
            return f == formulas_.truth()     ? labels_.truth()
                   : f == formulas_.falsity() ? labels_.falsity()
                                              : labels_.variable(variable_of(f, false));
        Label result = labels_.truth();
        for (const logic::Formula part : formulas_.operands(f))
            result = labels_.both(result, labels_.variable(variable_of(part, false)));
        return result;
    }

    Label promised(logic::Formula f) { return labels_.variable(variable_of(f, true)); }

    [[nodiscard]] bool is_unfolded(logic::Formula f) const { return unfolded_.contains(f.number()); }

    Label unfold(logic::Formula root) {
        struct Visit {
            logic::Formula formula;
            bool expanded;
        };
        std::vector<Visit> stack{{root, false}};
        while (!stack.empty()) {
            const Visit visit = stack.back();
            stack.pop_back();
            if (is_unfolded(visit.formula)) continue;
            if (visit.expanded) {
                unfolded_.emplace(visit.formula.number(), step(visit.formula));
                continue;
            }
            stack.push_back({visit.formula, true});
            for (const logic::Formula operand : needed(visit.formula))
                if (!is_unfolded(operand)) stack.push_back({operand, false});
        }
        return unfolded_.at(root.number());
    }

    // The formulas whose functions the function of `f` is made of.
    [[nodiscard]] std::vector<logic::Formula> needed(logic::Formula f) const {
        const std::span<const logic::Formula> operands = formulas_.operands(f);
        switch (formulas_.connective(f)) {
            case negation:
            case next: return {};
            case always: {
                std::vector<logic::Formula> result;
                for (const logic::Formula part : parts(operands[0]))
                    if (puts_off(part)) {
                        const std::span<const logic::Formula> inner = formulas_.operands(part);
                        result.insert(result.end(), inner.begin(), inner.end());
                    } else {
                        result.push_back(part);
                    }
                return result;
            }
            default: return {operands.begin(), operands.end()};
        }
    }

    [[nodiscard]] std::vector<logic::Formula> parts(logic::Formula f) const {
        if (!formulas_.is(f, conjunction)) return {f};
        const std::span<const logic::Formula> operands = formulas_.operands(f);
        return {operands.begin(), operands.end()};
    }

    [[nodiscard]] bool puts_off(logic::Formula f) const {
        return formulas_.is(f, eventually) || formulas_.is(f, until) || formulas_.is(f, strong_release);
    }

    [[nodiscard]] Label function(logic::Formula f) const { return unfolded_.at(f.number()); }

    Label step(logic::Formula f) {
        budget_.check();
        const std::vector<logic::Formula> operands(formulas_.operands(f).begin(), formulas_.operands(f).end());
        switch (formulas_.connective(f)) {
            case falsity: return labels_.falsity();
            case truth: return labels_.truth();
            case atom: return labels_.variable(atom_variables_.at(f.number()));
            case negation: return labels_.negation(labels_.variable(atom_variables_.at(operands[0].number())));
            case conjunction: {
                Label result = labels_.truth();
                for (const logic::Formula part : operands) result = labels_.both(result, function(part));
                return result;
            }
            case disjunction: {
                Label result = labels_.falsity();
                for (const logic::Formula part : operands) result = labels_.either(result, function(part));
                return result;
            }
            case logic::Connective::next: return nexted(operands[0]);
            case always: return step_always(f, operands[0]);
            case weak_until:
                return labels_.either(function(operands[1]), labels_.both(function(operands[0]), nexted(f)));
            case release: return labels_.both(function(operands[1]), labels_.either(function(operands[0]), nexted(f)));
            case eventually:
            case until:
            case strong_release: return put_off(f, nexted(f));
            default: break;
        }
        assert(false && "a formula of LTL in negation normal form");
        return labels_.falsity();
    }

    // F g, f U g and f M g: satisfied now, or `later` under a promise.
    Label put_off(logic::Formula f, Label later) {
        const logic::Formula first = formulas_.operands(f).front();
        const logic::Formula last = formulas_.operands(f).back();
        if (formulas_.is(f, strong_release))
            return labels_.both(function(last), labels_.either(function(first), labels_.both(promised(first), later)));
        const Label waiting = labels_.both(promised(last), later);
        return labels_.either(function(last),
                              formulas_.is(f, eventually) ? waiting : labels_.both(function(first), waiting));
    }

    // G repeats its operand at the next position anyway, so that deferred obligations of the operand need not be
    // repeated.
    Label step_always(logic::Formula f, logic::Formula operand) {
        Label result = nexted(f);
        for (const logic::Formula part : parts(operand))
            result = labels_.both(result, puts_off(part) ? put_off(part, labels_.truth()) : function(part));
        return result;
    }

    std::vector<Product> products(Label function) {
        if (labels_.support(function).size() > kWidestSum)
            throw LimitReached{"a state has more than " + std::to_string(kWidestSum) + " parts"};
        const std::optional<Labels::Sum> sum = labels_.sum_of_products(function, budget_.edges());
        if (!sum) budget_.check_edges(budget_.edges() + 1);
        std::vector<Product> result;
        for (const std::vector<Literal>& literals : *sum) {
            Product product;
            Cube letters;
            std::vector<logic::Formula> next;
            for (const Literal& literal : literals) {
                if (literal.variable < kMostAtoms) {
                    (literal.positive ? letters.positive : letters.negative) |= std::uint64_t{1} << literal.variable;
                    continue;
                }
                assert(literal.positive && "demands and promises are never negated");
                const Meaning& meaning = meanings_[literal.variable - kMostAtoms];
                if (meaning.promise) {
                    product.promises.push_back(literal.variable);
                } else {
                    next.push_back(meaning.formula);
                }
            }
            product.letters = labels_.cube(letters);
            // Also what follows from other parts is kept: leaving out F b beside G X F b would forget the promise.
            product.next = formulas_.conjunction(std::move(next));
            result.push_back(std::move(product));
        }
        return result;
    }

    std::vector<Edge> edges_by_products(Label function) {
        std::vector<Edge> edges;
        for (Product& product : products(function))
            edges.push_back(edge(product.letters, product.next, product.promises));
        return edges;
    }

    std::vector<Edge> edges_by_letters(Label function) {
        std::vector<Edge> edges;
        for (const auto& [rest, letters] : rests(function)) {
            std::map<std::vector<std::uint32_t>, std::vector<logic::Formula>> choices;
            for (Product& product : products(rest)) choices[product.promises].push_back(product.next);
            for (auto& [promises, formulas] : choices)
                edges.push_back(edge(letters, chosen(std::move(formulas)), promises));
            budget_.check_states(functions_.size());
            budget_.check_edges(edges.size());
        }
        return edges;
    }

    // The disjunction, without parts that imply others.
    logic::Formula chosen(std::vector<logic::Formula> choices) {
        if (choices.size() > 1 && choices.size() < 20) {
            for (std::size_t i = 0; i < choices.size();) {
                const bool implied = std::any_of(choices.begin(), choices.end(), [&](logic::Formula other) {
                    return other != choices[i] && implications_.implies(choices[i], other) &&
                           !(implications_.implies(other, choices[i]) && choices[i] < other);
                });
                if (implied) {
                    choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(i));
                } else {
                    ++i;
                }
            }
        }
        return formulas_.disjunction(std::move(choices));
    }

    // The functions that remain of `function` when the atoms are given, each with the letters that lead to it. Atoms
    // come first in diagrams, so these are the nodes below the last atom.
    std::vector<std::pair<Label, Label>> rests(Label function) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, Label>
            open;  // by variable, then number: from the top of the diagram downwards
        std::vector<std::pair<Label, Label>> result;
        const auto variable = [&](Label l) { return labels_.is_constant(l) ? ~0U : labels_.top(l); };
        open.emplace(std::pair(variable(function), function.number()), labels_.truth());
        while (!open.empty()) {
            budget_.check_edges(open.size() + result.size());
            budget_.check();
            const auto [key, letters] = *open.begin();
            open.erase(open.begin());
            const Label node(key.second);
            if (key.first >= kMostAtoms) {
                if (node != labels_.falsity()) result.emplace_back(node, letters);
                continue;
            }
            const Label atom = labels_.variable(key.first);
            for (const bool high : {false, true}) {
                const Label child = high ? labels_.high(node) : labels_.low(node);
                const Label more = high ? labels_.both(letters, atom) : labels_.minus(letters, atom);
                Label& all = open.emplace(std::pair(variable(child), child.number()), labels_.falsity()).first->second;
                all = labels_.either(all, more);
            }
        }
        return result;
    }

    // Until all promises are known, an edge's marks are the promises it makes.
    Edge edge(Label letters, logic::Formula next, const std::vector<std::uint32_t>& promises) {
        Marks made = 0;
        for (const std::uint32_t variable : promises) {
            const auto found = sets_.emplace(variable, sets_.size()).first;
            if (found->second >= kMostSets) throw LimitReached{"more than " + std::to_string(kMostSets) + " promises"};
            made |= Marks{1} << found->second;
        }
        return {state_of(next), letters, made};
    }

    void set_marks() {
        result_.sets = sets_.size();
        for (std::vector<Edge>& edges : result_.states)
            for (Edge& e : edges) e.marks = ~e.marks & result_.all_marks();
    }

    logic::Formulas& formulas_;
    logic::Implications implications_;
    Labels& labels_;
    Branching branching_;
    const TranslationBudget& budget_;
    Automaton result_;
    std::unordered_map<std::uint32_t, std::uint32_t> atom_variables_;
    std::map<std::pair<bool, std::uint32_t>, std::uint32_t> variables_;
    std::vector<Meaning> meanings_;
    std::unordered_map<std::uint32_t, Label> unfolded_;
    std::unordered_map<std::uint32_t, StateNumber> states_;  // by function
    std::vector<Label> functions_;
    std::map<std::uint32_t, std::size_t> sets_;  // by promise
};

}  // namespace

Automaton tableau(logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms, Labels& labels,
                  Branching branching, const TranslationBudget& budget) {
    return Tableau(formulas, atoms, labels, branching, budget).run(f);
}

}  // namespace tideline::automata
