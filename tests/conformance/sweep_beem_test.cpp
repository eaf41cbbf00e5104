// Sweeps through BEEM against breadth-first search, instances up to 100,000 states; sweep_beem_long_test.cpp has the
// larger ones.
#include "tests/conformance/sweep_beem.hpp"

#include <gtest/gtest.h>

#include "tests/conformance/beem.hpp"

namespace tideline::conformance {
namespace {

constexpr std::uint64_t kSmall = 100'000;

TEST(SweepBeem, TheSweepDiscoversExactlyTheStatesOfBreadthFirstSearchInSmallInstances) {
    if (!shared_folder()) GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED tells where it is";
    const std::vector<SweepCase> cases = sweep_cases(0, kSmall);
    EXPECT_FALSE(cases.empty());
    for (const SweepCase& row : cases) expect_same_states(row);
}

TEST(SweepBeem, TheTableAgreesWithTheKnownNumbersOfStates) {
    if (!shared_folder()) GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED tells where it is";
    const std::vector<BeemFact> facts = beem_states(0, UINT64_MAX);
    std::size_t known = 0;
    for (const SweepCase& row : sweep_cases(0, UINT64_MAX)) {
        for (const BeemFact& fact : facts) {
            if (fact.instance != row.model) continue;
            ++known;
            EXPECT_EQ(row.states, fact.states) << row.model;
        }
    }
    EXPECT_GE(known, 24u);
}

}  // namespace
}  // namespace tideline::conformance
