#include "run/forecast.hpp"

#include <gtest/gtest.h>

namespace tideline::run {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;

TEST(Forecast, WhatWasVisitedCompletelyIsKnown) {
    const Trial trial{.complete = true, .states = 1000, .expanded = 1000, .seconds = 0.5, .bytes = 50'000};
    const Forecast known = forecast_of(trial, std::nullopt, std::nullopt, kMegabyte);
    EXPECT_EQ(known.states, 1000U);
    EXPECT_TRUE(known.states_exact);
    EXPECT_EQ(known.in_memory.seconds, 0.5);
    EXPECT_EQ(known.bytes, 50'000U);
    EXPECT_EQ(known.fits, true);
    EXPECT_FALSE(known.sweep);
}

TEST(Forecast, AnEndInSightGivesTimesAndMemory) {
    // 100 bytes and a microsecond per state, half a second of compiling.
    const Trial trial{.states = 1'200'000,
                      .expanded = 1'000'000,
                      .seconds = 1.5,
                      .compile_seconds = 0.5,
                      .bytes = 120'000'000,
                      .left = 3'000'000.0};
    const Trial swept{.states = 300'000, .expanded = 250'000, .seconds = 1.5, .compile_seconds = 0.5};
    const SweepToTry tried{.measure = "x", .predicted_share = 0.1, .reread_share = 5};
    const Forecast small = forecast_of(trial, swept, tried, 100 * kMegabyte);
    EXPECT_EQ(small.states, 4'000'000U);
    EXPECT_FALSE(small.states_exact);
    EXPECT_NEAR(small.in_memory.seconds.value(), 4.5, 1e-6);
    EXPECT_EQ(small.bytes, 400'000'000U);
    EXPECT_EQ(small.fits, false);
    EXPECT_EQ(small.most_states, kMegabyte);
    // 4 microseconds per state, and as much again for what is read back.
    EXPECT_NEAR(small.sweep->seconds.value(), 0.5 + 4 * 8, 1e-6);
    EXPECT_EQ(small.peak_states, 400'000U);
    EXPECT_EQ(forecast_of(trial, swept, tried, 1000 * kMegabyte).fits, true);
}

TEST(Forecast, WhereNoEndIsInSightRatesRemain) {
    const Trial trial{.states = 2'000'000, .expanded = 1'000'000, .seconds = 2, .bytes = 40'000'000};
    const Forecast open = forecast_of(trial, std::nullopt, std::nullopt, 20 * kMegabyte);
    EXPECT_FALSE(open.states);
    EXPECT_FALSE(open.in_memory.seconds);
    EXPECT_NEAR(open.in_memory.seconds_per_million, 2, 1e-9);
    EXPECT_FALSE(open.fits);
    EXPECT_EQ(open.most_states, kMegabyte);
}

}  // namespace
}  // namespace tideline::run
