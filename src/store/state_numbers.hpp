// An exact map from packed states to numbers of 40 bits, which the caller gives to states as they come: for searches
// that need the number of every successor.
//
// States of up to two words lie in the buckets themselves, as in a StateTable (state_table.hpp), and their numbers
// beside them (numbered_bucket.hpp): a probe has the number from two lines that are fetched together, where a
// NumberedTable must read an entry before it can ask for the record. The price is that a number does not lead to its
// state. Wider states lie in a NumberedTable, whose payload is the number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "store/bucket_array.hpp"
#include "store/numbered_bucket.hpp"
#include "store/numbered_table.hpp"
#include "store/probe.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline::store {

class StateNumbers {
public:
    using Number = std::uint64_t;
    using Shards = BasicShards<2 * kBucketBytes>;
    using Shard = Shards::Shard;
    static constexpr unsigned kNumberBits = 40;

    // The budget must outlive the map. split_bits as for Shards.
    StateNumbers(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
                 unsigned split_bits = Shards::kMostBits);

    [[nodiscard]] std::uint64_t size() const { return wide_ ? wide_->size() : size_; }
    [[nodiscard]] std::size_t state_words() const { return state_words_; }
    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
    // Reserves for this number of states in an empty map, where the budget allows it.
    void reserve(std::uint64_t states);

    struct Insertion {
        Number number;
        bool is_new;
    };
    // The number of a state; give(n) has that of a new one, where n is how many there are before it. Throws
    // std::bad_alloc, and nothing has changed, where it needs memory that the budget does not have.
    template <class Give>
    Insertion insert(const Word* state, std::uint64_t hash, Give give);

    // insert() for the entries pick(0) ... pick(count - 1) of a batch, which has state(i) and hash(i), in this order:
    // the number of entry i goes to numbers[i], and i to `discovered` where it is new. Buckets are prefetched a block
    // ahead.
    template <class Batch, class Pick, class Give>
    void insert_batch(const Batch& batch, std::size_t count, Pick pick, Give give, Number* numbers,
                      std::vector<std::uint32_t>& discovered);
    // Prefetches the first buckets of a batch, where something else can be done before it is inserted.
    template <class Batch, class Pick>
    [[gnu::always_inline]] void prefetch_batch(const Batch& batch, std::size_t count, Pick pick) const {
        if (wide_) wide_->prefetch_batch(batch, count, pick);
        else
            for (std::size_t j = 0; j < std::min(count, kBlock); ++j) prefetch_bucket(bucket(batch.hash(pick(j))));
    }

    // Calls visit(number, state) in no particular order.
    using Visit = std::function<void(Number, const Word*)>;
    void for_each(const Visit& visit) const;

    // Carries all states over to another packing, with their numbers. Throws as insert() does, after which the map may
    // have lost states.
    void repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate);

private:
    static constexpr std::size_t kBlock = ProbeBlock::kSize;  // entries of a batch that are prefetched together

    struct ZeroHash {  // states whose hash is 0, which marks a free entry: as many as there are tails
        std::uint64_t tail;
        Number number;
    };

    [[nodiscard]] Placement placement() const { return {~std::uint64_t{0}, shards_.bits()}; }
    [[nodiscard]] std::size_t tail_bytes() const {
        return state_words_ == 2 ? std::max<std::size_t>(state_bytes_, sizeof(Word) + 1) - sizeof(Word) : 0;
    }
    [[nodiscard]] std::uint64_t tail_of(const Word* state) const { return state_words_ == 2 ? state[1] : 0; }
    [[nodiscard, gnu::always_inline]] const std::byte* bucket(std::uint64_t hash) const {
        const Shard& shard = shards_.of(hash);
        return shard.bucket(placement().home(hash, shard.count));
    }

    [[gnu::always_inline]] static void prefetch_bucket(const std::byte* bucket) {
        support::prefetch_line(bucket);
        support::prefetch_line(bucket + kBucketBytes);
    }

    template <class Give>
    Insertion insert_zero_hash(const Word* state, Give give);
    // For a probe of a block: its bucket and the first free entry there as they were found in that generation.
    template <std::size_t kTailBytes, class Give>
    Insertion insert_missing(const Word* state, std::uint64_t hash, const std::byte* bucket, std::size_t free,
                             std::uint64_t generation, Give give);
    template <std::size_t kTailBytes, class Give>
    Insertion insert_inline(const Word* state, std::uint64_t hash, Give give);
    template <std::size_t kTailBytes, class Batch, class Pick, class Give>
    void insert_blocks(const Batch& batch, std::size_t count, Pick pick, Give give, Number* numbers,
                       std::vector<std::uint32_t>& discovered);
    template <std::size_t kTailBytes>
    void grow(Shard& shard);
    template <std::size_t kTailBytes>
    void visit_buckets(const Shard& shard, std::uint64_t begin, std::uint64_t end, Word* state,
                       const Visit& visit) const;
    // What has been carried over is given back as far as it can be.
    void carry_over_to(StateNumbers& other, const successor::Repacking& translate);

    const MemoryBudget* try_reserve_;
    unsigned split_bits_;
    std::size_t state_words_;
    std::size_t state_bytes_;
    Shards shards_;  // none where states are wide
    std::uint64_t size_ = 0;
    std::vector<ZeroHash> zero_hash_;
    std::unique_ptr<NumberedTable> wide_;
};

template <class Give>
StateNumbers::Insertion StateNumbers::insert_zero_hash(const Word* state, Give give) {
    for (const ZeroHash& each : zero_hash_)
        if (each.tail == tail_of(state)) return {each.number, false};
    zero_hash_.push_back({tail_of(state), give(size_)});
    ++size_;
    return {zero_hash_.back().number, true};
}

template <std::size_t kTailBytes, class Give>
StateNumbers::Insertion StateNumbers::insert_inline(const Word* state, std::uint64_t hash, Give give) {
    using Bucket = NumberedInlineBucket<kTailBytes>;
    if (hash == 0) [[unlikely]]
        return insert_zero_hash(state, give);
    Shard& shard = shards_.of(hash);
    const std::uint64_t tail = tail_of(state);
    for (std::uint64_t at = placement().home(hash, shard.count);; at = shard.next(at)) {
        std::byte* const bucket = shard.bucket(at);
        std::size_t filled = 0;
        for (; filled < Bucket::kEntries && Bucket::entry(bucket, filled) != 0; ++filled)
            if (Bucket::entry(bucket, filled) == hash && Bucket::state_tail(bucket, filled) == tail)
                return {Bucket::number(bucket, filled), false};
        if (filled == Bucket::kEntries) continue;
        if (shard.size == shard.limit) [[unlikely]] {
            grow<kTailBytes>(shard);
            return insert_inline<kTailBytes>(state, hash, give);
        }
        const Number number = give(size_);
        Bucket::write(bucket, filled, hash, {tail, number});
        ++shard.size;
        ++size_;
        return {number, true};
    }
}

template <class Give>
StateNumbers::Insertion StateNumbers::insert(const Word* state, std::uint64_t hash, Give give) {
    if (wide_) {
        const NumberedTable::Insertion inserted = wide_->insert(state, hash);
        if (inserted.is_new) wide_->set_payload(inserted.number, give(inserted.number));
        return {wide_->payload(inserted.number), inserted.is_new};
    }
    return with_tail_bytes(tail_bytes(),
                           [&](auto tail_bytes) { return insert_inline<tail_bytes()>(state, hash, give); });
}

template <class Batch, class Pick, class Give>
void StateNumbers::insert_batch(const Batch& batch, std::size_t count, Pick pick, Give give, Number* numbers,
                                std::vector<std::uint32_t>& discovered) {
    if (!wide_) {
        with_tail_bytes(tail_bytes(), [&](auto tail_bytes) {
            insert_blocks<tail_bytes()>(batch, count, pick, give, numbers, discovered);
        });
        return;
    }
    wide_->insert_batch(batch, count, pick, [&](std::size_t i, const NumberedTable::Insertion& inserted) {
        if (inserted.is_new) {
            wide_->set_payload(inserted.number, give(inserted.number));
            discovered.push_back(static_cast<std::uint32_t>(i));
        }
        numbers[i] = wide_->payload(inserted.number);
    });
}

template <std::size_t kTailBytes, class Give>
[[gnu::always_inline]] inline StateNumbers::Insertion StateNumbers::insert_missing(
    const Word* state, std::uint64_t hash, const std::byte* bucket, std::size_t free, std::uint64_t generation,
    Give give) {
    using Bucket = NumberedInlineBucket<kTailBytes>;
    Shard& shard = shards_.of(hash);
    if (generation != shards_.generation() || hash == 0 || shard.size == shard.limit) [[unlikely]]
        return insert_inline<kTailBytes>(state, hash, give);
    const std::uint64_t tail = kTailBytes > 0 ? state[1] : 0;
    // Entries that have come since then lie where it was free.
    for (; free < Bucket::kEntries; ++free) {
        const std::uint64_t found = Bucket::entry(bucket, free);
        if (found == 0) [[likely]] {
            const Number number = give(size_);
            Bucket::write(shard.buckets + (bucket - shard.buckets), free, hash, {tail, number});
            ++shard.size;
            ++size_;
            return {number, true};
        }
        if (found == hash && Bucket::state_tail(bucket, free) == tail) return {Bucket::number(bucket, free), false};
    }
    return insert_inline<kTailBytes>(state, hash, give);
}

// Whether a state is found cannot be predicted. So a block is first probed without branches, and a number is read in
// any case; then those that were not found in their bucket are inserted, in order.
template <std::size_t kTailBytes, class Batch, class Pick, class Give>
void StateNumbers::insert_blocks(const Batch& batch, std::size_t count, Pick pick, Give give, Number* numbers,
                                 std::vector<std::uint32_t>& discovered) {
    using Bucket = NumberedInlineBucket<kTailBytes>;
    ProbeBlock blocks[2];
    Missing missing[kBlock];
    std::uint8_t found[kBlock];
    const auto aim = [&](ProbeBlock& block, std::size_t begin) {
        block.count = begin < count ? std::min(kBlock, count - begin) : 0;
        for (std::size_t j = 0; j < block.count; ++j) {
            const std::size_t i = pick(begin + j);
            block.hashes[j] = batch.hash(i);
            block.buckets[j] = bucket(block.hashes[j]);
            if constexpr (kTailBytes > 0) block.tails[j] = batch.state(i)[1];
            prefetch_bucket(block.buckets[j]);
        }
    };
    aim(blocks[0], 0);
    for (std::size_t begin = 0, now = 0; begin < count; begin += kBlock, now = 1 - now) {
        const ProbeBlock& block = blocks[now];
        aim(blocks[1 - now], begin + kBlock);
        const std::size_t missing_count = find_numbered<kTailBytes>(block, found, missing);
        for (std::size_t j = 0; j < block.count; ++j)
            numbers[pick(begin + j)] = Bucket::number(block.buckets[j], found[j]);
        const std::uint64_t generation = shards_.generation();
        for (std::size_t m = 0; m < missing_count; ++m) {
            const std::size_t j = missing[m].index;
            const std::size_t i = pick(begin + j);
            const Insertion inserted = insert_missing<kTailBytes>(batch.state(i), block.hashes[j], block.buckets[j],
                                                                  missing[m].free, generation, give);
            numbers[i] = inserted.number;
            if (inserted.is_new) discovered.push_back(static_cast<std::uint32_t>(i));
        }
        // Buckets may have moved.
        if (generation != shards_.generation()) aim(blocks[1 - now], begin + kBlock);
    }
}

}  // namespace tideline::store
