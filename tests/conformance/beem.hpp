// The BEEM benchmark and the numbers known about it. Both lie in a folder of reference facts outside this tree, which
// is found through the variable TIDELINE_SHARED; where it is absent, the tests that need it are skipped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tideline::conformance {

struct BeemFact {
    std::string instance;
    std::filesystem::path model;
    std::uint64_t states = 0;
    std::optional<std::uint64_t> transitions;  // absent: not known
};

// From TIDELINE_SHARED, or the folder `shared` beside this source tree; nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> shared_folder();
[[nodiscard]] std::filesystem::path beem_folder();

// Reachable states of the instances whose model is there and that have more than `above` and at most `up_to` states.
[[nodiscard]] std::vector<BeemFact> beem_states(std::uint64_t above, std::uint64_t up_to);
// Likewise sizes of products with the property process, without rows that only one tool has confirmed.
[[nodiscard]] std::vector<BeemFact> beem_products(std::uint64_t above, std::uint64_t up_to);

// Explores the model of each with both searches; expects the numbers of the fact.
void expect_facts(const std::vector<BeemFact>& facts);

// Decides all property processes whose product has at most this number of states; expects the known verdicts, and runs
// that reference/ confirms. Returns how many were decided.
std::size_t expect_verdicts(std::uint64_t up_to);

}  // namespace tideline::conformance
