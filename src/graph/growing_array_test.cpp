#include "graph/growing_array.hpp"

#include <new>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::graph {
namespace {

// Nobody is asked for a page: an array of eight pages grows by less.
constexpr std::uint64_t kUnasked = 9 * 4096;

// Grants `left` bytes, and writes down what it was asked for.
struct Grants {
    std::uint64_t left = ~std::uint64_t{0};
    std::vector<std::uint64_t> asked{};
    store::MemoryBudget try_reserve = [this](std::uint64_t bytes) {
        asked.push_back(bytes);
        if (bytes > left) return false;
        left -= bytes;
        return true;
    };
};

TEST(GrowingArray, KeepsWhatWasAppendedWhileItGrows) {
    GrowingArray<std::uint32_t> array;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t n = 0; expected.size() < 100'000; ++n) {
        std::vector<std::uint32_t> more(n % 700);
        std::iota(more.begin(), more.end(), n * 1000);
        array.append(more, nullptr);
        expected.insert(expected.end(), more.begin(), more.end());
        array.push(n, nullptr);
        expected.push_back(n);
    }
    ASSERT_EQ(array.size(), expected.size());
    EXPECT_EQ(array.bytes(), expected.size() * sizeof(std::uint32_t));
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), array.data()));
}

TEST(GrowingArray, WhatIsAddedByResizeIsZero) {
    GrowingArray<std::uint64_t> array;
    array.resize(5000, nullptr);
    for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_EQ(array[i], 0U);
    array[4999] = 7;
    array.resize(90'000, nullptr);
    EXPECT_EQ(array[4999], 7U);
    for (std::uint64_t i = 5000; i < 90'000; ++i) ASSERT_EQ(array[i], 0U);
}

TEST(GrowingArray, TruncatingKeepsTheBeginning) {
    GrowingArray<std::uint8_t> array;
    for (std::uint8_t n = 0; n < 100; ++n) array.push(n, nullptr);
    array.truncate(3);
    EXPECT_EQ(array.size(), 3U);
    array.push(50, nullptr);
    EXPECT_EQ(std::vector<std::uint8_t>(array.data(), array.data() + array.size()),
              (std::vector<std::uint8_t>{0, 1, 2, 50}));
}

TEST(GrowingArray, AskingIsRareAndCoversWhatIsUsed) {
    Grants grants;
    GrowingArray<std::uint64_t> array;
    for (std::uint64_t i = 0; i < 200'000; ++i) array.push(i, &grants.try_reserve);
    const std::uint64_t granted = std::accumulate(grants.asked.begin(), grants.asked.end(), std::uint64_t{0});
    EXPECT_GE(granted + kUnasked, array.bytes());
    EXPECT_LE(granted, array.bytes() * 5 / 4);
    EXPECT_LT(grants.asked.size(), 100U);
}

TEST(GrowingArray, WhereTheBudgetHasNoMemoryNothingChanges) {
    Grants grants{.left = 100'000};
    GrowingArray<std::uint64_t> array;
    std::uint64_t count = 0;
    EXPECT_THROW(for (; count < 1'000'000; ++count) array.push(count, &grants.try_reserve), std::bad_alloc);
    ASSERT_EQ(array.size(), count);
    EXPECT_LE(array.bytes(), 100'000 + kUnasked);
    for (std::uint64_t i = 0; i < count; ++i) ASSERT_EQ(array[i], i);
    EXPECT_THROW(array.resize(2'000'000, &grants.try_reserve), std::bad_alloc);
    EXPECT_EQ(array.size(), count);
    grants.left = ~std::uint64_t{0};
    array.push(count, &grants.try_reserve);
    EXPECT_EQ(array[count], count) << "it goes on where there is memory again";
}

TEST(GrowingArray, AReaderMayLoadPastItsEnd) {
    for (const std::uint64_t size : {1U, 4096U, 4097U, 65536U}) {
        GrowingArray<std::uint8_t> array;
        for (std::uint64_t i = 0; i < size; ++i) array.push(1, nullptr);
        unsigned sum = 0;
        for (std::uint64_t i = 0; i < kReadSlack; ++i) sum += array.data()[size + i];
        EXPECT_EQ(sum, 0U) << size;
    }
}

}  // namespace
}  // namespace tideline::graph
