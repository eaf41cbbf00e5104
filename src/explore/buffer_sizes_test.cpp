#include "explore/buffer_sizes.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

TEST(BufferSizes, SmallStatesHaveTheSizesThatAreFast) {
    const std::uint64_t bytes = buffer_bytes(std::nullopt, 1);
    EXPECT_EQ(buffer_sizes(Exchange::none, 8, bytes).chunk, 256U);
    EXPECT_EQ(buffer_sizes(Exchange::none, 8, bytes).successors, 1024U);
    EXPECT_EQ(buffer_sizes(Exchange::shared_tables, 8, bytes).chunk, 1024U);
    EXPECT_EQ(buffer_sizes(Exchange::shared_tables, 8, bytes).successors, 4096U);
    EXPECT_EQ(buffer_sizes(Exchange::by_owner, 8, bytes).chunk, 2048U);
    EXPECT_EQ(buffer_sizes(Exchange::by_owner, 8, bytes).successors, 8192U);
}

TEST(BufferSizes, AllBuffersOfAThreadFitItsBytesUnlessStatesAreHuge) {
    for (const Exchange exchange : {Exchange::none, Exchange::shared_tables, Exchange::by_owner}) {
        const std::uint64_t buffers = exchange == Exchange::by_owner ? 2 : 1;
        for (std::uint64_t state_bytes = 8; state_bytes <= 4096; state_bytes *= 2) {
            const BufferSizes sizes = buffer_sizes(exchange, state_bytes, kMegabyte);
            EXPECT_LE(buffers * (sizes.chunk * state_bytes + sizes.successors * (state_bytes + 48)), kMegabyte);
        }
    }
}

TEST(BufferSizes, HoldFourStatesHoweverLarge) {
    for (const Exchange exchange : {Exchange::none, Exchange::shared_tables, Exchange::by_owner}) {
        EXPECT_EQ(buffer_sizes(exchange, kMegabyte, 1000).chunk, 4U);
        EXPECT_EQ(buffer_sizes(exchange, kMegabyte, 1000).successors, 4U);
    }
}

TEST(BufferSizes, AllThreadsTogetherTakeASixteenthOfTheLimit) {
    EXPECT_EQ(buffer_bytes(16 * kMegabyte, 1), kMegabyte);
    EXPECT_EQ(buffer_bytes(16 * kMegabyte, 4), kMegabyte / 4);
    EXPECT_EQ(buffer_bytes(1024 * kMegabyte, 2), 4 * kMegabyte) << "more is not faster";
}

}  // namespace
}  // namespace tideline::explore
