#include "automata/components.hpp"

#include <algorithm>

namespace tideline::automata {
namespace {

bool is_complete_inside(const Automaton& automaton, const std::vector<std::uint32_t>& numbers, StateNumber s) {
    Label all = automaton.labels->falsity();
    for (const Edge& e : automaton.states[s])
        if (numbers[e.target] == numbers[s]) all = automaton.labels->either(all, e.label);
    return all == automaton.labels->truth();
}

}  // namespace

bool has_cycle(const Automaton& automaton, Marks avoided, Marks required) {
    const auto keep = [&](StateNumber, const Edge& e) { return (e.marks & avoided) == 0; };
    const std::vector<std::uint32_t> numbers = component_numbers(automaton, keep);
    std::vector<Marks> marks(automaton.size(), 0);
    std::vector<bool> cyclic(automaton.size(), false);
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (const Edge& e : automaton.states[s])
            if (keep(s, e) && numbers[s] == numbers[e.target]) {
                marks[numbers[s]] |= e.marks;
                cyclic[numbers[s]] = true;
            }
    for (std::size_t i = 0; i < marks.size(); ++i)
        if (cyclic[i] && (marks[i] & required) == required) return true;
    return false;
}

std::vector<Automaton> component_graphs(const Automaton& automaton, const Components& components) {
    std::vector<Automaton> result(components.count(), empty_like(automaton));
    std::vector<StateNumber> number(automaton.size());
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        Automaton& graph = result[components.of[s]];
        number[s] = static_cast<StateNumber>(graph.size());
        graph.sets = automaton.sets;
        graph.states.emplace_back();
    }
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (const Edge& e : automaton.states[s])
            if (components.is_inside(s, e))
                result[components.of[s]].states[number[s]].push_back({number[e.target], e.label, e.marks});
    return result;
}

Components components(const Automaton& automaton) {
    Components result;
    result.of = component_numbers(automaton, [](StateNumber, const Edge&) { return true; });
    const std::size_t count = result.of.empty() ? 0 : *std::max_element(result.of.begin(), result.of.end()) + 1;
    result.kinds.assign(count, ComponentKind::transient);
    result.marks.assign(count, 0);
    std::vector<Marks> common(count, automaton.all_marks());
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        const std::uint32_t c = result.of[s];
        for (const Edge& e : automaton.states[s]) {
            if (!result.is_inside(s, e)) continue;
            result.kinds[c] = ComponentKind::rejecting;
            result.marks[c] |= e.marks;
            common[c] &= e.marks;
        }
    }
    std::vector<Automaton> graphs;  // made when they are needed
    for (std::uint32_t c = 0; c < count; ++c) {
        if (result.kinds[c] == ComponentKind::transient || result.marks[c] != automaton.all_marks()) continue;
        result.kinds[c] = ComponentKind::weak;
        for (std::size_t set = 0; set < automaton.sets && result.kinds[c] == ComponentKind::weak; ++set) {
            if (((common[c] >> set) & 1U) != 0) continue;
            if (graphs.empty()) graphs = component_graphs(automaton, result);
            if (has_cycle(graphs[c], Marks{1} << set, 0)) result.kinds[c] = ComponentKind::accepting;
        }
    }
    std::vector<bool> complete(count, true);
    for (StateNumber s = 0; s < automaton.size(); ++s) {
        const std::uint32_t c = result.of[s];
        if (result.kinds[c] == ComponentKind::weak && complete[c])
            complete[c] = is_complete_inside(automaton, result.of, s);
    }
    for (std::uint32_t c = 0; c < count; ++c)
        if (result.kinds[c] == ComponentKind::weak && complete[c]) result.kinds[c] = ComponentKind::terminal;
    // Successors have smaller numbers.
    result.useful.assign(count, false);
    std::vector<std::vector<std::uint32_t>> successors(count);
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (const Edge& e : automaton.states[s]) successors[result.of[s]].push_back(result.of[e.target]);
    for (std::uint32_t c = 0; c < count; ++c) {
        result.useful[c] = result.is_accepting(c);
        for (const std::uint32_t d : successors[c]) result.useful[c] = result.useful[c] || result.useful[d];
    }
    return result;
}

bool is_empty(const Automaton& automaton) {
    const Components c = components(renumbered(automaton));
    return std::none_of(c.useful.begin(), c.useful.end(), [](bool useful) { return useful; });
}

}  // namespace tideline::automata
