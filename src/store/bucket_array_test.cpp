#include "store/bucket_array.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

// Entries of 64 bits, each with a tail of as many.
struct PairFormat {
    using Tail = std::uint64_t;
    static constexpr std::size_t kEntries = 4;
    static std::uint64_t entry(const std::byte* bucket, std::size_t i) { return load(bucket + i * 8); }
    static std::uint64_t tail(const std::byte* bucket, std::size_t i) { return load(bucket + 32 + i * 8); }
    static void write(std::byte* bucket, std::size_t i, std::uint64_t entry, std::uint64_t tail) {
        std::memcpy(bucket + i * 8, &entry, 8);
        std::memcpy(bucket + 32 + i * 8, &tail, 8);
    }

private:
    static std::uint64_t load(const std::byte* at) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, 8);
        return value;
    }
};

using Contents = std::multimap<std::uint64_t, std::uint64_t>;

Contents contents(const Shard& shard) {
    Contents result;
    for_each_entry<PairFormat>(shard, 0, shard.count,
                               [&](std::uint64_t entry, std::uint64_t tail) { result.emplace(entry, tail); });
    return result;
}

// Every entry is found by linear probing from its home, without a free entry on the way.
void expect_reachable(const Shard& shard, Placement placement, const Contents& expected) {
    for (const auto& [entry, tail] : expected) {
        bool is_found = false;
        for (std::uint64_t at = placement.home(entry, shard.count);; at = shard.next(at)) {
            std::size_t i = 0;
            for (; i < PairFormat::kEntries && PairFormat::entry(shard.bucket(at), i) != 0; ++i)
                is_found |=
                    PairFormat::entry(shard.bucket(at), i) == entry && PairFormat::tail(shard.bucket(at), i) == tail;
            if (is_found || i < PairFormat::kEntries) break;
        }
        ASSERT_TRUE(is_found) << entry;
    }
}

// Also with homes that crowd at the end, so that entries are pushed over the end to the beginning.
TEST(BucketArray, RehashingKeepsEveryEntryWhereProbingFindsIt) {
    for (const std::uint64_t buckets : {2, 3, 17, 1024, 1500}) {
        for (const bool crowded : {false, true}) {
            SCOPED_TRACE(buckets);
            std::mt19937_64 random(buckets);
            Shard shard;
            shard.allocate(buckets);
            const Placement placement;
            Contents expected;
            for (; shard.size < buckets * PairFormat::kEntries * 9 / 10; ++shard.size) {
                const std::uint64_t entry = crowded ? ~(random() >> 4U) : random() | 1U;
                const std::uint64_t tail = random();
                place_entry<PairFormat>(shard, placement, entry, tail);
                expected.emplace(entry, tail);
            }
            expect_reachable(shard, placement, expected);
            const bool in_place = buckets * kBucketBytes >= 64 << 10U;
            const std::uint64_t larger = buckets + buckets / 5 + 1;
            if (in_place) rehash_in_place<PairFormat>(shard, larger, placement);
            else rehash<PairFormat>(shard, larger, placement);
            EXPECT_EQ(shard.count, larger);
            EXPECT_EQ(contents(shard), expected);
            expect_reachable(shard, placement, expected);
        }
    }
}

TEST(BucketArray, ShardsGrowUntilTheTableHasToBeSplit) {
    const MemoryBudget always = [](std::uint64_t) { return true; };
    Shards shards(3, {1.5, 0.8}, PairFormat::kEntries);
    std::mt19937_64 random(1);
    Contents expected;
    const Placement whole;
    for (;;) {
        const std::uint64_t hash = random() | 1U;
        Shard& shard = shards.of(hash);
        if (shard.size == shard.limit && !shards.grow<PairFormat>(shard, whole, always)) break;
        place_entry<PairFormat>(shard, whole, hash, ~hash);
        ++shard.size;
        expected.emplace(hash, ~hash);
    }
    EXPECT_EQ(shards.bits(), 0U);
    EXPECT_EQ(contents(shards.all()[0]), expected);

    std::vector<std::uint64_t> sizes(8);
    for (const auto& [hash, tail] : expected) ++sizes[hash >> 61U];
    std::vector<Shard> parts = shards.split(sizes);
    const Placement in_shard{~std::uint64_t{0}, 3};
    for (const auto& [hash, tail] : expected) place_entry<PairFormat>(parts[hash >> 61U], in_shard, hash, tail);
    shards.install(std::move(parts));
    ASSERT_EQ(shards.bits(), 3U);
    const std::uint64_t generation = shards.generation();
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t hash = random() | 1U;
        Shard& shard = shards.of(hash);
        if (shard.size == shard.limit) {
            ASSERT_TRUE(shards.grow<PairFormat>(shard, in_shard, always));
        }
        place_entry<PairFormat>(shard, in_shard, hash, ~hash);
        ++shard.size;
        expected.emplace(hash, ~hash);
    }
    EXPECT_GT(shards.generation(), generation);
    Contents all;
    for (std::size_t s = 0; s < shards.all().size(); ++s) {
        const Shard& shard = shards.all()[s];
        const Contents part = contents(shard);
        EXPECT_EQ(part.size(), shard.size);
        EXPECT_LE(shard.size, shard.limit);
        for (const auto& [hash, tail] : part) ASSERT_EQ(hash >> 61U, s);
        expect_reachable(shard, in_shard, part);
        all.insert(part.begin(), part.end());
    }
    EXPECT_EQ(all, expected);
}

TEST(BucketArray, AShardThatMayNotGrowBecomesFullerAndThenRefuses) {
    bool is_allowed = true;
    const MemoryBudget budget = [&](std::uint64_t) { return is_allowed; };
    Shards shards(3, {1.5, 0.8}, PairFormat::kEntries);
    Shard& shard = shards.all()[0];
    while (shard.count < 4096) ASSERT_TRUE(shards.grow<PairFormat>(shard, {}, budget));
    is_allowed = false;
    const std::uint64_t count = shard.count;
    const std::uint64_t limit = shard.limit;
    const std::uint64_t generation = shards.generation();
    ASSERT_TRUE(shards.grow<PairFormat>(shard, {}, budget));
    EXPECT_EQ(shard.count, count);
    EXPECT_GT(shard.limit, limit);
    EXPECT_LT(shard.limit, count * PairFormat::kEntries) << "a probe ends at a free entry";
    EXPECT_EQ(shards.generation(), generation);
    EXPECT_THROW((void)shards.grow<PairFormat>(shard, {}, budget), std::bad_alloc);
}

TEST(BucketArray, RoomThatWasReservedIsEnoughAndNotMuchMore) {
    const MemoryBudget always = [](std::uint64_t) { return true; };
    const MemoryBudget never = [](std::uint64_t) { return false; };
    for (const std::uint64_t entries : {10U, 1000U, 1'000'000U}) {
        SCOPED_TRACE(entries);
        Shards shards(6, {1.2, 0.9}, PairFormat::kEntries);
        shards.reserve(entries, always);
        std::uint64_t limit = 0;
        for (const Shard& shard : shards.all()) limit += shard.limit;
        EXPECT_GE(limit, entries);
        EXPECT_LE(limit, entries * 5 / 4 + 16);
        Shards refused(6, {1.2, 0.9}, PairFormat::kEntries);
        refused.reserve(entries, never);
        EXPECT_EQ(refused.all()[0].count == 2, entries > 1000) << "what is hardly noticed needs no permission";
    }
}

}  // namespace
}  // namespace tideline::store
