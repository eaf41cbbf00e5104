// For tests: random states of any size, and a budget without limits.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "store/state_table.hpp"
#include "successor/system.hpp"

namespace tideline::store::sample {

using State = std::vector<successor::Word>;

inline const MemoryBudget always = [](std::uint64_t) { return true; };

inline State random_state(std::size_t bytes, std::uint64_t which) {
    State state((bytes + 7) / 8);
    std::mt19937_64 random(which);
    for (successor::Word& word : state) word = random();
    if (bytes % 8 != 0) state.back() &= (successor::Word{1} << (bytes % 8 * 8)) - 1;
    return state;
}

inline std::uint64_t hash_of(const State& state) { return successor::hash_state(state.data(), state.size()); }

}  // namespace tideline::store::sample
