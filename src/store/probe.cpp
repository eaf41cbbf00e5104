#include "store/probe.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tideline::store {
namespace {

// Of the eight words of a bucket, bit i: the i-th is the hash, or is 0.
struct Matches {
    unsigned equal;
    unsigned free;
};

// Notes a probe as missing; returns 1 where it stays noted, and 0 where its state is there and the next note overwrites
// this one.
template <std::size_t kTailBytes>
[[gnu::always_inline]] inline std::size_t note(const ProbeBlock& block, std::size_t j, Matches matches,
                                               Missing* missing) {
    constexpr unsigned entries = 1U << kEntriesPerBucket<kTailBytes>;  // behind the last hash there are tails
    // A hash of 0 is that of a free entry; the table has such states elsewhere.
    const unsigned equal = matches.equal & ~matches.free & (entries - 1);
    *missing = {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(std::countr_zero(matches.free | entries))};
    unsigned is_there = equal != 0 ? 1U : 0U;
    if constexpr (kTailBytes > 0) {
        const auto index = static_cast<std::size_t>(std::countr_zero(equal | entries >> 1U));
        is_there &= load_tail<kTailBytes>(block.buckets[j], index) == block.tails[j] ? 1U : 0U;
    }
    return 1 - is_there;
}

template <std::size_t kTailBytes>
std::size_t find_portable(const ProbeBlock& block, Missing* missing) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < block.count; ++j) {
        unsigned equal = 0;
        unsigned free = 0;
        for (unsigned i = 0; i < 8; ++i) {
            std::uint64_t word = 0;
            std::memcpy(&word, block.buckets[j] + i * sizeof word, sizeof word);
            equal |= static_cast<unsigned>(word == block.hashes[j]) << i;
            free |= static_cast<unsigned>(word == 0) << i;
        }
        count += note<kTailBytes>(block, j, {equal, free}, missing + count);
    }
    return count;
}

#if defined(__x86_64__)
template <std::size_t kTailBytes>
[[gnu::target("avx2,bmi")]] std::size_t find_avx2(const ProbeBlock& block, Missing* missing) {
    const __m256i zero = _mm256_setzero_si256();
    const std::size_t probes = block.count;  // which the compiler does not know not to be written over
    std::size_t count = 0;
    for (std::size_t j = 0; j < probes; ++j) {
        const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(block.hashes[j]));
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block.buckets[j]));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block.buckets[j] + 32));
        const int equal_bits = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, wanted))) |
                               (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, wanted))) << 4);
        const int free_bits = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(low, zero))) |
                              (_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(high, zero))) << 4);
        count += note<kTailBytes>(block, j, {static_cast<unsigned>(equal_bits), static_cast<unsigned>(free_bits)},
                                  missing + count);
    }
    return count;
}
#endif

}  // namespace

std::size_t find_missing(const ProbeBlock& block, const BucketShape& shape, Missing* missing) {
    return with_tail_bytes(shape.tail_bytes, [&](auto tail_bytes) {
#if defined(__x86_64__)
        static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
        if (has_avx2) return find_avx2<tail_bytes()>(block, missing);
#endif
        return find_portable<tail_bytes()>(block, missing);
    });
}

}  // namespace tideline::store
