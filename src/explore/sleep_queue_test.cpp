#include "explore/sleep_queue.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::explore {
namespace {

// As many classes as counters that commute with each other.
successor::Commuting counters(unsigned count) {
    using namespace model::examples;
    model::Model model;
    for (unsigned i = 0; i < count; ++i)
        model.add_transition(
            model::examples::count(model, add_scalar(model, "x" + std::to_string(i), {0, 3}, 0), 1, 3));
    return {model, {}};
}

TEST(SleepQueue, GivesSetsBackInOrderAcrossBlocks) {
    for (const unsigned classes : {3U, 9U, 17U}) {
        const successor::Commuting commuting = counters(classes);
        ASSERT_EQ(commuting.classes(), classes);
        const successor::SleepSet mask = (successor::SleepSet{1} << classes) - 1;
        const auto set_of = [mask](std::uint64_t i) { return (i * 0x9E3779B97F4A7C15U >> 7U) & mask; };
        SleepQueue queue(&commuting);
        EXPECT_TRUE(queue.in_use());
        std::vector<std::uint32_t> indices(5000);
        std::iota(indices.begin(), indices.end(), 0U);
        for (std::uint64_t i = 0; i < 5000; ++i) queue.push(set_of(i));
        queue.push(indices, [&](std::uint32_t i) { return set_of(5000 + i); });
        std::vector<successor::SleepSet> sets(700);
        std::uint64_t next = 0;
        for (const std::size_t count : {1U, 4094U % 700U, 700U, 5U}) {
            queue.take(sets.data(), count);
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sets[i], set_of(next++));
        }
        for (; next + 700 <= 10000;) {
            queue.take(sets.data(), 700);
            for (std::size_t i = 0; i < 700; ++i) ASSERT_EQ(sets[i], set_of(next++));
        }
    }
}

TEST(SleepQueue, AfterWakingAllWhatWaitsIsAwakeAndWhatFollowsIsNot) {
    const successor::Commuting commuting = counters(4);
    SleepQueue queue(&commuting);
    for (int i = 0; i < 10; ++i) queue.push(15);
    queue.wake_all(6);
    queue.push(9);
    std::vector<successor::SleepSet> sets(7, 3);
    queue.take(sets.data(), 4);
    queue.take(sets.data() + 4, 3);
    EXPECT_EQ(sets, (std::vector<successor::SleepSet>{0, 0, 0, 0, 0, 0, 9}));
}

TEST(SleepQueue, IsNotInUseWhereNothingSleeps) { EXPECT_FALSE(SleepQueue(nullptr).in_use()); }

}  // namespace
}  // namespace tideline::explore
