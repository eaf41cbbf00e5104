#include "support/grace.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace tideline::support {
namespace {

using std::chrono::milliseconds;

TEST(Grace, WhereTheTimeIsUpALittleRemains) {
    const Budget spent({.memory = {}, .disk = {}, .time = std::chrono::nanoseconds(0)});
    const Budget none = with_grace(spent, milliseconds(0));
    const Budget patient = with_grace(spent, milliseconds(10'000));
    std::this_thread::sleep_for(milliseconds(1));
    EXPECT_EQ(spent.exhausted(), StopReason::time);
    EXPECT_EQ(none.exhausted(), StopReason::time);
    EXPECT_EQ(patient.exhausted(), StopReason::none);
}

TEST(Grace, AnInterruptCountsAfterIt) {
    const Budget interrupted({}, [] { return true; });
    const Budget none = with_grace(interrupted, milliseconds(0));
    const Budget patient = with_grace(interrupted, milliseconds(10'000));
    EXPECT_EQ(none.exhausted(), StopReason::interrupted);
    EXPECT_EQ(patient.exhausted(), StopReason::none);
    const Budget free;
    EXPECT_FALSE(with_grace(free, milliseconds(0)).is_exhausted());
}

TEST(Grace, MemoryHasNone) {
    const Budget small({.memory = 0, .disk = {}, .time = {}});
    EXPECT_EQ(with_grace(small, milliseconds(10'000)).exhausted(std::uint64_t{1} << 40U), StopReason::memory);
}

}  // namespace
}  // namespace tideline::support
