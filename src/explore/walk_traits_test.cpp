#include "explore/walk_traits.hpp"

#include <gtest/gtest.h>

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/exact_sweep.hpp"
#include "explore/joint_breadth_first.hpp"
#include "explore/sweep.hpp"

namespace tideline::explore {
namespace {

using Plain = BreadthFirst<PlainVisitedStates>;

TEST(WalkTraits, SayWhatTheSearchMayExpectOfEachWalk) {
    EXPECT_TRUE(Plain::kTraits.in_discovery_order() && Plain::kTraits.by_levels() && Plain::kTraits.uses_sleep_sets());
    EXPECT_FALSE(Plain::kTraits.forgets() || Plain::kTraits.records() || Plain::kTraits.shared_tables);
    EXPECT_TRUE(DepthFirst::kTraits.discovers_on_pop());
    EXPECT_FALSE(DepthFirst::kTraits.uses_sleep_sets() || DepthFirst::kTraits.in_discovery_order())
        << "what sleeps must be expanded in the order of discovery";
    EXPECT_TRUE(Sweep::kTraits.forgets());
    EXPECT_FALSE(Sweep::kTraits.records() || Sweep::kTraits.by_levels());
    EXPECT_TRUE(ExactSweep::kTraits.records());
    EXPECT_FALSE(ExactSweep::kTraits.forgets() || ExactSweep::kTraits.in_discovery_order());
}

}  // namespace
}  // namespace tideline::explore
