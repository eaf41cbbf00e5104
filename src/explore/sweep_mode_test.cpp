#include "explore/sweep_mode.hpp"

#include <map>

#include <gtest/gtest.h>

#include "successor/hash.hpp"

namespace tideline::explore {
namespace {

TEST(SweepMode, ALayerThatIsNotSplitIsOneSlice) {
    const SweepMode mode;
    for (successor::Word state = 0; state < 100; ++state)
        EXPECT_EQ(mode.slice_of(successor::hash_state(&state, 1)), 0U);
}

TEST(SweepMode, SlicesAreAboutEquallyLarge) {
    const SweepMode mode{.split_bits = 3};
    std::map<std::uint32_t, int> slices;
    for (successor::Word state = 0; state < 8000; ++state) ++slices[mode.slice_of(successor::hash_state(&state, 1))];
    EXPECT_EQ(slices.size(), 8U);
    for (const auto& [slice, states] : slices) {
        EXPECT_LT(slice, 8U);
        EXPECT_NEAR(states, 1000, 150);
    }
}

TEST(SweepMode, ASliceIsDividedWhereTheLayerIsSplitFiner) {
    const SweepMode coarse{.split_bits = 2};
    const SweepMode fine{.split_bits = 3};
    for (successor::Word state = 0; state < 1000; ++state) {
        const std::uint64_t hash = successor::hash_state(&state, 1);
        EXPECT_EQ(coarse.slice_of(hash), fine.slice_of(hash) & 3U);
    }
}

TEST(SweepMode, TheStatesOfAPartitionAreInAllSlices) {
    const SweepMode mode{.split_bits = 1};
    std::map<std::uint32_t, int> slices;
    // The driver chooses partitions by the lower half of the hash.
    for (successor::Word state = 0; state < 4000; ++state)
        if (const std::uint64_t hash = successor::hash_state(&state, 1); ((hash & 0xFFFFFFFFU) * 4) >> 32U == 0)
            ++slices[mode.slice_of(hash)];
    EXPECT_NEAR(slices[0], slices[1], 200);
}

}  // namespace
}  // namespace tideline::explore
