// A random explicit graph as a system written in C++.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "successor/cpp/cpp_system.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {

struct RandomGraph {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::uint64_t> keys;

    struct State {
        std::uint16_t number;
    };
    State initial() const { return {0}; }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        for (const std::size_t t : edges[s.number]) emit(State{static_cast<std::uint16_t>(t)}, "step");
    }
    void describe(const State& s, Description& d) const { d.value("state", s.number); }
    std::array<std::uint32_t, 1> progress(const State& s) const { return {static_cast<std::uint32_t>(keys[s.number])}; }
};

// Divides a graph into blocks: no edge leads from one to an earlier one, and keys have the block above `bits` random bits. In half of the
// graphs more states become reachable.
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
