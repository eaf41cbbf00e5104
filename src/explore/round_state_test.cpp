#include "explore/round_state.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(RoundState, ASearchBeginsByExpanding) {
    const RoundControl control;
    EXPECT_EQ(control.state(), RoundState::expanding);
    EXPECT_TRUE(control.pops());
    EXPECT_TRUE(control.expands());
    EXPECT_FALSE(control.finished());
}

TEST(RoundState, NothingIsPoppedUntilACheckpointIsMade) {
    RoundControl control;
    control.request_quiescence();
    EXPECT_EQ(control.state(), RoundState::quiescing);
    EXPECT_FALSE(control.pops());
    EXPECT_TRUE(control.expands());
    control.request_quiescence();
    EXPECT_EQ(control.state(), RoundState::quiescing);
    control.end_quiescence();
    EXPECT_EQ(control.state(), RoundState::expanding);
    EXPECT_FALSE(control.is_quiescence_requested());
}

TEST(RoundState, WhileBatchesAreDrainedNothingIsExpanded) {
    RoundControl control;
    control.begin_drain();
    EXPECT_EQ(control.state(), RoundState::draining);
    EXPECT_FALSE(control.pops());
    EXPECT_FALSE(control.expands());
    control.end_drain();
    EXPECT_EQ(control.state(), RoundState::expanding);
}

TEST(RoundState, ARequestForACheckpointOutlivesADrain) {
    RoundControl before;
    before.request_quiescence();
    before.begin_drain();
    EXPECT_TRUE(before.is_quiescence_requested());
    before.end_drain();
    EXPECT_EQ(before.state(), RoundState::quiescing);
    RoundControl meanwhile;
    meanwhile.begin_drain();
    meanwhile.request_quiescence();
    EXPECT_EQ(meanwhile.state(), RoundState::draining);
    meanwhile.end_drain();
    EXPECT_EQ(meanwhile.state(), RoundState::quiescing);
}

TEST(RoundState, NothingLeadsBackFromTheEnd) {
    RoundControl control;
    control.finish();
    control.request_quiescence();
    EXPECT_EQ(control.state(), RoundState::finished);
    control.end_quiescence();
    EXPECT_EQ(control.state(), RoundState::finished);
    EXPECT_FALSE(control.pops());
    EXPECT_FALSE(control.expands());
}

TEST(RoundState, EveryStateHasAName) {
    for (const RoundState state :
         {RoundState::expanding, RoundState::quiescing, RoundState::draining, RoundState::finished})
        EXPECT_NE(to_string(state), "unknown");
}

using RoundStateDeathTest = testing::Test;
TEST(RoundStateDeathTest, ADrainBeginsOnce) {
    RoundControl control;
    control.begin_drain();
    EXPECT_DEATH(control.begin_drain(), "expands");
}

}  // namespace
}  // namespace tideline::explore
