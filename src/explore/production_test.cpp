#include "explore/production.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(OwnedEntries, AreThoseBetweenTheEndsOfTheirThreads) {
    const OwnedEntries owned{{4, 7, 1, 2, 9, 3}, {2, 2, 5}};  // the last entry has a fault
    const auto of = [&](std::size_t thread) {
        const std::span<const std::uint32_t> entries = owned.of(thread);
        return std::vector<std::uint32_t>(entries.begin(), entries.end());
    };
    EXPECT_EQ(of(0), (std::vector<std::uint32_t>{4, 7}));
    EXPECT_TRUE(of(1).empty());
    EXPECT_EQ(of(2), (std::vector<std::uint32_t>{1, 2, 9}));
}

TEST(Production, NumbersSourcesConsecutivelyUnlessTheyHaveNumbers) {
    Production production(2, 16);
    const std::vector<successor::Word> sources{1, 2, 3, 4};
    production.sources = sources.data();
    EXPECT_EQ(*production.source(1), 3U);
    production.first_number = 40;
    EXPECT_EQ(production.number(2), 42U);
    const std::vector<StateNumber> numbers{9, 5};
    production.numbers = numbers.data();
    EXPECT_EQ(production.number(1), 5U);
}

}  // namespace
}  // namespace tideline::explore
