// Small random DVE models that use every construct of the language, for comparing implementations with each other.
// The same seed and options give the same text everywhere. Most models have 5 to 2,000 reachable states.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tideline::differential {

struct RandomOptions {
    unsigned sync_percent = 12;      // models with `system sync`
    unsigned property_percent = 25;  // models with a property process
    unsigned fault_percent = 30;     // models with dangerous operations; many of them have faults
    int max_processes = 3;           // not counting the property process
};

struct RandomModel {
    std::string text;
    // Three conditions over global names, P.s and P->x (of processes other than the property), each operation in
    // parentheses; the first is usually true everywhere, the last usually false somewhere.
    std::vector<std::string> invariants;
};

[[nodiscard]] RandomModel random_model(std::uint64_t seed, const RandomOptions& options = {});

// Only the text of random_model().
[[nodiscard]] std::string random_dve_model(std::uint64_t seed, const RandomOptions& options = {});

}  // namespace tideline::differential
