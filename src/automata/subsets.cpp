#include "automata/subsets.hpp"

#include <algorithm>
#include <map>

namespace tideline::automata {
namespace {

using Members = std::vector<StateNumber>;

// Letters are divided by the set of states that they lead to.
std::map<Members, Label> successors(const Automaton& automaton, const Members& from, std::size_t most,
                                    const TranslationBudget& budget) {
    Labels& labels = *automaton.labels;
    // One label per target, then all combinations that are satisfiable.
    std::map<StateNumber, Label> to;
    for (const StateNumber s : from)
        for (const Edge& e : automaton.states[s]) {
            Label& label = to.emplace(e.target, labels.falsity()).first->second;
            label = labels.either(label, e.label);
        }
    std::vector<std::pair<Members, Label>> divided{{{}, labels.truth()}};
    for (const auto& [target, label] : to) {
        std::vector<std::pair<Members, Label>> finer;
        for (auto& [members, letters] : divided) {
            const Label with = labels.both(letters, label);
            const Label without = labels.minus(letters, label);
            if (without != labels.falsity()) finer.emplace_back(members, without);
            if (with == labels.falsity()) continue;
            members.push_back(target);
            finer.emplace_back(std::move(members), with);
        }
        divided = std::move(finer);
        budget.check();
        if (divided.size() > most * 4) break;  // more successors than states are allowed
    }
    std::map<Members, Label> result;
    for (auto& [members, letters] : divided) result.emplace(std::move(members), letters);
    return result;
}

}  // namespace

std::optional<SubsetAutomaton> subset_automaton(const Automaton& automaton, std::size_t most_states,
                                                const TranslationBudget& budget) {
    SubsetAutomaton result;
    result.automaton = empty_like(automaton);
    std::map<Members, StateNumber> numbers;
    const auto number = [&](const Members& members) {
        const auto [found, is_new] = numbers.emplace(members, static_cast<StateNumber>(result.members.size()));
        if (is_new) result.members.push_back(members);
        return found->second;
    };
    number({automaton.initial});
    for (std::size_t i = 0; i < result.members.size(); ++i) {
        const Members from = result.members[i];
        std::vector<Edge> edges;
        for (const auto& [members, letters] : successors(automaton, from, most_states, budget))
            edges.push_back({number(members), letters, 0});
        if (result.members.size() > most_states) return std::nullopt;
        result.automaton.states.push_back(std::move(edges));
    }
    return result;
}

}  // namespace tideline::automata
