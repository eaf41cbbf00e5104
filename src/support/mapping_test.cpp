#include "support/mapping.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

TEST(Mapping, IsZeroAndWritable) {
    Mapping mapping(10000);
    EXPECT_EQ(mapping.bytes(), 10000U);
    EXPECT_TRUE(std::all_of(mapping.data(), mapping.data() + 10000, [](std::byte b) { return b == std::byte{0}; }));
    mapping.data()[9999] = std::byte{1};
    EXPECT_EQ(mapping.data()[9999], std::byte{1});
}

TEST(Mapping, MovingLeavesAnEmptyOneBehind) {
    Mapping first(100);
    const std::byte* place = first.data();
    Mapping second = std::move(first);
    EXPECT_EQ(second.data(), place);
    Mapping third;
    EXPECT_EQ(third.data(), nullptr);
    EXPECT_EQ(third.bytes(), 0U);
    third = std::move(second);
    EXPECT_EQ(third.data(), place);
    EXPECT_EQ(third.bytes(), 100U);
}

TEST(Mapping, GrowingKeepsTheContentsAndAddsZeroes) {
    Mapping mapping;
    std::size_t filled = 0;
    for (const std::size_t bytes : {1U, 100U, 100U, 50U, 65535U, 65536U, 70001U, 3000000U}) {
        mapping.grow(bytes);
        ASSERT_EQ(mapping.bytes(), std::max<std::size_t>(filled, bytes));
        for (std::size_t i = 0; i < mapping.bytes(); ++i) {
            ASSERT_EQ(mapping.data()[i], i < filled ? static_cast<std::byte>(i % 251 + 1) : std::byte{0}) << i;
            mapping.data()[i] = static_cast<std::byte>(i % 251 + 1);
        }
        filled = mapping.bytes();
    }
}

// Pieces that together take most of the addresses: none may have a reserve. In a child process, so that the limit ends
// with it.
TEST(Mapping, HasNoReserveWhereAddressesAreLimited) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const auto grow_all = [] {
        constexpr std::size_t kBytes = std::size_t{64} << 20U;
        constexpr rlim_t kProgram = rlim_t{2} << 30U;  // has more than enough
        rlimit limit{};
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = kProgram;
        setrlimit(RLIMIT_AS, &limit);
        std::vector<Mapping> pieces(12);
        for (Mapping& piece : pieces) piece.grow(kBytes);
        for (Mapping& piece : pieces) piece.grow(2 * kBytes);
        std::_Exit(0);
    };
    EXPECT_EXIT(grow_all(), testing::ExitedWithCode(0), "");
#endif
}

TEST(Mapping, WhatTheSystemRefusesIsThrown) {
    EXPECT_THROW(Mapping(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace
}  // namespace tideline::support
