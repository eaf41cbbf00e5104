// An exact set of packed states in memory, made for probes that miss the cache: one bucket per probe where states are
// small.
//
// States of up to two words lie in the buckets themselves (bucket_array.hpp): an entry is the state with its first word
// replaced by its hash (from which the word comes back, see successor/hash.hpp), so a probe compares hashes and touches
// nothing else; the second word is the entry's tail. A bucket holds its hashes before all tails, so that probe.hpp can
// compare many at a time. Wider states have numbers in a NumberedTable; such a table is `ordered`. An empty table costs
// some three hundred bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "store/bucket_array.hpp"
#include "store/numbered_table.hpp"
#include "store/probe.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline::store {

// The bucket of a table whose states lie in it, with tails of this number of bytes.
template <std::size_t kTailBytes>
struct InlineBucket {
    static constexpr std::size_t kEntries = kEntriesPerBucket<kTailBytes>;
    using Tail = std::uint64_t;

    [[nodiscard]] static std::uint64_t entry(const std::byte* bucket, std::size_t i) {
        std::uint64_t value = 0;
        std::memcpy(&value, bucket + i * sizeof value, sizeof value);
        return value;
    }
    [[nodiscard]] static std::uint64_t tail(const std::byte* bucket, std::size_t i) {
        return load_tail<kTailBytes>(bucket, i);
    }
    // Buckets are filled in order: what lies behind a tail is free, and may be written over.
    [[gnu::always_inline]] static void write(std::byte* bucket, std::size_t i, std::uint64_t entry,
                                             std::uint64_t tail) {
        std::memcpy(bucket + i * sizeof entry, &entry, sizeof entry);
        store_tail<kTailBytes>(bucket, i, tail);
    }
};

class StateTable {
public:
    // The budget must outlive the table. It has 2 to the power of split_bits (not 0) shards once it is large; of
    // several tables that are one set, each may have fewer. An ordered table has room for most_ordered states at most,
    // however much memory there is: tests have smaller ones.
    StateTable(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
               unsigned split_bits = kMostSplitBits, std::uint64_t most_ordered = kMostOrdered);
    static constexpr unsigned kMostSplitBits = Shards::kMostBits;
    static constexpr std::uint64_t kMostOrdered = NumberedTable::kMostStates;

    [[nodiscard]] std::uint64_t size() const { return numbered_ ? numbered_->size() : size_; }
    [[nodiscard]] std::size_t state_words() const { return state_words_; }
    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
    // Whether states are numbered in the order of their arrival and can be read by number.
    [[nodiscard]] bool ordered() const { return numbered_ != nullptr; }
    // Of an ordered table.
    [[nodiscard]] const NumberedTable& numbered() const { return *numbered_; }
    [[nodiscard]] NumberedTable& numbered() { return *numbered_; }

    // Whether the state is new. Throws std::bad_alloc, and nothing has changed, where it needs memory that the budget
    // does not have, or has all the states that it can distinguish.
    bool insert(const Word* state, std::uint64_t hash);
    // Reserves for this number of states in an empty table, where the budget allows it.
    void reserve(std::uint64_t states);
    // insert() for many states that are known to be new and to differ.
    void insert_distinct(const Word* states, std::size_t count);
    [[nodiscard]] bool contains(const Word* state, std::uint64_t hash) const;
    // Brings the bucket of a hash into the cache.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        if (numbered_) numbered_->prefetch(hash);
        else support::prefetch_line(bucket(hash));
    }

    // For probes in blocks, of tables that are not ordered: the bucket of a hash, valid while the generation is the
    // same, which says how often buckets have moved.
    [[nodiscard, gnu::always_inline]] const std::byte* bucket(std::uint64_t hash) const {
        const Shard& shard = shards_.of(hash);
        return shard.bucket(placement().home(hash, shard.count));
    }
    [[nodiscard]] const BucketShape& shape() const { return shape_; }
    [[nodiscard]] std::uint64_t generation() const {
        return numbered_ ? numbered_->generation() : shards_.generation();
    }
    // insert() for a probe of a block: `bucket` and the first free entry in it as they were found in that generation.
    template <std::size_t kTailBytes>
    [[gnu::always_inline]] bool insert_missing(const Word* state, std::uint64_t hash, const std::byte* bucket,
                                               std::size_t free, std::uint64_t generation) {
        using Bucket = InlineBucket<kTailBytes>;
        Shard& shard = shards_.of(hash);
        if (generation != shards_.generation() || hash == 0 || shard.size == shard.limit) [[unlikely]]
            return insert(state, hash);
        // Entries that have come since then lie where it was free.
        for (; free < Bucket::kEntries; ++free) {
            const std::uint64_t found = Bucket::entry(bucket, free);
            if (found == 0) [[likely]] {
                Bucket::write(shard.buckets + (bucket - shard.buckets), free, hash, kTailBytes > 0 ? state[1] : 0);
                ++shard.size;
                ++size_;
                return true;
            }
            if (found == hash && (kTailBytes == 0 || Bucket::tail(bucket, free) == state[1])) return false;
        }
        return insert(state, hash);
    }
    // Where a probe continues when a bucket is full.
    [[nodiscard]] const std::byte* bucket_after(const std::byte* bucket, std::uint64_t hash) const {
        const Shard& shard = shards_.of(hash);
        return bucket + kBucketBytes == shard.bucket(shard.count) ? shard.buckets : bucket + kBucketBytes;
    }

    // The state of this number, of an ordered table.
    void read(std::uint64_t number, Word* state) const { numbered_->read(number, state); }
    // In no particular order, but for an ordered table.
    void for_each(const std::function<void(const Word*)>& visit) const;

    // The same, and the table is empty afterwards: its memory is given back in portions. Ends early where `visit`
    // returns false, which take_all() then returns.
    bool take_all(const std::function<bool(const Word*)>& visit);

    // Carries all states over to another packing; the numbers of an ordered table that stays one remain. Throws as
    // insert() does, after which the table may have lost states.
    void repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate);

private:
    [[nodiscard]] Placement placement() const { return {~std::uint64_t{0}, shards_.bits()}; }
    [[nodiscard]] std::uint64_t tail_of(const Word* state) const { return state_words_ == 2 ? state[1] : 0; }
    template <std::size_t kTailBytes>
    bool insert_inline(const Word* state, std::uint64_t hash);

    // The state whose hash is 0, which marks a free entry, or those, where there are two words.
    bool insert_zero_hash(const Word* state);
    [[nodiscard]] bool contains_zero_hash(const Word* state) const;

    template <std::size_t kTailBytes>
    void grow(Shard& shard);
    void visit_shard(const Shard& shard, std::uint64_t begin, std::uint64_t end, std::vector<Word>& state,
                     const std::function<void(const Word*)>& visit) const;
    void carry_over_to(StateTable& other, const successor::Repacking& translate);

    const MemoryBudget* try_reserve_;
    unsigned split_bits_;
    std::uint64_t most_ordered_;
    std::size_t state_words_;
    std::size_t state_bytes_;
    BucketShape shape_;
    Shards shards_;  // none where the table is ordered
    std::uint64_t size_ = 0;
    std::vector<Word> zero_hash_;              // the states of hash 0, one behind the other
    std::unique_ptr<NumberedTable> numbered_;  // of an ordered table
};

}  // namespace tideline::store
