#include "store/probe.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "store/numbered_bucket.hpp"

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
[[gnu::always_inline]] inline std::size_t note_numbered(const ProbeBlock& block, std::size_t j, Matches matches,
                                                        std::uint8_t* found, Missing* missing) {
    using Bucket = NumberedInlineBucket<kTailBytes>;
    constexpr unsigned entries = 1U << Bucket::kEntries;
    const unsigned equal = matches.equal & ~matches.free & (entries - 1);
    const auto index = static_cast<std::size_t>(std::countr_zero(equal | entries >> 1U));
    found[j] = static_cast<std::uint8_t>(index);
    *missing = {static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(std::countr_zero(matches.free | entries))};
    unsigned is_there = equal != 0 ? 1U : 0U;
    if constexpr (kTailBytes > 0) is_there &= Bucket::state_tail(block.buckets[j], index) == block.tails[j] ? 1U : 0U;
    return 1 - is_there;
}

// Calls note(j, matches, index) for every probe, in order; it returns how many of its notes stay.
template <class Note>
std::size_t find_portable(const ProbeBlock& block, Note note) {
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
        count += note(j, Matches{equal, free}, count);
    }
    return count;
}

#if defined(__x86_64__)
template <class Note>
[[gnu::target("avx2,bmi")]] std::size_t find_avx2(const ProbeBlock& block, Note note) {
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
        count += note(j, Matches{static_cast<unsigned>(equal_bits), static_cast<unsigned>(free_bits)}, count);
    }
    return count;
}
#endif

template <class Note>
std::size_t find(const ProbeBlock& block, Note note) {
#if defined(__x86_64__)
    static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
    if (has_avx2) return find_avx2(block, note);
#endif
    return find_portable(block, note);
}

}  // namespace

std::size_t find_missing(const ProbeBlock& block, const BucketShape& shape, Missing* missing) {
    return with_tail_bytes(shape.tail_bytes, [&](auto tail_bytes) {
        return find(block, [&](std::size_t j, Matches matches, std::size_t count) __attribute__((always_inline)) {
            return note<tail_bytes()>(block, j, matches, missing + count);
        });
    });
}

template <std::size_t kTailBytes>
std::size_t find_numbered(const ProbeBlock& block, std::uint8_t* found, Missing* missing) {
    return find(block, [&](std::size_t j, Matches matches, std::size_t count) __attribute__((always_inline)) {
        return note_numbered<kTailBytes>(block, j, matches, found, missing + count);
    });
}
template std::size_t find_numbered<0>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<1>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<2>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<3>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<4>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<5>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<6>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<7>(const ProbeBlock&, std::uint8_t*, Missing*);
template std::size_t find_numbered<8>(const ProbeBlock&, std::uint8_t*, Missing*);

}  // namespace tideline::store
