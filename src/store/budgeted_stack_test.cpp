#include "store/budgeted_stack.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "store/packed_number.hpp"

namespace tideline::store {
namespace {

TEST(BudgetedStack, HoldsWhatAVectorHolds) {
    const MemoryBudget always = [](std::uint64_t) { return true; };
    BudgetedStack<PackedNumber> stack(always);
    std::vector<std::uint64_t> expected;
    std::mt19937_64 random(1);
    for (int round = 0; round < 3000; ++round) {
        const std::size_t count = random() % 200;
        switch (random() % 4) {
            case 0:
            case 1:
                stack.reserve_more(count);
                for (std::size_t i = 0; i < count; ++i) {
                    expected.push_back(random() & PackedNumber::kMost);
                    if (i % 2 == 0) stack.push_reserved(PackedNumber(expected.back()));
                    else stack.push_back(PackedNumber(expected.back()));
                }
                break;
            case 2:
                for (std::size_t i = 0; i < std::min(count, expected.size()) / 2; ++i) {
                    ASSERT_EQ(stack.back(), expected.back());
                    stack.pop_back();
                    expected.pop_back();
                }
                break;
            default:
                expected.resize(expected.size() - std::min(expected.size(), count));
                stack.truncate(expected.size());
        }
        ASSERT_EQ(stack.size(), expected.size());
        ASSERT_EQ(stack.empty(), expected.empty());
    }
    ASSERT_GT(expected.size(), 10'000U);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(stack[i], expected[i]);
    stack.release();
    EXPECT_TRUE(stack.empty());
    stack.push_back(PackedNumber(7));
    EXPECT_EQ(stack.back(), 7U);
}

TEST(BudgetedStack, AsksBeforeItGrowsAndStaysAsItWasWhereItMayNot) {
    std::uint64_t left = std::uint64_t{3} << 20U;
    const MemoryBudget limited = [&](std::uint64_t bytes) {
        if (bytes > left) return false;
        left -= bytes;
        return true;
    };
    BudgetedStack<std::uint64_t> stack(limited);
    std::uint64_t pushed = 0;
    EXPECT_THROW(
        {
            for (;; ++pushed) stack.push_back(pushed);
        },
        std::bad_alloc);
    EXPECT_GE(pushed * sizeof(std::uint64_t), std::uint64_t{2} << 20U);
    EXPECT_LE(pushed * sizeof(std::uint64_t), std::uint64_t{4} << 20U);
    EXPECT_EQ(stack.size(), pushed);
    for (std::uint64_t i = 0; i < pushed; ++i) ASSERT_EQ(stack[i], i);
}

}  // namespace
}  // namespace tideline::store
