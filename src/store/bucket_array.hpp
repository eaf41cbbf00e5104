// The buckets of a hash table, as StateTable and NumberedTable have them: cache lines of entries, in shards that grow
// one by one.
//
// An entry is 64 bits, not 0, and perhaps a tail; a Format defines how it lies in a bucket. Its home is the bucket that
// some of its bits scale to, of any number of buckets; where the home is full, it lies in one of the next buckets
// (linear probing), and a bucket is filled from its beginning. So entries are nearly sorted by their homes, and a shard
// grows in place: one pass from the end of the array to its beginning moves every entry up to its new bucket. A large
// table is split by the upper bits of the hash into shards that grow at different times: no growth takes long, two
// whole tables are never in memory, and the average load stays the same.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "support/mapping.hpp"
#include "support/wide.hpp"

namespace tideline::store {

// Asked before something grows noticeably, with the bytes that it is going to take.
using MemoryBudget = std::function<bool(std::uint64_t)>;

inline constexpr std::size_t kBucketBytes = 64;

// What decides the home of an entry: these of its bits, shifted up to the top.
struct Placement {
    std::uint64_t mask = ~std::uint64_t{0};
    unsigned shift = 0;

    [[nodiscard]] std::uint64_t home(std::uint64_t entry, std::uint64_t buckets) const {
        return static_cast<std::uint64_t>((support::UInt128{(entry & mask) << shift} * buckets) >> 64U);
    }
};

// Buckets of this number of bytes, one cache line or two. What is known of a shard is itself one cache line.
template <std::size_t kBytes>
struct alignas(64) BasicShard {
    static constexpr std::size_t kBucketBytes = kBytes;

    std::byte* buckets = nullptr;  // the first one
    std::uint64_t count = 0;       // of buckets
    std::uint64_t size = 0;        // entries
    std::uint64_t limit = 0;       // size at which it must grow
    support::Mapping memory;

    [[nodiscard]] std::byte* bucket(std::uint64_t i) const { return buckets + i * kBucketBytes; }
    [[nodiscard]] std::uint64_t next(std::uint64_t i) const { return i + 1 == count ? 0 : i + 1; }
    // Empty buckets in place of what there was.
    void allocate(std::uint64_t new_count);
};
using Shard = BasicShard<kBucketBytes>;

// By how much a shard grows, and how full it gets before that. The fuller, the longer probes take; the smaller the
// steps, the more time growing takes. Since shards grow at different times, a state takes on average 1 / load * (factor
// - 1) / ln(factor) entries.
struct Growth {
    double factor = 0;
    double load = 0;
};

template <std::size_t kBytes>
class BasicShards {
public:
    using Shard = BasicShard<kBytes>;
    static constexpr unsigned kMostBits = 6;

    // None at all.
    BasicShards() = default;
    // 2 to the power of split_bits (not 0) shards once the table is large; of several tables that are one set, each may
    // have fewer.
    BasicShards(unsigned split_bits, Growth growth, std::size_t entries_per_bucket);

    [[nodiscard]] unsigned bits() const { return bits_; }
    [[nodiscard]] std::uint64_t generation() const { return generation_; }
    [[nodiscard]] const Shard& of(std::uint64_t hash) const { return shards_[(hash >> 1U) >> (63U - bits_)]; }
    [[nodiscard]] Shard& of(std::uint64_t hash) { return shards_[(hash >> 1U) >> (63U - bits_)]; }
    [[nodiscard]] std::vector<Shard>& all() { return shards_; }
    [[nodiscard]] const std::vector<Shard>& all() const { return shards_; }

    // Room for `entries` in an empty table, where the budget has it: as if it had grown to that, shards at different
    // times.
    void reserve(std::uint64_t entries, const MemoryBudget& try_reserve);

    // Makes room for one entry more in a shard whose size has reached its limit, within the budget; throws
    // std::bad_alloc where there is none. False: nothing has been done, the table has to be split first. Shards stay
    // where they are, buckets do not.
    template <class Format>
    [[nodiscard]] bool grow(Shard& shard, Placement placement, const MemoryBudget& try_reserve);
    // Empty shards for this number of entries each, to be filled with fill<Format>() by the caller and then installed.
    // The first one is about to grow, the last one has just grown, the others lie in between.
    [[nodiscard]] std::vector<Shard> split(const std::vector<std::uint64_t>& sizes) const;
    void install(std::vector<Shard> shards);
    [[nodiscard]] unsigned split_bits() const { return split_bits_; }

private:
    static constexpr std::uint64_t kFirstBuckets = 2;
    static constexpr std::uint64_t kBucketsBeforeShards = (std::uint64_t{2} << 20U) / kBytes;
    static constexpr std::uint64_t kSmallestInPlace = std::uint64_t{64}
                                                      << 10U;  // bytes that stay aligned wherever they are moved
    static constexpr double kHighestLoad = 0.95;               // where growing is not permitted

    [[nodiscard]] std::uint64_t limit_of(std::uint64_t buckets, double load) const {
        return static_cast<std::uint64_t>(static_cast<double>(buckets * entries_per_bucket_) * load);
    }
    // At least as many buckets as have room for the entries.
    [[nodiscard]] std::uint64_t buckets_for(std::uint64_t entries) const;
    [[nodiscard]] double phase(std::size_t shard, std::size_t count) const;

    unsigned split_bits_ = kMostBits;
    unsigned bits_ = 0;
    std::size_t entries_per_bucket_ = 0;
    Growth growth_{};
    std::uint64_t generation_ = 0;  // how often buckets have moved
    std::vector<Shard> shards_;
};
using Shards = BasicShards<kBucketBytes>;

// Growth below this needs no permission.
inline constexpr std::uint64_t kUnnoticedBytes = std::uint64_t{64} << 10U;
inline bool is_granted(const MemoryBudget& try_reserve, std::uint64_t bytes) {
    return bytes < kUnnoticedBytes || try_reserve(bytes);
}

// ---- algorithms over the buckets of one shard. Format: kEntries, Tail, entry(bucket, i), tail(bucket, i),
// write(bucket, i, entry, tail) ----------

// Calls visit(entry, tail) for the entries of some buckets.
template <class Format, std::size_t kBytes, class Visit>
void for_each_entry(const BasicShard<kBytes>& shard, std::uint64_t begin, std::uint64_t end, Visit visit) {
    for (std::uint64_t at = begin; at < end; ++at) {
        const std::byte* bucket = shard.bucket(at);
        for (std::size_t i = 0; i < Format::kEntries && Format::entry(bucket, i) != 0; ++i)
            visit(Format::entry(bucket, i), Format::tail(bucket, i));
    }
}

// For an entry that is known to be new. The caller counts it.
template <class Format, std::size_t kBytes>
void place_entry(const BasicShard<kBytes>& shard, Placement placement, std::uint64_t entry,
                 const typename Format::Tail& tail) {
    std::uint64_t at = placement.home(entry, shard.count);
    while (Format::entry(shard.bucket(at), Format::kEntries - 1) != 0) [[unlikely]]
        at = shard.next(at);
    std::byte* const bucket = shard.bucket(at);
    // All are examined: their number cannot be predicted.
    std::size_t filled = 0;
    for (std::size_t i = 0; i + 1 < Format::kEntries; ++i) filled += Format::entry(bucket, i) != 0;
    Format::write(bucket, filled, entry, tail);
}

// Into new buckets.
template <class Format, std::size_t kBytes>
void rehash(BasicShard<kBytes>& shard, std::uint64_t buckets, Placement placement) {
    BasicShard<kBytes> larger;
    larger.allocate(buckets);
    larger.size = shard.size;
    // Without a branch that depends on the contents: a free entry is written to a free position, which does not count
    // as filled by it.
    std::vector<std::uint8_t> filled(buckets);
    for (std::uint64_t from = 0; from < shard.count; ++from) {
        const std::byte* bucket = shard.bucket(from);
        for (std::size_t i = 0; i < Format::kEntries; ++i) {
            const std::uint64_t entry = Format::entry(bucket, i);
            std::uint64_t at = placement.home(entry, buckets);
            while (filled[at] == Format::kEntries && entry != 0) [[unlikely]]
                at = larger.next(at);
            if (filled[at] == Format::kEntries) [[unlikely]]
                continue;
            Format::write(larger.bucket(at), filled[at], entry, Format::tail(bucket, i));
            filled[at] += entry != 0;
        }
    }
    shard = std::move(larger);
}

// Block by block from the end. An entry's new bucket is not before its old one but for those that had been pushed on,
// so nearly all go to buckets that have been read and cleared already; the others are held until theirs are.
template <class Format, std::size_t kBytes>
void rehash_in_place(BasicShard<kBytes>& shard, std::uint64_t buckets, Placement placement) {
    constexpr std::uint64_t kBlock = 64;
    struct Deferred {
        std::uint64_t entry;
        typename Format::Tail tail;
    };
    std::byte block[kBlock * kBytes];
    std::vector<std::uint8_t> filled_positions(buckets);
    std::vector<Deferred> waiting;
    std::vector<Deferred> deferred;
    const std::uint64_t before = shard.count;
    shard.memory.grow_resident(buckets * kBytes + kBytes);
    std::byte* const first = shard.memory.data();
    std::uint8_t* const filled = filled_positions.data();
    shard.buckets = first;
    shard.count = buckets;
    std::uint64_t cleared = before;  // buckets from here on have been read
    const auto place = [&](std::uint64_t entry, const typename Format::Tail& tail, std::uint64_t from) {
        std::uint64_t at = placement.home(entry, buckets);
        while (at >= from && filled[at] == Format::kEntries) [[unlikely]]
            at = at + 1 == buckets ? 0 : at + 1;
        if (at < from) [[unlikely]]
            deferred.push_back({entry, tail});
        else Format::write(first + at * kBytes, filled[at]++, entry, tail);
    };
    const auto place_waiting = [&](std::uint64_t from) {
        waiting.swap(deferred);
        deferred.clear();
        for (const Deferred& each : waiting) place(each.entry, each.tail, from);
    };
    while (cleared > 0) {
        const std::uint64_t begin = cleared - std::min(cleared, kBlock);
        const std::size_t bytes = (cleared - begin) * kBytes;
        std::memcpy(block, first + begin * kBytes, bytes);
        std::memset(first + begin * kBytes, 0, bytes);
        cleared = begin;
        place_waiting(begin);
        for (std::size_t at = 0; at < bytes; at += kBytes) {
            const std::byte* bucket = block + at;
            for (std::size_t i = 0; i < Format::kEntries && Format::entry(bucket, i) != 0; ++i)
                place(Format::entry(bucket, i), Format::tail(bucket, i), begin);
        }
    }
    place_waiting(0);
    assert(deferred.empty());
}

template <std::size_t kBytes>
template <class Format>
bool BasicShards<kBytes>::grow(Shard& shard, Placement placement, const MemoryBudget& try_reserve) {
    const bool is_split = bits_ == 0 && shard.count >= kBucketsBeforeShards;
    // Of several tables that are one set, each grows as a shard does.
    const bool is_shard =
        bits_ > 0 || is_split || (split_bits_ < kMostBits && shard.count * kBytes >= kSmallestInPlace);
    const double factor = is_shard ? growth_.factor : 2;
    const std::uint64_t buckets = static_cast<std::uint64_t>(static_cast<double>(shard.count) * factor) + 1;
    const bool in_place = !is_split && shard.count * kBytes >= kSmallestInPlace;
    if (is_granted(try_reserve, (in_place ? buckets - shard.count : buckets) * kBytes)) {
        ++generation_;
        if (is_split) return false;
        if (in_place) rehash_in_place<Format>(shard, buckets, placement);
        else rehash<Format>(shard, buckets, placement);
        shard.limit = limit_of(buckets, growth_.load);
        return true;
    }
    const std::uint64_t highest = limit_of(shard.count, kHighestLoad);
    if (shard.limit >= highest) throw std::bad_alloc();
    shard.limit = highest;
    return true;
}

// grow() of one of many shards, whose entries have their whole hashes; splits the first one. May move the shards: the
// caller finds its own again.
template <class Format, std::size_t kBytes>
void grow_or_split(BasicShards<kBytes>& shards, BasicShard<kBytes>& shard, const MemoryBudget& try_reserve) {
    if (shards.template grow<Format>(shard, {~std::uint64_t{0}, shards.bits()}, try_reserve)) return;
    const unsigned bits = shards.split_bits();
    std::vector<std::uint64_t> sizes(std::size_t{1} << bits);
    for_each_entry<Format>(shard, 0, shard.count, [&](std::uint64_t entry, const typename Format::Tail& /*tail*/) {
        ++sizes[entry >> (64U - bits)];
    });
    std::vector<BasicShard<kBytes>> parts = shards.split(sizes);
    for_each_entry<Format>(shard, 0, shard.count, [&](std::uint64_t entry, const typename Format::Tail& tail) {
        place_entry<Format>(parts[entry >> (64U - bits)], {~std::uint64_t{0}, bits}, entry, tail);
    });
    shards.install(std::move(parts));
}

// Calls visit(shard, begin, end) for ranges of buckets, all of them once, each of which is then given back.
//
// Entries lie in the order of their hashes, which those of another packing may resemble: taken in that order they would
// all belong into the first buckets of a table that has yet to grow, and be pushed on from bucket to bucket. So every
// kStride-th page of all shards comes first, then the next ones.
template <std::size_t kBytes, class Visit>
void give_back_in_strides(BasicShards<kBytes>& shards, Visit visit) {
    constexpr std::uint64_t kStride = 16;
    constexpr std::uint64_t kPageBuckets = 4096 / kBytes;
    for (std::uint64_t phase = 0; phase < kStride; ++phase)
        for (BasicShard<kBytes>& shard : shards.all())
            for (std::uint64_t at = phase * kPageBuckets; at < shard.count; at += kStride * kPageBuckets) {
                visit(shard, at, std::min(at + kPageBuckets, shard.count));
                shard.memory.give_back(at * kBytes, kPageBuckets * kBytes);
            }
}

}  // namespace tideline::store
