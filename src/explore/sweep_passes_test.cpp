#include "explore/sweep_passes.hpp"

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using sample::shape;
using successor::Key;
using successor::Word;
using Next = SweepPasses::Next;

class SweepPassesTest : public ::testing::Test {
protected:
    void open(PassQueue& queue, Key key) {
        const Word state = next_state_++;
        queue.open(0).insert(key, open_state(state));
    }
    [[nodiscard]] Next next(const SweepPasses& passes, Key current) const {
        return passes.next(this_pass_, next_pass_, current);
    }

    PassQueue this_pass_{1, shape(), false};
    PassQueue next_pass_{1, shape(), true};
    Word next_state_ = 0;
};

TEST_F(SweepPassesTest, APassEndsWhenNoLayerWaitsInIt) {
    const SweepPasses passes(0, std::nullopt, std::nullopt);
    EXPECT_EQ(next(passes, 0), Next::end);
    open(next_pass_, 1);
    EXPECT_EQ(next(passes, 4), Next::pass);
    open(this_pass_, 900);
    EXPECT_EQ(next(passes, 4), Next::layer) << "without blocks";
}

TEST_F(SweepPassesTest, ABlockIsFinishedBeforeTheNext) {
    const SweepPasses passes(0, 4, std::nullopt);
    open(this_pass_, 0x25);
    EXPECT_EQ(next(passes, 0x13), Next::layer) << "nothing is left of block 1";
    open(next_pass_, 0x11);
    EXPECT_EQ(next(passes, 0x13), Next::pass) << "block 1 has another pass";
    EXPECT_EQ(next(passes, 0x21), Next::layer) << "the next layer is of the same block";
}

TEST_F(SweepPassesTest, BlocksOfAllBitsAreOneBlock) {
    const SweepPasses passes(0, 128, std::nullopt);
    open(this_pass_, ~Key{0});
    open(next_pass_, 0);
    EXPECT_EQ(next(passes, 0), Next::layer);
}

TEST_F(SweepPassesTest, APassThatVisitsNoLayerDoesNotCount) {
    SweepPasses passes(3, std::nullopt, 0);
    passes.visit();
    EXPECT_TRUE(passes.begin(this_pass_, next_pass_));
    EXPECT_EQ(passes.number(), 4U);
    EXPECT_FALSE(passes.begin(this_pass_, next_pass_)) << "pass 4 has visited none";
    EXPECT_EQ(passes.number(), 4U);
    passes.visit();
    EXPECT_TRUE(passes.begin(this_pass_, next_pass_));
    EXPECT_EQ(passes.number(), 5U);
}

TEST_F(SweepPassesTest, ALayerIsDeferredUntilItsOpenStatesDoNotBecomeMore) {
    SweepPasses passes(0, std::nullopt, 100);
    EXPECT_FALSE(passes.may_defer(100));
    ASSERT_TRUE(passes.may_defer(1000));
    EXPECT_TRUE(passes.defers(7, 1000, 80));
    EXPECT_TRUE(passes.defers(7, 1000, 91));
    EXPECT_FALSE(passes.defers(7, 1000, 92)) << "too few more";
    EXPECT_TRUE(passes.defers(7, 1000, 80)) << "it begins again after a visit";
    EXPECT_FALSE(passes.defers(7, 1000, 600)) << "enough for a visit";
    EXPECT_TRUE(passes.defers(7, 1000, 10)) << "it has been visited";
    EXPECT_TRUE(passes.defers(8, 1000, 10)) << "another layer";
}

TEST_F(SweepPassesTest, WithoutALimitNoLayerIsDeferred) {
    EXPECT_FALSE(SweepPasses(0, std::nullopt, std::nullopt).may_defer(1'000'000));
}

}  // namespace
}  // namespace tideline::explore
