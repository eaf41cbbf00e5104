#include "store/packed_number.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

TEST(PackedNumber, IsTheNumberThatItWasMadeOf) {
    for (unsigned bit = 0; bit < 40; ++bit) {
        const std::uint64_t power = std::uint64_t{1} << bit;
        for (const std::uint64_t number : {power - 1, power, PackedNumber::kMost - power, PackedNumber::kMost})
            EXPECT_EQ(PackedNumber(number), number);
    }
    EXPECT_EQ(PackedNumber(), 0U);
}

TEST(PackedNumber, LeavesItsNeighboursAlone) {
    std::vector<PackedNumber> numbers(3, PackedNumber(PackedNumber::kMost));
    numbers[1] = PackedNumber(0);
    EXPECT_EQ(numbers[0], PackedNumber::kMost);
    EXPECT_EQ(numbers[1], 0U);
    EXPECT_EQ(numbers[2], PackedNumber::kMost);
}

}  // namespace
}  // namespace tideline::store
