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

namespace tideline {
namespace {

constexpr std::size_t kMostExtraStates = 2000;     // of automata that are built in the hope for a smaller one
constexpr std::size_t kMostSubsets = 1000;         // of a determinised automaton that is worth minimising
constexpr std::size_t kSmall = 6;                  // states that a state-based automaton hardly gets below
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
    Translator(Formulas& formulas, Formula f, const std::vector<Formula>& atoms, Labels& labels, const Budget& budget)
        : formulas_(formulas), formula_(f), atoms_(atoms), labels_(labels), budget_(budget) {
        std::string reason;
        for (const Branching branching : {Branching::letters, Branching::products})
            attempt([&](const Budget& own) { candidates_.push_back(reduced_tableau(formula_, branching, own)); }, budget_.limits().states, reason);
        if (candidates_.empty()) throw LimitReached{reason};
        attempt([&](const Budget& own) { compose(own); }, kMostExtraStates, reason);
        attempt([&](const Budget& own) { find_weak(own); }, kMostExtraStates, reason);
    }

    // A state-based automaton is a generalised one, too, and in rare cases smaller than what was found before.
    Automaton generalised() {
        Automaton best = smallest_candidate();
        if (weak_ && weak_->size() <= best.size()) return *weak_;
        if (best.size() < kSmall) return best;
        const Automaton other = state_based();
        return other.size() < best.size() ? other : best;
    }

    Automaton state_based() {
        std::optional<Automaton> best = weak_;
        std::size_t work = 0;
        for (const Automaton& candidate : candidates_)
            for (const std::vector<std::size_t>& order : orders(candidate.sets))
                for (const bool look_ahead : {true, false})
                    for (const bool reuse : {true, false}) {
                        if (best && work > kDegeneralisationWork) return *best;
                        Automaton next = degeneralised(candidate, {order, look_ahead, reuse}, budget_);
                        work += next.size();
                        next = simulation_reduced(next, budget_);
                        if (!best || is_smaller(next, *best)) best = std::move(next);
                    }
        return *best;
    }

private:
    [[nodiscard]] const Automaton& smallest_candidate() const { return *std::min_element(candidates_.begin(), candidates_.end(), is_smaller); }

    // Steps that may help but are not needed: one that exceeds its limits is given up, unless that is the user's wish.
    template <class Step>
    void attempt(Step step, std::size_t most_states, std::string& reason) {
        TranslationLimits own = budget_.limits();
        own.states = std::min(own.states, most_states);
        labels_.allow(labels_.size() + own.diagram_nodes);
        try {
            step(Budget(own));
        } catch (const LimitReached& limit) {
            if (limit.interrupted) throw;
            reason = limit.reason;
        }
        labels_.allow(labels_.size() + own.diagram_nodes);
    }

    Automaton reduced_tableau(Formula f, Branching branching, const Budget& budget) {
        return simulation_reduced(tableau(formulas_, f, atoms_, labels_, branching, budget), budget);
    }

    // A conjunction or disjunction of obligations and others: the obligations' part has a minimal automaton.
    void compose(const Budget& budget) {
        const Connective c = formulas_.connective(formula_);
        if (c != Connective::conjunction && c != Connective::disjunction) return;
        std::vector<Formula> obligations;
        std::vector<Formula> others;
        for (const Formula part : formulas_.operands(formula_)) (formulas_.has(part, Trait::obligation) ? obligations : others).push_back(part);
        if (obligations.empty() || others.empty()) return;
        const Automaton a = Translator(formulas_, formulas_.make(c, obligations), atoms_, labels_, budget).generalised();
        const Automaton b = Translator(formulas_, formulas_.make(c, others), atoms_, labels_, budget).generalised();
        candidates_.push_back(simulation_reduced(c == Connective::conjunction ? product(a, b, budget) : sum(a, b), budget));
    }

    void find_weak(const Budget& budget) {
        const Automaton complement = reduced_tableau(simplified(formulas_, negated(formulas_, formula_)), Branching::letters, budget);
        weak_ = minimal_weak(smallest_candidate(), complement, kMostSubsets, budget);
    }

    Formulas& formulas_;
    Formula formula_;
    const std::vector<Formula>& atoms_;
    Labels& labels_;
    const Budget& budget_;
    std::vector<Automaton> candidates_;  // generalised, reduced
    std::optional<Automaton> weak_;      // where the formula is an obligation
};

}  // namespace

Result<Automaton> translate(Formulas& formulas, Formula f, Labels& labels, AutomatonKind kind, const TranslationLimits& limits,
                            const std::vector<Formula>& given) {
    if (formulas.has(f, Trait::quantified)) return diagnostic_about("", "a formula with path quantifiers has no automaton", "only LTL is translated");
    const std::vector<Formula> atoms = given.empty() ? tideline::atoms(formulas, f) : given;
    if (atoms.size() > kMostAtoms)
        return diagnostic_about("", "the formula has " + std::to_string(atoms.size()) + " atoms; an automaton reads at most " + std::to_string(kMostAtoms));
    try {
        const Budget budget(limits);
        const Formula simple = simplified(formulas, f);
        Translator translator(formulas, simple, atoms, labels, budget);
        return kind == AutomatonKind::state_based ? translator.state_based() : translator.generalised();
    } catch (const LimitReached& limit) {
        return diagnostic_about("", "the formula's automaton exceeds a limit: " + limit.reason);
    }
}

}  // namespace tideline
