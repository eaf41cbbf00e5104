#include "store/compact_set.hpp"

#include <algorithm>
#include <random>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

using Values = std::unordered_set<std::uint64_t>;

Values contents(const CompactSet& set) {
    Values result;
    set.for_each([&](std::uint64_t value) { EXPECT_TRUE(result.insert(value).second) << value; });
    return result;
}

class CompactSetTest : public testing::TestWithParam<unsigned> {
protected:
    std::uint64_t random_value() { return random_() & low_bits(GetParam()); }

    std::mt19937_64 random_{GetParam()};
};

TEST_P(CompactSetTest, HoldsWhatWasInsertedAndNothingElse) {
    CompactSet set(GetParam());
    Values expected;
    EXPECT_FALSE(set.contains(0));
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t value = random_value();
        ASSERT_EQ(set.contains(value), expected.contains(value));
        ASSERT_EQ(set.insert(value), expected.insert(value).second);
        ASSERT_TRUE(set.contains(value));
        // Its neighbours differ in one bit.
        const std::uint64_t other = value ^ std::uint64_t{1} << random_() % GetParam();
        ASSERT_EQ(set.contains(other), expected.contains(other));
    }
    EXPECT_EQ(set.size(), expected.size());
    EXPECT_EQ(contents(set), expected);
    for (const std::uint64_t value : expected) ASSERT_FALSE(set.insert(value));
}

INSTANTIATE_TEST_SUITE_P(Bits, CompactSetTest, testing::Range(1U, 65U));

// Values that are not random at all: counters, multiples of powers of two and of odd numbers, pairs of counters.
void expect_regular_values_small(unsigned bits, std::mt19937_64& random) {
    constexpr std::uint64_t kCount = 10000;
    CompactSet random_set(bits);
    while (random_set.size() < kCount) random_set.insert(random() & low_bits(bits));
    const auto expect_small = [&](const char* name, const auto& value_of) {
        CompactSet set(bits);
        for (std::uint64_t i = 0; i < kCount; ++i)
            ASSERT_TRUE(set.insert(value_of(i) & low_bits(bits))) << name << ' ' << i;
        EXPECT_LE(set.bytes(), random_set.bytes() + random_set.bytes() / 2) << name;
    };
    expect_small("counter", [](std::uint64_t i) { return i; });
    expect_small("upper bits", [&](std::uint64_t i) { return i << (bits - 14); });
    expect_small("odd multiples", [](std::uint64_t i) { return i * 12345; });
    expect_small("downwards", [](std::uint64_t i) { return ~i; });
    expect_small("pairs", [&](std::uint64_t i) { return (i / 173) << (bits / 2) | i % 173; });
}

TEST(CompactSet, RegularValuesTakeLittleMoreThanRandomOnes) {
    std::mt19937_64 random(1);
    for (unsigned bits = 17; bits <= 64; ++bits) expect_regular_values_small(bits, random);
}

TEST(CompactSet, HoldsAllValuesOfASmallDomain) {
    for (unsigned bits = 1; bits <= 16; ++bits) {
        const std::uint64_t count = std::uint64_t{1} << bits;
        CompactSet set(bits);
        for (std::uint64_t value = count; value-- > 0;) ASSERT_TRUE(set.insert(value));
        for (std::uint64_t value = 0; value < count; ++value) ASSERT_FALSE(set.insert(value));
        EXPECT_EQ(set.size(), count);
        EXPECT_EQ(contents(set).size(), count);
        EXPECT_LE(set.bytes(), count / 8 + 64);
    }
}

TEST(CompactSet, TakesFewBitsMoreThanTheTableLeavesOver) {
    // A set of n of 2^40 values cannot do with less than 40 - log2(n) + 1.4 bits a value.
    std::mt19937_64 random(1);
    CompactSet set(40);
    for (const std::uint64_t count : {1000U, 10000U, 100000U, 1000000U}) {
        while (set.size() < count) set.insert(random() & low_bits(40));
        const double bits = 8.0 * static_cast<double>(set.bytes()) / static_cast<double>(count);
        const double left_over = 40 - static_cast<double>(std::bit_width(count));
        EXPECT_LE(bits, (left_over + 9) * 1.5) << count;
    }
}

TEST(CompactSet, StartsAsLargeAsAskedAndEmptyForNothing) {
    CompactSet small(40);
    CompactSet large(40, 10000);
    EXPECT_EQ(small.bytes(), 0U);
    EXPECT_EQ(large.bytes(), 0U);
    small.insert(1);
    large.insert(1);
    EXPECT_LT(small.bytes(), 1000U);
    EXPECT_GT(large.bytes(), 30000U);
}

TEST(CompactSet, ChangesAllValuesToMoreBits) {
    std::mt19937_64 random(2);
    for (unsigned bits = 1; bits < 60; ++bits) {
        for (unsigned more = 1; more <= 4; ++more) {
            CompactSet set(bits);
            Values expected;
            for (int i = 0; i < 500; ++i) {
                const std::uint64_t value = random() & low_bits(bits);
                set.insert(value);
                expected.insert(value << more | 1);
            }
            CompactSet wider = set.changed(bits + more, [&](std::uint64_t value) { return value << more | 1; });
            ASSERT_EQ(contents(wider), expected);
            ASSERT_EQ(wider.size(), expected.size());
            ASSERT_TRUE(wider.insert(0));
            ASSERT_EQ(contents(set).size(), expected.size());
        }
    }
}

}  // namespace
}  // namespace tideline::store
