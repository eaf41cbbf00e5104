#include "explore/search_limits.hpp"

#include <gtest/gtest.h>

#include "support/memory.hpp"

namespace tideline::explore {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

TEST(SearchLimits, WithoutLimitsEverythingIsAllowed) {
    const support::Budget budget;
    SearchLimits limits(budget, true);
    EXPECT_TRUE(limits.memory_budget()(std::uint64_t{1} << 60U));
    EXPECT_FALSE(limits.memory_pressure());
    EXPECT_FALSE(limits.needs_relief());
    EXPECT_FALSE(limits.is_memory_exceeded());
    EXPECT_EQ(limits.overdraft(), 0U);
    EXPECT_FALSE(limits.is_past_deadline(SearchLimits::Clock::now() + std::chrono::hours(1000)));
}

TEST(SearchLimits, AskingForTheReserveIsPressureBeforeTheLimitIsReached) {
    const support::Budget budget({.memory = 640 * kMegabyte});
    SearchLimits limits(budget, true);
    EXPECT_TRUE(limits.try_reserve(100 * kMegabyte));
    EXPECT_FALSE(limits.memory_pressure());
    EXPECT_TRUE(limits.try_reserve(610 * kMegabyte));
    EXPECT_TRUE(limits.memory_pressure()) << "a sixteenth is the reserve";
    EXPECT_TRUE(limits.needs_relief());
    EXPECT_EQ(limits.relief_bytes(), 64 * kMegabyte);
    EXPECT_TRUE(limits.is_relieved()) << "it was asked for, not taken";
    limits.clear_memory_pressure();
    EXPECT_FALSE(limits.needs_relief());
    EXPECT_FALSE(limits.try_reserve(800 * kMegabyte));
}

TEST(SearchLimits, OnlyWalksThatGiveMemoryBackMayOverdraw) {
    const support::Budget budget({.memory = 100 * kMegabyte});
    EXPECT_EQ(SearchLimits(budget, true).overdraft(), 10 * kMegabyte);
    SearchLimits strict(budget, false);
    EXPECT_EQ(strict.overdraft(), 0U);
    EXPECT_FALSE(strict.try_reserve(101 * kMegabyte));
    const support::Budget large({.memory = 1000 * kMegabyte});
    EXPECT_EQ(SearchLimits(large, true).overdraft(), 16 * kMegabyte);
}

TEST(SearchLimits, TheDeadlineIsThatOfTheBudget) {
    const support::Budget budget({.time = std::chrono::seconds(5)});
    const SearchLimits limits(budget, false);
    EXPECT_FALSE(limits.is_past_deadline(limits.start()));
    EXPECT_FALSE(limits.is_past_deadline(limits.start() + std::chrono::seconds(4)));
    EXPECT_TRUE(limits.is_past_deadline(limits.start() + std::chrono::seconds(5)));
}

TEST(SearchLimits, TicksComeTenTimesASecond) {
    const support::Budget budget;
    SearchLimits limits(budget, false);
    const SearchLimits::Clock::time_point first = limits.start() + std::chrono::milliseconds(100);
    EXPECT_FALSE(limits.is_tick_due(first - std::chrono::milliseconds(1)));
    EXPECT_TRUE(limits.is_tick_due(first));
    limits.start_next_tick(first);
    EXPECT_FALSE(limits.is_tick_due(first + std::chrono::milliseconds(99)));
    EXPECT_TRUE(limits.is_tick_due(first + std::chrono::milliseconds(100)));
}

TEST(SearchLimits, MemoryIsLookedAtEveryFewMilliseconds) {
    const support::Budget budget;
    SearchLimits limits(budget, false);
    const SearchLimits::Clock::time_point now = limits.start();
    EXPECT_TRUE(limits.is_memory_check_due(now));
    EXPECT_FALSE(limits.is_memory_check_due(now + std::chrono::milliseconds(4)));
    EXPECT_TRUE(limits.is_memory_check_due(now + std::chrono::milliseconds(5)));
}

TEST(SearchLimits, SaysWhyASearchMustStop) {
    using namespace std::chrono_literals;
    bool interrupted = false;
    const support::Budget budget({.time = 5s}, [&] { return interrupted; });
    SearchLimits limits(budget, false);
    EXPECT_EQ(limits.exhausted(limits.start()), support::StopReason::none);
    interrupted = true;
    EXPECT_EQ(limits.exhausted(limits.start() + 50ms), support::StopReason::none)
        << "interrupts are looked at with the ticks";
    EXPECT_EQ(limits.exhausted(limits.start() + 100ms), support::StopReason::interrupted);
    EXPECT_EQ(limits.exhausted(limits.start() + 5s), support::StopReason::time);
}

TEST(SearchLimits, KnowsHowLongAgoItWasLookedAt) {
    const support::Budget budget;
    SearchLimits limits(budget, false);
    const SearchLimits::Clock::time_point start = limits.start();
    EXPECT_EQ(limits.since_last_check(start + std::chrono::milliseconds(7)), std::chrono::milliseconds(7));
    EXPECT_EQ(limits.since_last_check(start + std::chrono::milliseconds(10)), std::chrono::milliseconds(3));
    limits.request_check();
    EXPECT_TRUE(limits.is_check_requested());
    limits.clear_check_request();
    EXPECT_FALSE(limits.is_check_requested());
}

}  // namespace
}  // namespace tideline::explore
