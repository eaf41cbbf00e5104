#include "automata/automaton.hpp"

#include <algorithm>

namespace tideline::automata {

std::size_t Automaton::edge_count() const {
    std::size_t result = 0;
    for (const std::vector<Edge>& edges : states) result += edges.size();
    return result;
}

Automaton empty_like(const Automaton& automaton) {
    Automaton result;
    result.labels = automaton.labels;
    result.atoms = automaton.atoms;
    return result;
}

void merge_edges(Automaton& automaton) {
    Labels& labels = *automaton.labels;
    for (std::vector<Edge>& edges : automaton.states) {
        std::erase_if(edges, [&](const Edge& e) { return e.label == labels.falsity(); });
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
            return a.target != b.target ? a.target < b.target
                   : a.marks != b.marks ? a.marks < b.marks
                                        : a.label < b.label;
        });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (kept > 0 && edges[kept - 1].target == edges[i].target && edges[kept - 1].marks == edges[i].marks) {
                edges[kept - 1].label = labels.either(edges[kept - 1].label, edges[i].label);
            } else {
                edges[kept++] = edges[i];
            }
        }
        edges.resize(kept);
    }
}

Automaton renumbered(const Automaton& automaton) {
    constexpr StateNumber kUnseen = ~0U;
    std::vector<StateNumber> number(automaton.size(), kUnseen);
    std::vector<StateNumber> order{automaton.initial};
    number[automaton.initial] = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const Edge& e : automaton.states[order[i]]) {
            if (number[e.target] != kUnseen) continue;
            number[e.target] = static_cast<StateNumber>(order.size());
            order.push_back(e.target);
        }
    Automaton result = empty_like(automaton);
    result.sets = automaton.sets;
    result.state_based = automaton.state_based;
    for (const StateNumber s : order) {
        result.states.push_back(automaton.states[s]);
        for (Edge& e : result.states.back()) e.target = number[e.target];
    }
    return result;
}

bool is_deterministic(const Automaton& automaton) {
    for (const std::vector<Edge>& edges : automaton.states) {
        Label seen = automaton.labels->falsity();
        for (const Edge& e : edges) {
            if (automaton.labels->intersect(seen, e.label)) return false;
            seen = automaton.labels->either(seen, e.label);
        }
    }
    return true;
}

}  // namespace tideline::automata
