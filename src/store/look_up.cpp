#include "store/look_up.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tideline {
namespace {

// Of the eight words of a line, bit i: the i-th is the hash, or is 0.
struct Matches {
    std::uint8_t equal;
    std::uint8_t free;
};

void match_portable(const LookUpBlock& block, Matches* matches) {
    for (std::size_t j = 0; j < block.count; ++j) {
        unsigned equal = 0;
        unsigned free = 0;
        for (unsigned i = 0; i < 8; ++i) {
            std::uint64_t word = 0;
            std::memcpy(&word, block.lines[j] + i * sizeof word, sizeof word);
            equal |= static_cast<unsigned>(word == block.hashes[j]) << i;
            free |= static_cast<unsigned>(word == 0) << i;
        }
        matches[j] = {static_cast<std::uint8_t>(equal), static_cast<std::uint8_t>(free)};
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void match_avx2(const LookUpBlock& block, Matches* matches) {
    const __m256i zero = _mm256_setzero_si256();
    for (std::size_t j = 0; j < block.count; ++j) {
        const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(block.hashes[j]));
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block.lines[j]));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block.lines[j] + 32));
        const int equal = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, wanted))) |
                          (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, wanted))) << 4);
        const int free = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, zero))) |
                         (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, zero))) << 4);
        matches[j] = {static_cast<std::uint8_t>(equal), static_cast<std::uint8_t>(free)};
    }
}
#endif

void match(const LookUpBlock& block, Matches* matches) {
#if defined(__x86_64__)
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
    if (has_avx2) return match_avx2(block, matches);
#endif
    match_portable(block, matches);
}

}  // namespace

std::size_t find_missing(const LookUpBlock& block, const LineShape& shape, Missing* missing) {
    Matches matches[LookUpBlock::kSize];
    match(block, matches);
    const unsigned entries = 1U << shape.entries;  // behind the last hash there are rests
    std::size_t count = 0;
    for (std::size_t j = 0; j < block.count; ++j) {
        const unsigned equal = matches[j].equal & (entries - 1);
        missing[count] = {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(std::countr_zero(matches[j].free | entries))};
        // A hash of 0 is that of a free place; the table has such states elsewhere.
        unsigned is_there = (equal != 0 ? 1U : 0U) & (block.hashes[j] != 0 ? 1U : 0U);
        if (shape.rest_bytes > 0) {
            const std::size_t place = equal != 0 ? static_cast<std::size_t>(std::countr_zero(equal)) : 0;
            is_there &= load_rest(block.lines[j], shape, place) == block.rests[j] ? 1U : 0U;
        }
        count += 1 - is_there;
    }
    return count;
}

}  // namespace tideline
