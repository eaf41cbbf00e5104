#include "store/probe.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "store/bucket_array.hpp"

namespace tideline::store {
namespace {

struct alignas(kBucketBytes) Bucket {
    std::byte bytes[kBucketBytes] = {};
};

template <std::size_t kTailBytes>
class Buckets {
public:
    static constexpr std::size_t kEntries = kEntriesPerBucket<kTailBytes>;
    static constexpr std::uint64_t kTailMask = kTailBytes == 0 ? 0
                                                               : ~std::uint64_t{0} >>
                                                                     (64 - 8 * std::max<std::size_t>(kTailBytes, 1));

    explicit Buckets(std::uint64_t seed) : random_(seed), buckets_(20), filled_(buckets_.size()) {
        for (std::size_t b = 0; b < buckets_.size(); ++b) {
            filled_[b] = random_() % (kEntries + 1);
            for (std::size_t i = 0; i < filled_[b]; ++i) {
                const std::uint64_t hash = random_hash();
                std::memcpy(buckets_[b].bytes + i * sizeof hash, &hash, sizeof hash);
                store_tail<kTailBytes>(buckets_[b].bytes, i, random_() % 3 & kTailMask);
            }
        }
    }

    // Few different ones, so that many are there.
    std::uint64_t random_hash() { return 1 + random_() % 12; }

    // What find_missing() says of random probes is what going through the bucket says.
    void check() {
        ProbeBlock block;
        std::vector<std::size_t> bucket_of;
        block.count = random_() % (ProbeBlock::kSize + 1);
        for (std::size_t j = 0; j < block.count; ++j) {
            bucket_of.push_back(random_() % buckets_.size());
            block.buckets[j] = buckets_[bucket_of[j]].bytes;
            block.hashes[j] = random_() % 50 == 0 ? 0 : random_hash();
            block.tails[j] = random_() % 3 & kTailMask;
        }
        Missing missing[ProbeBlock::kSize];
        const std::size_t count = find_missing(block, {kEntries, kTailBytes}, missing);
        std::size_t next = 0;
        for (std::size_t j = 0; j < block.count; ++j) {
            const std::byte* bucket = block.buckets[j];
            // Of several entries with the hash the first one decides.
            std::size_t first = 0;
            while (first < filled_[bucket_of[j]] && hash_in(bucket, first) != block.hashes[j]) ++first;
            const bool is_there =
                first < filled_[bucket_of[j]] && load_tail<kTailBytes>(bucket, first) == block.tails[j];
            if (is_there) continue;
            ASSERT_LT(next, count);
            EXPECT_EQ(missing[next].index, j);
            EXPECT_EQ(missing[next].free, filled_[bucket_of[j]]);
            ++next;
        }
        EXPECT_EQ(next, count);
    }

private:
    static std::uint64_t hash_in(const std::byte* bucket, std::size_t i) {
        std::uint64_t hash = 0;
        std::memcpy(&hash, bucket + i * sizeof hash, sizeof hash);
        return hash;
    }

    std::mt19937_64 random_;
    std::vector<Bucket> buckets_;
    std::vector<std::size_t> filled_;
};

TEST(Probe, AWholeBlockFindsWhatItsProbesFindOneByOne) {
    for (std::size_t bytes = 0; bytes <= 8; ++bytes) {
        SCOPED_TRACE(bytes);
        with_tail_bytes(bytes, [&](auto tail_bytes) {
            ASSERT_EQ(tail_bytes(), bytes);
            for (std::uint64_t seed = 0; seed < 50; ++seed) {
                Buckets<tail_bytes()> buckets(seed);
                for (int round = 0; round < 10; ++round) buckets.check();
            }
        });
    }
}

TEST(Probe, TailsOfABucketDoNotOverlap) {
    for (std::size_t bytes = 1; bytes <= 8; ++bytes) {
        SCOPED_TRACE(bytes);
        with_tail_bytes(bytes, [&](auto tail_bytes) {
            constexpr std::size_t kEntries = kEntriesPerBucket<tail_bytes()>;
            Bucket bucket;
            const auto tail_of = [bytes](std::size_t i) { return 0x0101010101010101U * (i + 1) >> (64 - 8 * bytes); };
            // In ascending order: a tail may be written over what comes behind it.
            for (std::size_t i = 0; i < kEntries; ++i) store_tail<tail_bytes()>(bucket.bytes, i, tail_of(i));
            for (std::size_t i = 0; i < kEntries; ++i) EXPECT_EQ(load_tail<tail_bytes()>(bucket.bytes, i), tail_of(i));
            for (std::size_t i = 0; i < kEntries * sizeof(std::uint64_t); ++i) EXPECT_EQ(bucket.bytes[i], std::byte{0});
        });
    }
}

}  // namespace
}  // namespace tideline::store
