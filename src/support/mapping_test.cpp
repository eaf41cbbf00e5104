#include "support/mapping.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <gtest/gtest.h>

namespace tideline {
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

TEST(Mapping, WhatTheSystemRefusesIsThrown) {
    EXPECT_THROW(Mapping(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace
}  // namespace tideline
