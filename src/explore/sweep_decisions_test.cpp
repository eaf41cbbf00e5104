#include "explore/sweep_decisions.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(SweepDecisions, ALayerIsStreamedWhileAtMostHalfAsManyStatesAreOpenAsWereVisited) {
    EXPECT_TRUE(is_worth_streaming(2000, 1000));
    EXPECT_FALSE(is_worth_streaming(2000, 1001));
    EXPECT_TRUE(is_worth_streaming(2000, 0));
}

TEST(SweepDecisions, ALayerIsDeferredWhileFewStatesAreOpenAndTheyBecomeAnEighthMore) {
    EXPECT_TRUE(is_worth_deferring(1000, 499, std::nullopt));
    EXPECT_FALSE(is_worth_deferring(1000, 500, std::nullopt)) << "half as many are enough for a visit";
    EXPECT_TRUE(is_worth_deferring(1000, 91, 80));
    EXPECT_FALSE(is_worth_deferring(1000, 90, 80)) << "an eighth more than 80 is 90";
    EXPECT_FALSE(is_worth_deferring(1000, 80, 80));
}

TEST(SweepDecisions, TheSlicesOfALayerComeInTurn) {
    EXPECT_EQ(slice_after(0, 0, false), 0U) << "a layer that is not split is one slice";
    EXPECT_EQ(slice_after(0, 2, false), 1U);
    EXPECT_EQ(slice_after(3, 2, false), 0U);
    EXPECT_EQ(slice_after(2, 2, true), 0U) << "a layer that has just been split finer begins again";
    EXPECT_EQ(slice_after(kNoSlice, 3, false), 0U);
}

TEST(SweepDecisions, AllSlicesAreABitEach) {
    EXPECT_EQ(all_slices(0), 1U);
    EXPECT_EQ(all_slices(1), 3U);
    EXPECT_EQ(all_slices(3), 255U);
    EXPECT_EQ(all_slices(kMostSplitBits), ~std::uint64_t{0});
}

TEST(SweepDecisions, ASliceNeedsItsPartOfTheMemoryOfALayer) {
    const LoadFigures layer{.visited = 6400, .open = 640, .state_bytes = 8};
    // Entries of 8 bytes in a table that is two thirds full, and for open states the log.
    EXPECT_EQ(bytes_to_load(layer), 6400 * 12 + 640 * (12 + 8 + 10));
    LoadFigures slice = layer;
    slice.split_bits = 3;
    EXPECT_EQ(bytes_to_load(slice), bytes_to_load(layer) / 8);
}

TEST(SweepDecisions, AStreamedLayerNeedsAByteOfAVisitedState) {
    EXPECT_EQ(bytes_to_load({.visited = 1000, .state_bytes = 32, .is_streamed = true}), 1000U);
    EXPECT_EQ(bytes_to_load({.visited = 1000, .state_bytes = 32}), 60000U) << "40 bytes per state, two thirds full";
}

TEST(SweepDecisions, NumbersTakeTwentyBytesMore) {
    const LoadFigures plain{.visited = 100, .state_bytes = 4};
    LoadFigures numbered = plain;
    numbered.is_numbered = true;
    EXPECT_EQ(bytes_to_load(numbered), bytes_to_load(plain) + 2000);
}

TEST(SweepDecisions, SmallLayersShareABatchUnlessTheirStatesHaveNumbers) {
    EXPECT_TRUE(goes_into_mixed_batch(kMixedBatchStates - 1, false));
    EXPECT_FALSE(goes_into_mixed_batch(kMixedBatchStates, false));
    EXPECT_FALSE(goes_into_mixed_batch(1, true));
    EXPECT_TRUE(has_too_many_batches(kManyBatches + 1, false));
    EXPECT_FALSE(has_too_many_batches(kManyBatches, false));
    EXPECT_FALSE(has_too_many_batches(kManyBatches + 1, true));
}

TEST(SweepDecisions, SmallLayersAreSpilledLastWhereTheyCannotShareABatch) {
    const auto rounds = [](bool is_numbered) {
        const std::span<const std::uint64_t> all = spill_rounds(is_numbered);
        return std::vector(all.begin(), all.end());
    };
    EXPECT_EQ(rounds(true), (std::vector<std::uint64_t>{1024, 64, 0}));
    EXPECT_EQ(rounds(false), (std::vector<std::uint64_t>{0}));
}

TEST(SweepDecisions, EstimatesAreProportionalToTheStates) {
    EXPECT_EQ(bytes_of_open_states(10, 5), 300U);
    EXPECT_EQ(bytes_to_repack(10, 8), 480U);
}

}  // namespace
}  // namespace tideline::explore
