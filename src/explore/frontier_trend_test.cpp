#include "explore/frontier_trend.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(FrontierTrend, OpenStatesGiveAGeometricSeries) {
    // Half a new state for every expanded one.
    EXPECT_EQ(states_left({1000, 2000}, {3000, 3000}, 500), 1000);
    EXPECT_EQ(states_left({1000, 2000}, {3000, 2000}, 500), 500);
}

TEST(FrontierTrend, NothingIsSaidWhereItGrows) {
    EXPECT_EQ(states_left({1000, 2000}, {3000, 4000}, 500), std::nullopt);
    EXPECT_EQ(states_left({1000, 2000}, {1000, 2000}, 500), std::nullopt);
}

}  // namespace
}  // namespace tideline::explore
