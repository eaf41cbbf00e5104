// The hash of a packed state: 64 bits from which, with the other words, the first word can be recovered.
//
// For given further words the hash is a bijection of the first one. A table that stores the hash in place of the first
// word loses nothing, compares whole states of one word by their hashes, and keeps its entries nearly sorted when the
// hash's upper bits give the position.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tideline::successor {

using Word = std::uint64_t;

namespace hashing {

inline constexpr std::uint64_t kFactor = 0xD6E8FEB86659FD93U;

// The inverse modulo 2^64 of an odd number: each step of Newton's method doubles the number of right bits.
constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t result = odd;
    for (int i = 0; i < 5; ++i) result *= 2 - odd * result;
    return result;
}

// A bijection that lets every bit depend on every other.
constexpr std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32U;
    x *= hashing::kFactor;
    x ^= x >> 32U;
    x *= hashing::kFactor;
    return x ^ (x >> 32U);
}

constexpr std::uint64_t unmix(std::uint64_t x) {
    constexpr std::uint64_t back = hashing::inverse(hashing::kFactor);
    x ^= x >> 32U;
    x *= back;
    x ^= x >> 32U;
    x *= back;
    return x ^ (x >> 32U);
}

// Of all words except the first.
inline std::uint64_t rest(const Word* state, std::size_t words) {
    std::uint64_t result = 0;
    for (std::size_t i = 1; i < words; ++i) {
        result = (result ^ state[i]) * 0x9E3779B97F4A7C15U;
        result ^= result >> 32U;
    }
    return result;
}

}  // namespace hashing

inline std::uint64_t hash_state(const Word* state, std::size_t words) {
    return hashing::mix(state[0] ^ hashing::rest(state, words));
}

// The first word of the state with this hash and these other words.
inline Word first_word(std::uint64_t hash, const Word* state, std::size_t words) {
    return hashing::unmix(hash) ^ hashing::rest(state, words);
}

}  // namespace tideline::successor
