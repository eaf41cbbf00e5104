#include "explore/checkpoint_estimate.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

constexpr std::uint64_t kRecords = 256 * 64;
constexpr std::uint64_t kFrames = 128 << 10;
constexpr std::uint64_t kGivenToOpenFrames = 512 << 10;

TEST(CheckpointEstimate, CountsRecordsInFullBeforeAnythingIsKnownOfTheirCompression) {
    CheckpointEstimate estimate(1000);
    EXPECT_EQ(estimate.bytes(0, 0), kRecords);
    EXPECT_EQ(estimate.bytes(500, 10), kRecords + 500 + 640);
    estimate.note_given(300);
    EXPECT_EQ(estimate.bytes(0, 0), kRecords + 300 + 300) << "what was given may be in a frame that is open";
}

TEST(CheckpointEstimate, CountsWhatIsNotWrittenByTwiceItsCompressionSoFar) {
    CheckpointEstimate estimate(1000);
    estimate.note_given(1'000'000 + kGivenToOpenFrames);
    estimate.note_written(1000 + 100'000);
    EXPECT_EQ(estimate.bytes(0, 0), kRecords + kFrames / 5);
    EXPECT_EQ(estimate.bytes(1000, 0), kRecords + (kFrames + 1000) / 5);
    estimate.note_given(5000);
    EXPECT_EQ(estimate.bytes(0, 0), kRecords + (kFrames + 5000) / 5);
}

// 300,000 bytes of which a frame of 10,000 has been written, as if they had been compressed to a thirtieth.
TEST(CheckpointEstimate, KnowsNothingOfCompressionWhileFramesMayBeOpen) {
    CheckpointEstimate estimate(0);
    estimate.note_given(300'000);
    estimate.note_written(10'000);
    EXPECT_EQ(estimate.bytes(50'000, 0), kRecords + kFrames + 50'000);
}

TEST(CheckpointEstimate, NeverCountsMoreThanTheRecords) {
    CheckpointEstimate estimate(0);
    estimate.note_given(1000);
    estimate.note_written(900);
    EXPECT_EQ(estimate.bytes(100, 0), kRecords + 1000 + 100);
}

}  // namespace
}  // namespace tideline::explore
