#include "explore/owner.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(Owner, EveryHashBelongsToOneOfThePartitions) {
    std::mt19937_64 random(1);
    for (std::size_t partitions = 1; partitions <= 9; ++partitions) {
        const Owner owner(partitions);
        EXPECT_EQ(owner(0), 0U);
        EXPECT_EQ(owner(~std::uint64_t{0}), partitions - 1);
        for (int i = 0; i < 1000; ++i) EXPECT_LT(owner(random()), partitions);
    }
}

TEST(Owner, PartitionsGetEqualParts) {
    std::mt19937_64 random(2);
    const Owner owner(7);
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i) ++counts[owner(random())];
    for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(Owner, TheUpperHalfByWhichTablesPlaceStatesDoesNotMatter) {
    std::mt19937_64 random(3);
    const Owner owner(5);
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t hash = random();
        EXPECT_EQ(owner(hash), owner(hash ^ (random() << 32U)));
    }
}

}  // namespace
}  // namespace tideline::explore
