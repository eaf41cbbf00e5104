#include "support/budget.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "support/memory.hpp"

namespace tideline::support {
namespace {

TEST(Budget, WithoutLimitsIsNeverExhausted) {
    const Budget budget;
    EXPECT_EQ(budget.exhausted(UINT64_MAX), StopReason::none);
    EXPECT_FALSE(budget.time_left());
    EXPECT_FALSE(budget.memory_left());
}

TEST(Budget, TimeCountsFromItsConstruction) {
    const Budget budget({.time = std::chrono::milliseconds(5)});
    while (!budget.is_exhausted()) std::this_thread::yield();
    EXPECT_EQ(budget.exhausted(), StopReason::time);
    EXPECT_EQ(budget.time_left(), std::chrono::nanoseconds(1));
    EXPECT_FALSE(Budget({.time = std::chrono::hours(1)}).is_exhausted());
}

TEST(Budget, MemoryIsTheLimitAndTheProgramsOwn) {
    const std::uint64_t now = anonymous_memory();
    ASSERT_LT(now, kProgramMemory);
    const Budget budget({.memory = std::uint64_t{64} << 20U});
    EXPECT_TRUE(budget.allows(std::uint64_t{32} << 20U));
    EXPECT_EQ(budget.exhausted(kProgramMemory + (std::uint64_t{64} << 20U)), StopReason::memory);
    EXPECT_FALSE(Budget({.memory = UINT64_MAX}).is_exhausted());
}

TEST(Budget, AnInterruptComesFirst) {
    std::atomic<bool> flag = false;
    const Budget budget({.time = std::chrono::nanoseconds(0)}, [&] { return flag.load(); });
    EXPECT_EQ(budget.exhausted(), StopReason::time);
    flag = true;
    EXPECT_EQ(budget.exhausted(), StopReason::interrupted);
}

TEST(BudgetPoll, AsksOnceAPeriodAndRemembersTheReason) {
    int asked = 0;
    const Budget budget({}, [&] { return ++asked >= 2; });
    BudgetPoll poll(budget, 10);
    for (int i = 0; i < 19; ++i) EXPECT_FALSE(poll.is_exhausted());
    EXPECT_TRUE(poll.is_exhausted());
    EXPECT_EQ(poll.reason(), StopReason::interrupted);
    EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace tideline::support
