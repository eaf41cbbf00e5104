// Sweeps through instances of the BEEM benchmark with the measures of scripts/beem_measures.csv, compared with a
// breadth-first search state by state. A sweep that deletes too early, or skips a root, misses states: counts alone do
// not show this when there are several sweeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideline::conformance {

struct SweepCase {
    std::string model;
    std::uint64_t states = 0;
    bool monotonic = false;
    std::string measure;
};

// The rows with more than `above` and at most `up_to` states.
[[nodiscard]] std::vector<SweepCase> sweep_cases(std::uint64_t above, std::uint64_t up_to);

// Expects that the sweep discovers the states of the breadth-first search, all of them and no others; where the measure
// is monotonic, in one sweep, each once, and with as many transitions.
void expect_same_states(const SweepCase& row);

}  // namespace tideline::conformance
