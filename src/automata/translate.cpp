#include "automata/translate.hpp"

#include <algorithm>
#include <numeric>

#include "automata/degeneralise.hpp"
#include "automata/obligation.hpp"
#include "automata/product.hpp"
#include "automata/simulation.hpp"
#include "automata/tableau.hpp"
#include "logic/normal_form.hpp"
#include "logic/rewrite.hpp"

namespace tideline::automata {
namespace {

constexpr std::size_t kMostExtraStates = 2000;       // of automata that are built to look for a smaller one
constexpr std::size_t kMostSubsets = 1000;           // of a determinised automaton that is worth minimising
constexpr std::size_t kFewSubsets = 60;              // the same where an obligation is unlikely
constexpr std::size_t kManyFair = 6;                 // recurrences in a conjunction that are not unfolded together
constexpr std::size_t kSmall = 6;                    // a state-based automaton rarely has fewer states
constexpr std::size_t kDegeneralisationWork = 4000;  // states of all results that are compared, in sum

// Fewer states, then fewer edges.
bool is_smaller(const Automaton& a, const Automaton& b) {
    return a.size() != b.size() ? a.size() < b.size() : a.edge_count() < b.edge_count();
}

// Orders of the sets that are tried: all for few sets, else all rotations.
std::vector<std::vector<std::size_t>> orders(std::size_t sets) {
    std::vector<std::size_t> order(sets);
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::vector<std::size_t>> result;
    if (sets <= 4) {
        do result.push_back(order);
        while (std::next_permutation(order.begin(), order.end()));
        return result;
    }
    for (std::size_t i = 0; i < sets; ++i) {
        result.push_back(order);
        std::rotate(order.begin(), order.begin() + 1, order.end());
    }
    return result;
}

class Translator {
public:
    Translator(logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms, Labels& labels,
               const TranslationBudget& budget)
        : formulas_(formulas), formula_(f), atoms_(atoms), labels_(labels), budget_(budget) {
        std::string reason;
        if (compose_fair()) return;
        for (const Branching branching : {Branching::letters, Branching::products})
            attempt(
                [&](const TranslationBudget& own) { candidates_.push_back(reduced_tableau(formula_, branching, own)); },
                budget_.limits().states, reason);
        if (candidates_.empty()) throw LimitReached{reason};
        attempt([&](const TranslationBudget& own) { compose(own); }, kMostExtraStates, reason);
        attempt([&](const TranslationBudget& own) { find_weak(own); }, kMostExtraStates, reason);
    }

    // A state-based automaton is a generalised one, too, and in rare cases smaller than what was found before.
    Automaton generalised() {
        Automaton best = smallest_candidate();
        if (weak_ && weak_->size() <= best.size()) return *weak_;
        if (best.size() < kSmall) return best;
        std::string reason;
        attempt(
            [&](const TranslationBudget& own) {
                Automaton other = smallest_state_based(own);
                if (other.size() < best.size()) best = std::move(other);
            },
            kMostExtraStates, reason);
        return best;
    }

    Automaton state_based() { return smallest_state_based(budget_); }

private:
    Automaton smallest_state_based(const TranslationBudget& budget) const {
        if (weak_ && weak_->size() <= smallest_candidate().size()) return *weak_;
        std::optional<Automaton> best = weak_;
        std::size_t work = 0;
        std::vector<std::vector<std::vector<Edge>>> seen;  // different choices often lead to the same automaton
        for (const Automaton& candidate : candidates_)
            for (const std::vector<std::size_t>& order : orders(candidate.sets))
                for (const bool look_ahead : {true, false})
                    for (const bool reuse : {true, false}) {
                        if (best && work > kDegeneralisationWork) return *best;
                        Automaton next = degeneralised(candidate, {order, look_ahead, reuse}, budget);
                        if (std::find(seen.begin(), seen.end(), next.states) != seen.end()) continue;
                        seen.push_back(next.states);
                        work += next.size();
                        next = simulation_reduced(next, budget);
                        if (!best || is_smaller(next, *best)) best = std::move(next);
                    }
        return *best;
    }

    [[nodiscard]] const Automaton& smallest_candidate() const {
        return *std::min_element(candidates_.begin(), candidates_.end(), is_smaller);
    }

    // Optional steps: a step that exceeds its limits is abandoned, unless the user interrupted.
    template <class Step>
    void attempt(Step step, std::size_t most_states, std::string& reason) {
        TranslationLimits own = budget_.limits();
        own.states = std::min(own.states, most_states);
        labels_.allow(labels_.size() + own.diagram_nodes, own.stop);
        try {
            step(TranslationBudget(own));
        } catch (const LimitReached& limit) {
            labels_.allow(labels_.size() + own.diagram_nodes);
            if (limit.interrupted) throw;
            reason = limit.reason;
        }
        labels_.allow(labels_.size() + own.diagram_nodes);
    }

    Automaton reduced_tableau(logic::Formula f, Branching branching, const TranslationBudget& budget) {
        return simulation_reduced(tableau(formulas_, f, atoms_, labels_, branching, budget), budget);
    }

    // A conjunction with many parts G F b, as fairness assumptions have: an edge for each set of b's that hold at once
    // would be exponentially many, so every edge counts for one of them at a time. The other parts are translated for
    // themselves.
    bool compose_fair() {
        if (!formulas_.is(formula_, logic::Connective::conjunction)) return false;
        std::vector<logic::Formula> recurring;
        std::vector<logic::Formula> others;
        for (const logic::Formula part : formulas_.operands(formula_)) {
            const bool fair = formulas_.is(part, logic::Connective::always) &&
                              formulas_.is(formulas_.operand(part, 0), logic::Connective::eventually) &&
                              formulas_.has(formulas_.operand(formulas_.operand(part, 0), 0), logic::Trait::boolean);
            if (fair) {
                recurring.push_back(formulas_.operand(formulas_.operand(part, 0), 0));
            } else {
                others.push_back(part);
            }
        }
        if (recurring.size() < kManyFair || recurring.size() > kMostSets) return false;
        Automaton fair;
        fair.labels = &labels_;
        for (const logic::Formula atom : atoms_) fair.atoms.push_back(formulas_.text(atom));
        fair.sets = recurring.size();
        fair.states.push_back({{0, labels_.truth(), 0}});
        for (std::size_t i = 0; i < recurring.size(); ++i) {
            const Automaton once = tableau(formulas_, recurring[i], atoms_, labels_, Branching::products, budget_);
            Label label = labels_.falsity();  // of the step from `b` to `true`
            for (const Edge& e : once.states[once.initial]) label = labels_.either(label, e.label);
            fair.states[0].push_back({0, label, Marks{1} << i});
        }
        merge_edges(fair);
        const Automaton rest =
            Translator(formulas_, formulas_.conjunction(others), atoms_, labels_, budget_).generalised();
        candidates_.push_back(simulation_reduced(product(rest, fair, budget_), budget_));
        return true;
    }

    // A conjunction or disjunction of obligations and others: the obligations' part has a minimal automaton.
    void compose(const TranslationBudget& budget) {
        const logic::Connective c = formulas_.connective(formula_);
        if (c != logic::Connective::conjunction && c != logic::Connective::disjunction) return;
        std::vector<logic::Formula> obligations;
        std::vector<logic::Formula> others;
        for (const logic::Formula part : formulas_.operands(formula_))
            (formulas_.has(part, logic::Trait::obligation) ? obligations : others).push_back(part);
        if (obligations.empty() || others.empty()) return;
        const Automaton a =
            Translator(formulas_, formulas_.make(c, obligations), atoms_, labels_, budget).generalised();
        const Automaton b = Translator(formulas_, formulas_.make(c, others), atoms_, labels_, budget).generalised();
        candidates_.push_back(
            simulation_reduced(c == logic::Connective::conjunction ? product(a, b, budget) : sum(a, b), budget));
    }

    void find_weak(const TranslationBudget& budget) {
        const Automaton complement = reduced_tableau(logic::simplified(formulas_, logic::negated(formulas_, formula_)),
                                                     Branching::letters, budget);
        const bool likely = formulas_.has(formula_, logic::Trait::obligation);
        weak_ = minimal_weak(smallest_candidate(), complement, likely ? kMostSubsets : kFewSubsets, budget);
    }

    logic::Formulas& formulas_;
    logic::Formula formula_;
    const std::vector<logic::Formula>& atoms_;
    Labels& labels_;
    const TranslationBudget& budget_;
    std::vector<Automaton> candidates_;  // generalised, reduced
    std::optional<Automaton> weak_;      // where the formula is an obligation
};

}  // namespace

support::Result<Automaton> translate(logic::Formulas& formulas, logic::Formula f, Labels& labels, AutomatonKind kind,
                                     const TranslationLimits& limits, const std::vector<logic::Formula>& given) {
    if (formulas.has(f, logic::Trait::quantified))
        return support::diagnostic_about("", "a formula with path quantifiers has no automaton",
                                         "only LTL is translated");
    const std::vector<logic::Formula> atoms = given.empty() ? logic::atoms(formulas, f) : given;
    if (atoms.size() > kMostAtoms)
        return support::diagnostic_about("", "the formula has " + std::to_string(atoms.size()) +
                                                 " atoms; an automaton reads at most " + std::to_string(kMostAtoms));
    try {
        const TranslationBudget budget(limits);
        const logic::Formula simple = logic::simplified(formulas, f);
        Translator translator(formulas, simple, atoms, labels, budget);
        return kind == AutomatonKind::state_based ? translator.state_based() : translator.generalised();
    } catch (const LimitReached& limit) {
        return support::diagnostic_about("", "the formula's automaton exceeds a limit: " + limit.reason);
    }
}

}  // namespace tideline::automata
