#include "explore/ledger_paths.hpp"

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

TEST(LedgerPaths, LeadFromAnInitialStateOverParents) {
    sample::SampleLedger sample;
    // 50 -> 51 -> 53, 50 -> 52, by transitions of their own.
    const std::vector<std::uint8_t> bytes{50, 0, 51, 0, 52, 0, 53, 0};
    const std::vector<std::uint64_t> parents{0, 0, 0, 1};
    const std::vector<std::uint32_t> transitions{0, 4, 5, 6};
    sample.writer->append_states(0, 0, {4, bytes, parents, transitions, {}});
    LedgerPaths paths(sample.system, *sample.writer, LedgerPackings(*sample.writer, *sample.system), {});
    const support::Budget unlimited;
    const std::optional<PackedPath> path = paths.path_to(3, unlimited);
    ASSERT_TRUE(path);
    EXPECT_EQ(path->states, (std::vector<successor::Word>{50, 51, 53}));
    EXPECT_EQ(path->transitions, (std::vector<model::TransitionId>{4, 6}));
    EXPECT_EQ(paths.path_to(0, unlimited)->states, std::vector<successor::Word>{50});
    EXPECT_EQ(paths.path_to(2, unlimited)->transitions, std::vector<model::TransitionId>{5});
}

}  // namespace
}  // namespace tideline::explore
