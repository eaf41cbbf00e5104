// The bucket of StateNumbers (state_numbers.hpp): states of up to two words and their numbers of 40 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "store/bucket_array.hpp"

namespace tideline::store {

// Two cache lines, which are next to each other and fetched together: the hashes of the entries, which come first so
// that a probe can compare eight at a time; then their tails, the lower four bytes of their numbers, and the fifth
// ones. A hash of 0 is a free entry. (In one line there would be three or four entries; so many more buckets are full
// then that probing is slower than reading two lines.)
template <std::size_t kTailBytes>
struct NumberedInlineBucket {
    static constexpr std::size_t kBytes = 2 * kBucketBytes;
    static constexpr std::size_t kNumberBytes = 5;
    static constexpr std::size_t kEntries =
        kTailBytes <= 3 ? 8 : kBytes / (sizeof(std::uint64_t) + kTailBytes + kNumberBytes);
    struct Tail {
        std::uint64_t state;  // its second word
        std::uint64_t number;
    };

    [[nodiscard]] static std::uint64_t entry(const std::byte* bucket, std::size_t i) {
        std::uint64_t value = 0;
        std::memcpy(&value, bucket + i * sizeof value, sizeof value);
        return value;
    }
    // The second word of the state.
    [[nodiscard]] static std::uint64_t state_tail(const std::byte* bucket, std::size_t i) {
        if constexpr (kTailBytes == 0) return 0;
        // Numbers follow, so a whole word may be read.
        std::uint64_t value = 0;
        std::memcpy(&value, bucket + kTails + i * kTailBytes, sizeof value);
        return value & ~std::uint64_t{0} >> (64 - 8 * kTailBytes) % 64;
    }
    [[nodiscard]] static std::uint64_t number(const std::byte* bucket, std::size_t i) {
        std::uint32_t low = 0;
        std::memcpy(&low, bucket + kNumbers + i * sizeof low, sizeof low);
        return static_cast<std::uint64_t>(bucket[kUpperBytes + i]) << 32U | low;
    }
    [[nodiscard]] static Tail tail(const std::byte* bucket, std::size_t i) {
        return {state_tail(bucket, i), number(bucket, i)};
    }
    [[gnu::always_inline]] static void write(std::byte* bucket, std::size_t i, std::uint64_t entry, const Tail& tail) {
        std::memcpy(bucket + i * sizeof entry, &entry, sizeof entry);
        if constexpr (kTailBytes > 0) std::memcpy(bucket + kTails + i * kTailBytes, &tail.state, kTailBytes);
        const auto low = static_cast<std::uint32_t>(tail.number);
        std::memcpy(bucket + kNumbers + i * sizeof low, &low, sizeof low);
        bucket[kUpperBytes + i] = static_cast<std::byte>(tail.number >> 32U);
    }

private:
    static constexpr std::size_t kTails = kEntries * sizeof(std::uint64_t);
    static constexpr std::size_t kNumbers = kTails + kEntries * kTailBytes;
    static constexpr std::size_t kUpperBytes = kNumbers + kEntries * sizeof(std::uint32_t);
    static_assert(kUpperBytes + kEntries <= kBytes && kNumbers + sizeof(std::uint64_t) <= kBytes);
};

}  // namespace tideline::store
