#include "progress/value_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tideline::progress {
namespace {

TEST(ValueOrder, OfAnAcyclicGraphHasNoStepBack) {
    std::mt19937 random(3);
    for (int round = 0; round < 200; ++round) {
        const std::size_t values = 2 + random() % 12;
        std::vector<std::size_t> hidden(values);
        for (std::size_t i = 0; i < values; ++i) hidden[i] = i;
        std::shuffle(hidden.begin(), hidden.end(), random);
        ValueSteps steps{values, std::vector<std::uint64_t>(values * values, 0)};
        for (std::size_t i = 0; i < values; ++i)
            for (std::size_t k = i + 1; k < values; ++k)
                if (random() % 3 == 0) steps.counts[hidden[i] * values + hidden[k]] = 1 + random() % 100;
        const std::vector<std::uint32_t> position = forward_order(steps);
        for (std::size_t from = 0; from < values; ++from)
            for (std::size_t to = 0; to < values; ++to)
                if (steps.counts[from * values + to] > 0) {
                    EXPECT_LT(position[from], position[to]);
                }
    }
}

TEST(ValueOrder, OfACircleGoesBackOnceWhereItIsRarest) {
    // 2 -> 0 -> 3 -> 1 and seldom 1 -> 2.
    ValueSteps steps{4, std::vector<std::uint64_t>(16, 0)};
    steps.counts[2 * 4 + 0] = 9;
    steps.counts[0 * 4 + 3] = 9;
    steps.counts[3 * 4 + 1] = 9;
    steps.counts[1 * 4 + 2] = 2;
    EXPECT_EQ(forward_order(steps), (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

TEST(ValueOrder, PlacesEveryValueOnceAndIgnoresStepsThatStay) {
    ValueSteps steps{3, {5, 0, 0, 0, 5, 0, 0, 0, 5}};
    std::vector<std::uint32_t> position = forward_order(steps);
    std::sort(position.begin(), position.end());
    EXPECT_EQ(position, (std::vector<std::uint32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace tideline::progress
