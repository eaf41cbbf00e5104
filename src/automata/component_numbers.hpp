// The component search over the edges of an automaton that a predicate keeps. Included by components.hpp.
#pragma once

#include "automata/automaton.hpp"
#include "support/components.hpp"

namespace tideline::automata {

template <class Keep>
std::vector<std::uint32_t> component_numbers(const Automaton& automaton, Keep keep) {
    const auto target_of = [](const Edge& e) { return e.target; };
    const support::RowGraph graph(automaton.states, target_of);
    const auto keep_edge = [&](StateNumber s, const auto& edge) { return keep(s, *edge.entry); };
    return support::component_numbers(graph, keep_edge).of;
}

}  // namespace tideline::automata
