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

}  // namespace tideline::differential
