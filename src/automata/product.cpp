#include "automata/product.hpp"

#include <cassert>
#include <map>
#include <unordered_map>

#include "automata/components.hpp"

namespace tideline::automata {

Automaton product(const Automaton& a, const Automaton& b, const TranslationBudget& budget) {
    assert(a.labels == b.labels && a.atoms == b.atoms);
    if (a.sets + b.sets > kMostSets) throw LimitReached{"more than " + std::to_string(kMostSets) + " sets"};
    Automaton result = empty_like(a);
    result.sets = a.sets + b.sets;
    std::map<std::pair<StateNumber, StateNumber>, StateNumber> numbers;
    std::vector<std::pair<StateNumber, StateNumber>> pairs;
    const auto number = [&](StateNumber s, StateNumber t) {
        const auto [found, is_new] = numbers.emplace(std::pair(s, t), static_cast<StateNumber>(pairs.size()));
        if (is_new) pairs.emplace_back(s, t);
        return found->second;
    };
    number(a.initial, b.initial);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        budget.check_states(pairs.size());
        const auto [s, t] = pairs[i];
        std::vector<Edge> edges;
        for (const Edge& e : a.states[s])
            for (const Edge& f : b.states[t]) {
                const Label label = a.labels->both(e.label, f.label);
                if (label != a.labels->falsity())
                    edges.push_back({number(e.target, f.target), label,
                                     b.sets == 0 ? e.marks : e.marks | (a.sets == kMostSets ? 0 : f.marks << a.sets)});
            }
        result.states.push_back(std::move(edges));
    }
    return result;
}

Automaton sum(const Automaton& a, const Automaton& b) {
    assert(a.labels == b.labels && a.atoms == b.atoms);
    Automaton result = empty_like(a);
    result.sets = std::max(a.sets, b.sets);
    result.states.emplace_back();  // a new initial state, with the edges of both
    for (const Automaton* part : {&a, &b}) {
        const auto first = static_cast<StateNumber>(result.size());
        for (const std::vector<Edge>& edges : part->states) {
            result.states.push_back(edges);
            // The sets that this part does not have hold all of its edges.
            for (Edge& e : result.states.back())
                e = {e.target + first, e.label, e.marks | (result.all_marks() & ~part->all_marks())};
        }
        const std::vector<Edge> initial = result.states[first + part->initial];
        result.states[0].insert(result.states[0].end(), initial.begin(), initial.end());
    }
    return result;
}

bool accepts(const Automaton& automaton, const logic::Lasso& word) {
    return *accepts(automaton, word, support::Budget());
}

std::optional<bool> accepts(const Automaton& automaton, const logic::Lasso& word, const support::Budget& budget) {
    // The product with the word, state s at position p: the reachable part. The whole may not fit into memory.
    Automaton unrolled = empty_like(automaton);
    unrolled.sets = automaton.sets;
    if (automaton.size() == 0) return false;
    struct Place {
        StateNumber state;
        std::uint32_t position;
    };
    std::vector<Place> places;
    std::unordered_map<std::uint64_t, StateNumber> numbers;
    const auto number = [&](StateNumber s, std::size_t p) {
        const auto [found, is_new] =
            numbers.emplace(std::uint64_t{s} * word.letters.size() + p, static_cast<StateNumber>(places.size()));
        if (is_new) places.push_back({s, static_cast<std::uint32_t>(p)});
        return found->second;
    };
    number(automaton.initial, 0);
    support::BudgetPoll poll(budget);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (poll.is_exhausted()) return std::nullopt;
        const Place place = places[i];
        std::vector<Edge>& edges = unrolled.states.emplace_back();
        for (const Edge& e : automaton.states[place.state])
            if (automaton.labels->evaluate(e.label, word.letters[place.position]))
                edges.push_back({number(e.target, word.after(place.position)), automaton.labels->truth(), e.marks});
    }
    unrolled.initial = 0;
    return !is_empty(unrolled);
}

}  // namespace tideline::automata
