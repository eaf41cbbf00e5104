// A random explicit graph as a system written in C++.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "successor/cpp/cpp_system.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {

struct RandomGraph {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::uint64_t> keys;
    std::vector<std::size_t> initials{0};  // states

    struct State {
        std::uint16_t number;
    };
    std::vector<State> initial() const {
        std::vector<State> result;
        for (const std::size_t s : initials) result.push_back({static_cast<std::uint16_t>(s)});
        return result;
    }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        for (const std::size_t t : edges[s.number]) emit(State{static_cast<std::uint16_t>(t)}, "step");
    }
    void describe(const State& s, successor::Description& d) const { d.value("state", s.number); }
    std::array<std::uint32_t, 1> progress(const State& s) const { return {static_cast<std::uint32_t>(keys[s.number])}; }
};

// Several initial states, sometimes: all different, in any order.
inline void add_initials(RandomGraph& graph, RandomNumbers& random) {
    const std::size_t n = graph.edges.size();
    if (!random.chance(30)) return;
    for (std::size_t more = 1 + random.below(6); more > 0; --more) {
        const std::size_t s = random.below(n);
        std::vector<std::size_t>& initials = graph.initials;
        if (std::find(initials.begin(), initials.end(), s) != initials.end()) continue;
        initials.insert(random.chance(50) ? initials.begin() : initials.end(), s);
    }
}

// A graph of up to `largest` states, most of up to 40, with a measure: none, one that grows, one that falls, or a
// random one.
inline RandomGraph random_measured_graph(RandomNumbers& random, std::size_t largest = 400) {
    RandomGraph graph;
    const std::size_t n = 1 + random.below(random.chance(20) ? largest : 40);
    graph.edges.resize(n);
    for (std::vector<std::size_t>& out : graph.edges)
        for (std::size_t degree = random.below(4); degree > 0; --degree) out.push_back(random.below(n));
    const std::size_t kind = random.below(6);
    const std::size_t keys = 1 + random.below(6);
    for (std::size_t s = 0; s < n; ++s) {
        const std::uint64_t key = kind == 0   ? 0
                                  : kind == 1 ? s
                                  : kind == 2 ? n - s
                                  : kind == 3 ? s / 5
                                              : random.below(keys);
        graph.keys.push_back(key);
    }
    add_initials(graph, random);
    return graph;
}

// The graph as a system; labels_of(model of its names) are its labels.
template <class LabelsOf>
std::shared_ptr<const successor::System> system_of(const RandomGraph& graph, LabelsOf labels_of) {
    successor::Description first;
    first.restart(true);
    graph.describe(graph.initial().front(), first);
    auto shared = std::make_shared<successor::CppShared<RandomGraph>>();
    shared->system = graph;
    shared->names = successor::Description::names_as_model(first);
    shared->own_progress = true;
    shared->labels = labels_of(*shared->names);
    return std::make_shared<successor::CppSystem<RandomGraph>>(shared);
}
inline std::shared_ptr<const successor::System> system_of(const RandomGraph& graph) {
    return system_of(graph, [](const model::Model& /*names*/) { return std::vector<model::Expression>(); });
}

// Divides a graph into blocks: no edge leads from one to an earlier one, and keys have the block above `bits` random
// bits. In half of the graphs more states become reachable.
inline RandomGraph in_blocks(RandomGraph graph, RandomNumbers random, unsigned bits) {
    const std::size_t n = graph.edges.size();
    const std::size_t blocks = 1 + random.below(6);
    const auto block_of = [&](std::size_t s) { return s * blocks / n; };
    const bool is_chain = random.chance(50);
    for (std::size_t s = 0; s < n; ++s) {
        if (is_chain && s + 1 < n) graph.edges[s].push_back(s + 1);
        graph.keys[s] = block_of(s) << bits | random.below(6);
        for (std::size_t& t : graph.edges[s])
            while (block_of(t) < block_of(s)) t = random.below(n);
    }
    return graph;
}

inline std::vector<std::uint64_t> blocks_of(const RandomGraph& graph, unsigned bits) {
    std::vector<std::uint64_t> blocks;
    for (const std::uint64_t key : graph.keys) blocks.push_back(key >> bits);
    return blocks;
}

}  // namespace tideline::differential
