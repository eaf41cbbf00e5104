#include "automata/translate.hpp"

#include <algorithm>
#include <numeric>

#include "automata/degeneralise.hpp"
#include "automata/obligation.hpp"
#include "automata/prune.hpp"
#include "automata/simulation.hpp"
#include "automata/tableau.hpp"
#include "logic/normal_form.hpp"
#include "logic/rewrite.hpp"

namespace tideline {
namespace {

constexpr std::size_t kMostSubsets = 1000;         // of a determinised automaton that is worth minimising
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
    Translator(Formulas& formulas, Formula f, const std::vector<Formula>& atoms, Labels& labels, const TranslationLimits& limits)
        : formulas_(formulas), formula_(f), atoms_(atoms), labels_(labels), budget_(limits) {}

    Automaton generalised() {
        unfold();
        Automaton best = is_smaller(candidates_[1], candidates_[0]) ? candidates_[1] : candidates_[0];
        if (std::optional<Automaton> weak = weak_automaton(best); weak && weak->size() <= best.size()) best = std::move(*weak);
        return best;
    }

    Automaton state_based() {
        unfold();
        std::optional<Automaton> best = weak_automaton(is_smaller(candidates_[1], candidates_[0]) ? candidates_[1] : candidates_[0]);
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
    void unfold() {
        for (const Branching branching : {Branching::letters, Branching::products})
            candidates_.push_back(simulation_reduced(tableau(formulas_, formula_, atoms_, labels_, branching, budget_), budget_));
    }

    std::optional<Automaton> weak_automaton(const Automaton& automaton) {
        const Formula negation = simplified(formulas_, negated(formulas_, formula_));
        const Automaton complement = simulation_reduced(tableau(formulas_, negation, atoms_, labels_, Branching::letters, budget_), budget_);
        return minimal_weak(automaton, complement, kMostSubsets, budget_);
    }

    Formulas& formulas_;
    Formula formula_;
    const std::vector<Formula>& atoms_;
    Labels& labels_;
    Budget budget_;
    std::vector<Automaton> candidates_;
};

}  // namespace

Result<Automaton> translate(Formulas& formulas, Formula f, Labels& labels, AutomatonKind kind, const TranslationLimits& limits,
                            const std::vector<Formula>& given) {
    if (formulas.has(f, Trait::quantified)) return diagnostic_about("", "a formula with path quantifiers has no automaton", "only LTL is translated");
    const std::vector<Formula> atoms = given.empty() ? tideline::atoms(formulas, f) : given;
    if (atoms.size() > kMostAtoms)
        return diagnostic_about("", "the formula has " + std::to_string(atoms.size()) + " atoms; an automaton reads at most " + std::to_string(kMostAtoms));
    try {
        Translator translator(formulas, simplified(formulas, f), atoms, labels, limits);
        return kind == AutomatonKind::generalised ? translator.generalised() : translator.state_based();
    } catch (const LimitReached& limit) {
        return diagnostic_about("", "the formula's automaton exceeds a limit: " + limit.reason);
    }
}

}  // namespace tideline
