// A number below 2^40 in five bytes, for large arrays of them.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>

namespace tideline::store {

class PackedNumber {
public:
    static constexpr std::uint64_t kMost = (std::uint64_t{1} << 40U) - 1;

    PackedNumber() = default;
    explicit PackedNumber(std::uint64_t number) : high_(static_cast<std::uint8_t>(number >> 32U)) {
        assert(number <= kMost);
        const auto low = static_cast<std::uint32_t>(number);
        std::memcpy(low_, &low, sizeof low);
    }
    operator std::uint64_t() const {  // NOLINT(google-explicit-constructor): it is a number
        std::uint32_t low = 0;
        std::memcpy(&low, low_, sizeof low);
        return std::uint64_t{high_} << 32U | low;
    }

private:
    std::uint8_t low_[4] = {};
    std::uint8_t high_ = 0;
};

static_assert(sizeof(PackedNumber) == 5);

}  // namespace tideline::store
