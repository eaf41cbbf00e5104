#include "automata/word_automaton.hpp"

#include <algorithm>
#include <map>

#include "support/components.hpp"

namespace tideline::automata {
namespace {

using Set = std::vector<std::uint32_t>;  // ascending

// With what silent moves reach.
Set closed(const WordGraph& graph, Set set) {
    std::vector<bool> has(graph.states.size(), false);
    for (const std::uint32_t s : set) has[s] = true;
    for (std::size_t i = 0; i < set.size(); ++i) {
        for (const WordGraph::Edge& edge : graph.states[set[i]]) {
            if (edge.letter || has[edge.target]) continue;
            has[edge.target] = true;
            set.push_back(edge.target);
        }
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set;
}

// Components are found in reverse topological order.
void add_ranks(WordAutomaton& automaton) {
    const auto target_of = [](std::uint32_t target) { return target; };
    const support::RowGraph graph(automaton.next, target_of);
    const auto components = support::component_numbers(graph);
    automaton.rank.clear();
    for (const auto component : components.of)
        automaton.rank.push_back(static_cast<std::uint32_t>(components.count - 1 - component));
}

}  // namespace

std::optional<WordAutomaton> determinised(const WordGraph& graph, std::size_t most) {
    WordAutomaton result;
    result.letters = graph.letters;
    std::map<Set, std::uint32_t> numbers;
    std::vector<Set> sets;
    const auto number_of = [&](Set set) {
        const auto [place, is_new] = numbers.emplace(set, static_cast<std::uint32_t>(sets.size()));
        if (is_new) sets.push_back(std::move(set));
        return place->second;
    };
    number_of(closed(graph, graph.initial));
    constexpr std::uint32_t kNone = UINT32_MAX;
    for (std::size_t at = 0; at < sets.size(); ++at) {
        if (sets.size() > most) return std::nullopt;
        std::vector<Set> targets(graph.letters.size());
        for (const std::uint32_t s : sets[at])
            for (const WordGraph::Edge& edge : graph.states[s])
                if (edge.letter) targets[*edge.letter].push_back(edge.target);
        std::vector<std::uint32_t> row;
        for (Set& target : targets) row.push_back(target.empty() ? kNone : number_of(closed(graph, std::move(target))));
        result.next.push_back(std::move(row));
        const Set& set = sets[at];
        result.final.push_back(
            std::any_of(set.begin(), set.end(), [&](std::uint32_t s) { return static_cast<bool>(graph.final[s]); }));
    }
    const auto illegal = static_cast<std::uint32_t>(result.next.size());
    for (std::vector<std::uint32_t>& row : result.next) std::replace(row.begin(), row.end(), kNone, illegal);
    result.next.emplace_back(graph.letters.size(), illegal);
    result.final.push_back(false);
    add_ranks(result);
    return result;
}

WordAutomaton minimal(const WordAutomaton& automaton) {
    const std::size_t n = automaton.next.size();
    // Classes: illegal, final and other states at first.
    std::vector<std::uint32_t> of(n);
    for (std::size_t s = 0; s < n; ++s) of[s] = s == automaton.illegal() ? 2 : automaton.final[s] ? 1 : 0;
    for (std::size_t before = 0;;) {
        std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
        std::vector<std::uint32_t> refined(n);
        for (std::size_t s = 0; s < n; ++s) {
            std::vector<std::uint32_t> signature{of[s]};
            for (const std::uint32_t t : automaton.next[s]) signature.push_back(of[t]);
            refined[s] =
                numbers.emplace(std::move(signature), static_cast<std::uint32_t>(numbers.size())).first->second;
        }
        of = std::move(refined);
        if (numbers.size() == before) break;
        before = numbers.size();
    }
    // In the order of the states, so that the initial one comes first; the illegal one last.
    std::vector<std::uint32_t> number(n, UINT32_MAX);
    WordAutomaton result;
    result.letters = automaton.letters;
    std::vector<std::size_t> chosen;
    for (std::size_t s = 0; s + 1 < n; ++s) {
        if (number[of[s]] != UINT32_MAX) continue;
        number[of[s]] = static_cast<std::uint32_t>(chosen.size());
        chosen.push_back(s);
    }
    number[of[n - 1]] = static_cast<std::uint32_t>(chosen.size());
    chosen.push_back(n - 1);
    for (const std::size_t s : chosen) {
        std::vector<std::uint32_t>& row = result.next.emplace_back();
        for (const std::uint32_t t : automaton.next[s]) row.push_back(number[of[t]]);
        result.final.push_back(automaton.final[s]);
    }
    add_ranks(result);
    return result;
}

}  // namespace tideline::automata
