// Tarjan's algorithm (1972) with an explicit stack, over the edges that a predicate keeps. Included by components.hpp.
#pragma once

#include <algorithm>

#include "automata/automaton.hpp"

namespace tideline {

template <class Keep>
std::vector<std::uint32_t> component_numbers(const Automaton& automaton, Keep keep) {
    constexpr std::uint32_t kNone = ~0U;
    const std::size_t n = automaton.size();
    std::vector<std::uint32_t> number(n, kNone);
    std::vector<std::uint32_t> index(n, kNone);
    std::vector<std::uint32_t> low(n, 0);
    std::vector<StateNumber> path;
    struct Frame {
        StateNumber state;
        std::size_t edge;
    };
    std::vector<Frame> stack;
    std::uint32_t next_index = 0;
    std::uint32_t next_number = 0;
    const auto enter = [&](StateNumber s) {
        index[s] = low[s] = next_index++;
        path.push_back(s);
        stack.push_back({s, 0});
    };
    for (StateNumber root = 0; root < n; ++root) {
        if (index[root] != kNone) continue;
        enter(root);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const StateNumber s = frame.state;
            if (frame.edge < automaton.states[s].size()) {
                const Edge& e = automaton.states[s][frame.edge++];
                if (!keep(s, e)) continue;
                if (index[e.target] == kNone) {
                    enter(e.target);
                } else if (number[e.target] == kNone) {
                    low[s] = std::min(low[s], index[e.target]);
                }
                continue;
            }
            if (low[s] == index[s]) {
                StateNumber member = s;
                do {
                    member = path.back();
                    path.pop_back();
                    number[member] = next_number;
                } while (member != s);
                ++next_number;
            }
            stack.pop_back();
            if (!stack.empty()) low[stack.back().state] = std::min(low[stack.back().state], low[s]);
        }
    }
    return number;
}

}  // namespace tideline
