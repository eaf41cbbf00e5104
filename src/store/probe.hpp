// Probes of many buckets at a time: which of them do not find their hash?
//
// A bucket of a StateTable begins with its hashes. Most probes of a search find their state, and whether one does
// cannot be predicted; so the answer is computed for a whole block without a branch, eight hashes at a time, and only
// what was not found is probed further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tideline::store {

// How the entries lie in a bucket: the hashes first, then as many tails of `tail_bytes` each.
struct BucketShape {
    std::size_t entries = 8;
    std::size_t tail_bytes = 0;  // 0: the hash is the whole state
};

// The same for code that is made for one number of bytes, which with_tail_bytes() chooses.
template <std::size_t kTailBytes>
inline constexpr std::size_t kEntriesPerBucket = 64 / (sizeof(std::uint64_t) + kTailBytes);

template <class Call>
decltype(auto) with_tail_bytes(std::size_t tail_bytes, Call call) {
    switch (tail_bytes) {
        case 0: return call(std::integral_constant<std::size_t, 0>{});
        case 1: return call(std::integral_constant<std::size_t, 1>{});
        case 2: return call(std::integral_constant<std::size_t, 2>{});
        case 3: return call(std::integral_constant<std::size_t, 3>{});
        case 4: return call(std::integral_constant<std::size_t, 4>{});
        case 5: return call(std::integral_constant<std::size_t, 5>{});
        case 6: return call(std::integral_constant<std::size_t, 6>{});
        case 7: return call(std::integral_constant<std::size_t, 7>{});
        default: return call(std::integral_constant<std::size_t, 8>{});
    }
}

// What is read or written at a time for a tail: never more than what is left of the bucket.
template <std::size_t kTailBytes>
using TailUnit =
    std::conditional_t<kTailBytes == 1, std::uint8_t,
                       std::conditional_t<kTailBytes == 2, std::uint16_t,
                                          std::conditional_t<kTailBytes <= 4, std::uint32_t, std::uint64_t>>>;

// The tail of an entry, 0 where entries have none. It is read without touching the next bucket.
template <std::size_t kTailBytes>
[[gnu::always_inline]] inline std::uint64_t load_tail(const std::byte* bucket, std::size_t entry) {
    if constexpr (kTailBytes == 0) {
        return 0;
    } else {
        static_assert(kEntriesPerBucket<kTailBytes> * sizeof(std::uint64_t) +
                          (kEntriesPerBucket<kTailBytes> - 1) * kTailBytes + sizeof(TailUnit<kTailBytes>) <=
                      64);
        TailUnit<kTailBytes> unit = 0;
        std::memcpy(&unit, bucket + kEntriesPerBucket<kTailBytes> * sizeof(std::uint64_t) + entry * kTailBytes,
                    sizeof unit);
        return kTailBytes >= 8 ? unit : unit & ((std::uint64_t{1} << (8 * kTailBytes % 64)) - 1);
    }
}

// Writes it, and perhaps over the bytes of the bucket behind it.
template <std::size_t kTailBytes>
[[gnu::always_inline]] inline void store_tail(std::byte* bucket, std::size_t entry, std::uint64_t tail) {
    if constexpr (kTailBytes > 0) {
        const auto unit = static_cast<TailUnit<kTailBytes>>(tail);
        std::memcpy(bucket + kEntriesPerBucket<kTailBytes> * sizeof(std::uint64_t) + entry * kTailBytes, &unit,
                    sizeof unit);
    }
}

struct ProbeBlock {
    static constexpr std::size_t kSize = 64;
    std::size_t count = 0;
    const std::byte* buckets[kSize];
    std::uint64_t hashes[kSize];
    std::uint64_t tails[kSize];  // where there are tails
};

// A probe that did not find its state in its bucket.
struct Missing {
    std::uint32_t index;  // in the block
    std::uint32_t free;   // the first free entry of the bucket; as many as it has entries where it is full
};

// Writes those probes whose bucket does not hold their state, in ascending order, and returns their number. Of two
// states with the same hash in a bucket, one may be reported missing that is there; so may any state with hash 0.
std::size_t find_missing(const ProbeBlock& block, const BucketShape& shape, Missing* missing);

// The same for buckets of StateNumbers (numbered_bucket.hpp): also writes to found[j] where the j-th probe found its
// state in its bucket, and the last entry where it did not.
template <std::size_t kTailBytes>
std::size_t find_numbered(const ProbeBlock& block, std::uint8_t* found, Missing* missing);

}  // namespace tideline::store
