// Look-ups in many cache lines at a time: which of them do not find their hash?
//
// A line of a StateTable begins with its hashes. Most look-ups of a search find their state, and whether one does cannot be predicted; so
// the answer is computed for a whole block without a branch, eight hashes at a time, and only what was not found is looked at further.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tideline {

// How the entries lie in a line: the hashes first, then as many rests of `rest_bytes` each.
struct LineShape {
    std::size_t entries = 8;
    std::size_t rest_bytes = 0;     // 0: the hash is the whole state
    std::uint64_t rest_mask = 0;
};

// The rest of an entry. It is read without touching the line behind.
inline std::uint64_t load_rest(const std::byte* line, const LineShape& shape, std::size_t entry) {
    const std::size_t at = shape.entries * sizeof(std::uint64_t) + entry * shape.rest_bytes;
    const std::size_t from = std::min<std::size_t>(at, 64 - sizeof(std::uint64_t));
    std::uint64_t word = 0;
    std::memcpy(&word, line + from, sizeof word);
    return (word >> (8 * (at - from))) & shape.rest_mask;
}

// Writes it, and perhaps over the bytes of the line behind it.
inline void store_rest(std::byte* line, const LineShape& shape, std::size_t entry, std::uint64_t rest) {
    const std::size_t at = shape.entries * sizeof(std::uint64_t) + entry * shape.rest_bytes;
    const std::size_t from = std::min<std::size_t>(at, 64 - sizeof(std::uint64_t));
    const std::size_t shift = 8 * (at - from);
    std::uint64_t word = 0;
    std::memcpy(&word, line + from, sizeof word);
    word = (word & ((std::uint64_t{1} << shift) - 1)) | (rest << shift);
    std::memcpy(line + from, &word, sizeof word);
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
