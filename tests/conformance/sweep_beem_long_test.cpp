// Sweeps through BEEM against breadth-first search, instances of more than 100,000 states.
#include "tests/conformance/sweep_beem.hpp"

#include <gtest/gtest.h>

#include "tests/conformance/beem.hpp"

namespace tideline::conformance {
namespace {

constexpr std::uint64_t kSmall = 100'000;
constexpr std::uint64_t kLarge = 2'000'000;

TEST(SweepBeemLong, TheSweepDiscoversExactlyTheStatesOfBreadthFirstSearchInLargerInstances) {
    if (!shared_folder()) GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED tells where it is";
    const std::vector<SweepCase> cases = sweep_cases(kSmall, kLarge);
    EXPECT_FALSE(cases.empty());
    for (const SweepCase& row : cases) expect_same_states(row);
}

}  // namespace
}  // namespace tideline::conformance
