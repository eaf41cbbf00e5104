#include "support/quantity.hpp"

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

using namespace std::chrono_literals;

std::string size_error(std::string_view text) {
    const Result<std::uint64_t> result = parse_size(text);
    return result ? "accepted" : result.diagnostics().at(0).message;
}

std::string duration_error(std::string_view text) {
    const Result<std::chrono::nanoseconds> result = parse_duration(text);
    return result ? "accepted" : result.diagnostics().at(0).message;
}

TEST(Quantity, SizesAreInUnitsOf1024) {
    const std::pair<std::string_view, std::uint64_t> cases[] = {
        {"64B", 64},           {"1K", 1024},          {"100K", 102400},     {"512M", 536870912},
        {"8G", 8589934592},    {"2T", 2199023255552}, {"1.5G", 1610612736}, {"0.5K", 512},
        {"0.25M", 262144},     {"1.1K", 1126},        {"512m", 536870912},  {"512MB", 536870912},
        {"512MiB", 536870912}, {"8gb", 8589934592},   {"007K", 7168},       {"8388607T", 9223370937343148032U},
    };
    for (const auto& [text, bytes] : cases) {
        const Result<std::uint64_t> result = parse_size(text);
        ASSERT_TRUE(result) << text;
        EXPECT_EQ(*result, bytes) << text;
    }
}

TEST(Quantity, WhatIsNotASizeIsRefusedWithTheReason) {
    EXPECT_EQ(size_error("512"), "'512' has no unit");
    EXPECT_EQ(size_error("1.5"), "'1.5' has no unit");
    EXPECT_EQ(size_error(""), "'' is not a size");
    EXPECT_EQ(size_error("G"), "'G' is not a size");
    EXPECT_EQ(size_error("-5M"), "'-5M' is not a size");
    EXPECT_EQ(size_error("+5M"), "'+5M' is not a size");
    EXPECT_EQ(size_error(" 5M"), "' 5M' is not a size");
    EXPECT_EQ(size_error("5 M"), "'5 M' is not a size: ' M' is not a unit");
    EXPECT_EQ(size_error("5M "), "'5M ' is not a size: 'M ' is not a unit");
    EXPECT_EQ(size_error("1.G"), "'1.G' is not a size");
    EXPECT_EQ(size_error(".5G"), "'.5G' is not a size");
    EXPECT_EQ(size_error("1.2.3G"), "'1.2.3G' is not a size: '.3G' is not a unit");
    EXPECT_EQ(size_error("1,5G"), "'1,5G' is not a size: ',5G' is not a unit");
    EXPECT_EQ(size_error("1e3M"), "'1e3M' is not a size: 'e3M' is not a unit");
    EXPECT_EQ(size_error("0x10M"), "'0x10M' is not a size: 'x10M' is not a unit");
    EXPECT_EQ(size_error("5Q"), "'5Q' is not a size: 'Q' is not a unit");
    EXPECT_EQ(size_error("0M"), "'0M' is not a size: it must be more than 0");
    EXPECT_EQ(size_error("0.0G"), "'0.0G' is not a size: it must be more than 0");
    EXPECT_EQ(size_error("0.5B"), "'0.5B' is not a size: it must be more than 0");
    EXPECT_EQ(size_error("8388608T"), "'8388608T' is too large for a size");
    EXPECT_EQ(size_error("99999999999999999999B"), "'99999999999999999999B' is too large for a size");
    EXPECT_EQ(size_error("inf"), "'inf' is not a size");
    EXPECT_EQ(size_error("nanG"), "'nanG' is not a size");
    EXPECT_EQ(parse_size("512").diagnostics().at(0).hint, "a size is a number with a unit: 64K, 512M, 1.5G, 2T");
}

TEST(Quantity, DurationsHaveUnits) {
    const std::pair<std::string_view, std::chrono::nanoseconds> cases[] = {
        {"500ms", 500ms}, {"90s", 90s},     {"10m", 10min},  {"10min", 10min}, {"2h", 2h},
        {"1d", 24h},      {"1.5s", 1500ms}, {"0.1s", 100ms}, {"0.5m", 30s},    {"0.001ms", 1us},
    };
    for (const auto& [text, duration] : cases) {
        const Result<std::chrono::nanoseconds> result = parse_duration(text);
        ASSERT_TRUE(result) << text;
        EXPECT_EQ(*result, duration) << text;
    }
}

TEST(Quantity, WhatIsNotADurationIsRefusedWithTheReason) {
    EXPECT_EQ(duration_error("90"), "'90' has no unit");
    EXPECT_EQ(duration_error("-1s"), "'-1s' is not a duration");
    EXPECT_EQ(duration_error("0s"), "'0s' is not a duration: it must be more than 0");
    EXPECT_EQ(duration_error("90x"), "'90x' is not a duration: 'x' is not a unit");
    EXPECT_EQ(duration_error("90S"), "'90S' is not a duration: 'S' is not a unit");
    EXPECT_EQ(duration_error("1h30m"), "'1h30m' is not a duration: 'h30m' is not a unit");
    EXPECT_EQ(duration_error("s"), "'s' is not a duration");
    EXPECT_EQ(duration_error("9999999h"), "'9999999h' is too large for a duration");
    EXPECT_EQ(parse_duration("90").diagnostics().at(0).hint, "a duration is a number with a unit: 500ms, 90s, 10m, 2h");
}

TEST(Quantity, BytesAreShownInTheLargestUnitThatFits) {
    EXPECT_EQ(bytes_text(0), "0 B");
    EXPECT_EQ(bytes_text(1023), "1023 B");
    EXPECT_EQ(bytes_text(1024), "1.0 KB");
    EXPECT_EQ(bytes_text(1024 * 1024 - 1), "1.0 MB");
    EXPECT_EQ(bytes_text(1288490189), "1.2 GB");
    EXPECT_EQ(bytes_text(UINT64_MAX), "16.0 EB");
}

TEST(Quantity, CountsHaveThousandsSeparators) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1000), "1,000");
    EXPECT_EQ(count_text(1119560), "1,119,560");
    EXPECT_EQ(count_text(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Quantity, DurationsAreShownInUnitsThatSuitThem) {
    EXPECT_EQ(duration_text(0), "0 ms");
    EXPECT_EQ(duration_text(0.0002), "less than 1 ms");
    EXPECT_EQ(duration_text(0.35), "350 ms");
    EXPECT_EQ(duration_text(0.9996), "1.0 s");
    EXPECT_EQ(duration_text(3.21), "3.2 s");
    EXPECT_EQ(duration_text(59.94), "59.9 s");
    EXPECT_EQ(duration_text(59.96), "1 min 00 s");
    EXPECT_EQ(duration_text(125), "2 min 05 s");
    EXPECT_EQ(duration_text(3599.7), "1 h 00 min");
    EXPECT_EQ(duration_text(11220), "3 h 07 min");
    EXPECT_EQ(duration_text(190800), "2 d 05 h");
}

TEST(Quantity, RatesAreShownInThousandsAndMillions) {
    EXPECT_EQ(rate_text(0), "0 /s");
    EXPECT_EQ(rate_text(12.3), "12 /s");
    EXPECT_EQ(rate_text(999.6), "1.0 k/s");
    EXPECT_EQ(rate_text(12340), "12.3 k/s");
    EXPECT_EQ(rate_text(350400), "350 k/s");
    EXPECT_EQ(rate_text(1.4e6), "1.4 M/s");
    EXPECT_EQ(rate_text(2.5e13), "25000 G/s");
}

}  // namespace
}  // namespace tideline::support
