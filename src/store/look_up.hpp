// Look-ups in many cache lines at a time: which of them do not find their hash?
//
// A line of a StateTable begins with its hashes. Most look-ups of a search find their state, and whether one does cannot be predicted; so
// the answer is computed for a whole block without a branch, eight hashes at a time, and only what was not found is looked at further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tideline {

// How the entries lie in a line: the hashes first, then as many rests of `rest_bytes` each.
struct LineShape {
    std::size_t entries = 8;
    std::size_t rest_bytes = 0;     // 0: the hash is the whole state
};

// The same for code that is made for one number of bytes, which with_rest_bytes() chooses.
template <std::size_t kRestBytes>
inline constexpr std::size_t kEntriesOfLine = 64 / (sizeof(std::uint64_t) + kRestBytes);

template <class Call>
decltype(auto) with_rest_bytes(std::size_t rest_bytes, Call call) {
    switch (rest_bytes) {
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

// What is read or written at a time for a rest: never more than what is left of the line.
template <std::size_t kRestBytes>
using RestUnit = std::conditional_t<
    kRestBytes == 1, std::uint8_t,
    std::conditional_t<kRestBytes == 2, std::uint16_t, std::conditional_t<kRestBytes <= 4, std::uint32_t, std::uint64_t>>>;

// The rest of an entry, 0 where entries have none. It is read without touching the line behind.
template <std::size_t kRestBytes>
[[gnu::always_inline]] inline std::uint64_t load_rest(const std::byte* line, std::size_t entry) {
    if constexpr (kRestBytes == 0) {
        return 0;
    } else {
        static_assert(kEntriesOfLine<kRestBytes> * sizeof(std::uint64_t) + (kEntriesOfLine<kRestBytes> - 1) * kRestBytes + sizeof(RestUnit<kRestBytes>) <= 64);
        RestUnit<kRestBytes> unit = 0;
        std::memcpy(&unit, line + kEntriesOfLine<kRestBytes> * sizeof(std::uint64_t) + entry * kRestBytes, sizeof unit);
        return kRestBytes >= 8 ? unit : unit & ((std::uint64_t{1} << (8 * kRestBytes % 64)) - 1);
    }
}

// Writes it, and perhaps over the bytes of the line behind it.
template <std::size_t kRestBytes>
[[gnu::always_inline]] inline void store_rest(std::byte* line, std::size_t entry, std::uint64_t rest) {
    if constexpr (kRestBytes > 0) {
        const auto unit = static_cast<RestUnit<kRestBytes>>(rest);
        std::memcpy(line + kEntriesOfLine<kRestBytes> * sizeof(std::uint64_t) + entry * kRestBytes, &unit, sizeof unit);
    }
}

struct LookUpBlock {
    static constexpr std::size_t kSize = 64;
    std::size_t count = 0;
    const std::byte* lines[kSize];
    std::uint64_t hashes[kSize];
    std::uint64_t rests[kSize];     // where there are rests
};

// A look-up that did not find its state in its line.
struct Missing {
    std::uint32_t place;    // in the block
    std::uint32_t free;     // the first free entry of the line; as many as it has entries where it is full
};

// Writes those look-ups whose line does not hold them, in ascending order, and returns their number. Of two states with the same hash in a
// line, one may be told to be missing that is there; so may any state with hash 0.
std::size_t find_missing(const LookUpBlock& block, const LineShape& shape, Missing* missing);

}  // namespace tideline
