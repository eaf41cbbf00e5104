// An exact map from packed states to numbers: 0, 1, 2, ... in the order of insertion. A state is found by its hash and
// read by its number, which never changes.
//
// States lie in records, one after the other in the order of their numbers, each with a payload of up to eight bytes
// that belongs to the caller: a number, or what a search stores with a state. The index (bucket_array.hpp) finds them:
// an entry is a tag, 24 bits of the hash, and the state's number + 1. A bucket holds the upper halves of its eight
// entries (tag, upper bits of the number) before the lower ones, so a probe compares eight tags at a time; a tag is
// never 0, so an upper half of 0 is a free entry whatever the number. The tag alone decides where in its shard an entry
// lies, so the index grows without reading the records. (Of a table with more than 2^33 states the tags do not name
// every bucket any more, and probes get longer; nothing else changes.)
//
// A table belongs to one thread at a time. Of several tables that are one set, number * tables + table is unique and
// nearly dense.
//
// What was tried and lost: entries of six bytes with a tag of 16 bits have to read all states whenever a shard grows,
// which costs more than the bytes save; one comparison of whole 64-bit entries takes twice the instructions of
// comparing the upper halves. A batch in steps without branches (buckets, then the record of the first entry with the
// tag, then the comparison), as StateTable has it: a new state is probed twice, and nothing is gained (peterson.4,
// where 29 % of the states of a batch are new).
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/bucket_array.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline::store {

using successor::Word;

// The bucket of a NumberedTable. An entry as 64 bits: the tag, then the number + 1.
struct NumberedBucket {
    static constexpr std::size_t kEntries = 8;
    static constexpr unsigned kNumberBits = 40;
    static constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
    static constexpr Placement kPlacement{~kNumberMask, 0};
    using Tail = std::uint64_t;

    // The tag of a hash in a table of 2^shard_bits shards, in the upper bits of an entry.
    [[nodiscard]] static std::uint64_t tag(std::uint64_t hash, unsigned shard_bits) {
        const std::uint64_t bits = (hash << shard_bits) & ~kNumberMask;
        return bits != 0 ? bits : std::uint64_t{1} << kNumberBits;
    }
    [[nodiscard]] static std::uint64_t entry(const std::byte* bucket, std::size_t i) {
        return std::uint64_t{half(bucket, i)} << 32U | half(bucket, kEntries + i);
    }
    [[nodiscard]] static std::uint64_t tail(const std::byte* /*bucket*/, std::size_t /*i*/) { return 0; }
    static void write(std::byte* bucket, std::size_t i, std::uint64_t entry, std::uint64_t /*tail*/) {
        set_half(bucket, i, static_cast<std::uint32_t>(entry >> 32U));
        set_half(bucket, kEntries + i, static_cast<std::uint32_t>(entry));
    }
    [[nodiscard]] static std::uint64_t number(const std::byte* bucket, std::size_t i) {
        return (entry(bucket, i) & kNumberMask) - 1;
    }
    [[nodiscard]] static bool is_full(const std::byte* bucket) { return half(bucket, kEntries - 1) != 0; }
    // There is one.
    [[nodiscard]] static std::size_t first_free(const std::byte* bucket) {
        return static_cast<std::size_t>(std::countr_zero(matches(bucket, 0)));
    }
    // Bit i: the i-th entry has this tag.
    [[nodiscard]] static unsigned matches(const std::byte* bucket, std::uint64_t tag) {
        const auto wanted = static_cast<std::uint32_t>(tag >> 32U);
#if defined(__SSE2__)
        const __m128i all = _mm_set1_epi32(static_cast<int>(wanted));
        const __m128i mask = _mm_set1_epi32(static_cast<int>(kTagMask));
        const auto compare = [&](std::size_t n) {
            const __m128i halves = _mm_load_si128(reinterpret_cast<const __m128i*>(bucket) + n);
            return _mm_cmpeq_epi32(_mm_and_si128(halves, mask), all);
        };
        return static_cast<unsigned>(
            _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(compare(0), compare(1)), _mm_setzero_si128())));
#else
        unsigned equal = 0;
        for (unsigned i = 0; i < kEntries; ++i)
            equal |= static_cast<unsigned>((half(bucket, i) & kTagMask) == wanted) << i;
        return equal;
#endif
    }

private:
    static constexpr std::uint32_t kTagMask = 0xFFFFFF00U;  // of an upper half

    [[nodiscard]] static std::uint32_t half(const std::byte* bucket, std::size_t i) {
        std::uint32_t value = 0;
        std::memcpy(&value, bucket + i * sizeof value, sizeof value);
        return value;
    }
    static void set_half(std::byte* bucket, std::size_t i, std::uint32_t value) {
        std::memcpy(bucket + i * sizeof value, &value, sizeof value);
    }
};

class NumberedTable {
public:
    using Number = std::uint64_t;
    static constexpr unsigned kNumberBits = NumberedBucket::kNumberBits;
    static constexpr Number kMostStates =
        NumberedBucket::kNumberMask - 1;  // number + 1 fits, and all bits set is no number of a state

    // Bytes of the index per state: 9.8, or 11.5 where growing takes a third of the time.
    static constexpr Growth kSmall{1.2, 0.9};
    static constexpr Growth kFast{1.5, 0.86};

    struct Settings {
        std::size_t payload_bytes = 0;  // 0 to 8
        Growth growth = kSmall;
        unsigned split_bits = Shards::kMostBits;  // see Shards
        Number most_states = kMostStates;         // fewer in tests
    };

    // The budget must outlive the table.
    NumberedTable(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
                  const Settings& settings);
    NumberedTable(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve)
        : NumberedTable(state_words, state_bytes, try_reserve, Settings{}) {}

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::size_t state_words() const { return state_words_; }
    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
    // How often buckets have moved.
    [[nodiscard]] std::uint64_t generation() const { return shards_.generation(); }

    struct Insertion {
        Number number;
        bool is_new;  // its payload is 0 then
    };
    // Throws std::bad_alloc, and nothing has changed, where it needs memory that the budget does not have, or all
    // numbers are in use.
    Insertion insert(const Word* state, std::uint64_t hash) { return insert_from(home_of(hash), state, hash); }
    [[nodiscard]] std::optional<Number> find(const Word* state, std::uint64_t hash) const {
        const Probe probe = probe_from(home_of(hash), state, hash);
        return probe.is_found ? std::optional(probe.number) : std::nullopt;
    }

    // insert() for the entries pick(0) ... pick(count - 1) of a batch, which has state(i) and hash(i); calls visit(i,
    // insertion) in this order. What is to be probed is prefetched some entries ahead.
    template <class Batch, class Pick, class Visit>
    void insert_batch(const Batch& batch, std::size_t count, Pick pick, Visit visit);
    // Prefetches the first buckets of a batch, where something else can be done before it is inserted.
    template <class Batch, class Pick>
    [[gnu::always_inline]] void prefetch_batch(const Batch& batch, std::size_t count, Pick pick) const {
        for (std::size_t j = 0; j < std::min(count, kBlock); ++j) prefetch(batch.hash(pick(j)));
    }
    // insert() for states that are known to be new and to differ, one after the other.
    void insert_distinct(const Word* states, std::size_t count);
    // Reserves for this number of states in an empty table, where the budget allows it.
    void reserve(std::uint64_t states);

    void read(Number number, Word* state) const {
        assert(number < size_);
        read_record(number, state);
    }
    [[nodiscard]] std::uint64_t payload(Number number) const {
        assert(number < size_);
        return load(record_of(number) + state_bytes_) & payload_mask_;
    }
    void set_payload(Number number, std::uint64_t payload) {
        assert(number < size_ && (payload & ~payload_mask_) == 0);
        std::byte* const at = record_of(number) + state_bytes_;
        // The bytes of the next record stay what they are.
        const std::uint64_t word = (load(at) & ~payload_mask_) | payload;
        std::memcpy(at, &word, sizeof word);
    }

    // Calls visit(number, state) in the order of numbers.
    template <class Visit>
    void for_each(Visit visit) const {
        std::vector<Word> state(state_words_);
        for (Number number = 0; number < size_; ++number) {
            read_record(number, state.data());
            visit(number, std::as_const(state).data());
        }
    }

    // Brings the bucket of a hash into the cache, or the record that it leads to once that is there, or a record.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const { support::prefetch_line(home_of(hash).bucket); }
    [[gnu::always_inline]] void prefetch_state(std::uint64_t hash) const { prefetch_state(home_of(hash), hash); }
    [[gnu::always_inline]] void prefetch_record(Number number) const { support::prefetch_line(record_of(number)); }

    // Carries all states over to another packing; numbers and payloads remain. Throws std::bad_alloc where the records
    // become too large for the budget; nothing has changed then. (Where the system itself is out of memory, states may
    // not be found any more.)
    void repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate);

private:
    static constexpr std::size_t kBlock = 64;  // entries of a batch that are prefetched together

    // Where the search for a hash begins, and what it looks for there.
    struct Home {
        std::byte* bucket;
        std::uint64_t tag;
    };
    struct Probe {
        bool is_found;
        Number number;      // where it is
        std::byte* bucket;  // where it is not: the first one with a free entry
    };

    static std::uint64_t load(const std::byte* at) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    [[nodiscard, gnu::always_inline]] Home home_of(std::uint64_t hash) const {
        const Shard& shard = shards_.of(hash);
        const std::uint64_t tag = NumberedBucket::tag(hash, shards_.bits());
        return {shard.bucket(NumberedBucket::kPlacement.home(tag, shard.count)), tag};
    }
    [[nodiscard]] std::byte* bucket_after(const std::byte* bucket, std::uint64_t hash) const {
        const Shard& shard = shards_.of(hash);
        return shard.bucket(shard.next(static_cast<std::uint64_t>(bucket - shard.buckets) / kBucketBytes));
    }
    // A record and the eight bytes behind it can be read.
    [[nodiscard]] const std::byte* record_of(Number number) const { return records_.data() + number * record_bytes_; }
    [[nodiscard]] std::byte* record_of(Number number) { return records_.data() + number * record_bytes_; }
    [[nodiscard]] bool holds(Number number, const Word* state) const {
        const std::byte* record = record_of(number);
        const std::size_t last = compared_words_ - 1;
        for (std::size_t i = 0; i < last; ++i)
            if (load(record + i * sizeof(Word)) != state[i]) return false;
        return ((load(record + last * sizeof(Word)) ^ state[last]) & last_mask_) == 0;
    }
    [[nodiscard]] Probe probe_from(Home home, const Word* state, std::uint64_t hash) const {
        for (;; home.bucket = bucket_after(home.bucket, hash)) {
            for (unsigned equal = NumberedBucket::matches(home.bucket, home.tag); equal != 0; equal &= equal - 1) {
                const Number number =
                    NumberedBucket::number(home.bucket, static_cast<std::size_t>(std::countr_zero(equal)));
                if (holds(number, state)) return {true, number, nullptr};
            }
            if (!NumberedBucket::is_full(home.bucket)) return {false, 0, home.bucket};
        }
    }
    Insertion insert_from(Home home, const Word* state, std::uint64_t hash) {
        const Probe probe = probe_from(home, state, hash);
        return probe.is_found ? Insertion{probe.number, false} : append(state, hash, probe.bucket, home.tag);
    }
    [[gnu::always_inline]] void prefetch_state(Home home, std::uint64_t hash) const {
        const unsigned equal = NumberedBucket::matches(home.bucket, home.tag);
        if (equal != 0)
            prefetch_record(NumberedBucket::number(home.bucket, static_cast<std::size_t>(std::countr_zero(equal))));
        else if (NumberedBucket::is_full(home.bucket)) support::prefetch_line(bucket_after(home.bucket, hash));
    }
    void read_record(Number number, Word* state) const {
        const std::byte* record = record_of(number);
        const std::size_t last = compared_words_ - 1;
        for (std::size_t i = 0; i < last; ++i) state[i] = load(record + i * sizeof(Word));
        state[last] = load(record + last * sizeof(Word)) & last_mask_;
        for (std::size_t i = last + 1; i < state_words_; ++i) state[i] = 0;
    }

    // A state that is not there, whose first free entry is in this bucket.
    Insertion append(const Word* state, std::uint64_t hash, std::byte* bucket, std::uint64_t tag);
    void write_record(Number number, const Word* state);
    void add_entry(std::uint64_t hash);
    void grow_records();
    void grow_index(std::uint64_t hash);
    void split_index();
    void set_packing(std::size_t state_words, std::size_t state_bytes);
    // Makes all entries from the records, in an empty index.
    void add_entries();

    const MemoryBudget* try_reserve_;
    Settings settings_;
    Shards shards_;
    std::size_t state_words_ = 0;
    std::size_t state_bytes_ = 0;
    std::size_t compared_words_ = 0;  // those that have bytes of the state,
    std::uint64_t last_mask_ = 0;     // and which bits of the last one
    std::uint64_t payload_mask_ = 0;
    std::size_t record_bytes_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t capacity_ = 0;  // records that may be written without asking; never more than settings_.most_states
    support::Mapping records_;
};

template <class Batch, class Pick, class Visit>
void NumberedTable::insert_batch(const Batch& batch, std::size_t count, Pick pick, Visit visit) {
    Home homes[2][kBlock];
    std::uint64_t generation = shards_.generation();
    const auto find_homes = [&](Home* block, std::size_t begin, std::size_t end) {
        for (std::size_t j = begin; j < end; ++j) {
            block[j - begin] = home_of(batch.hash(pick(j)));
            support::prefetch_line(block[j - begin].bucket);
        }
    };
    find_homes(homes[0], 0, std::min(kBlock, count));
    for (std::size_t begin = 0, n = 0; begin < count; begin += kBlock, ++n) {
        const std::size_t end = std::min(begin + kBlock, count);
        const Home* const block = homes[n % 2];
        for (std::size_t j = begin; j < end; ++j) prefetch_state(block[j - begin], batch.hash(pick(j)));
        find_homes(homes[(n + 1) % 2], end, std::min(end + kBlock, count));
        for (std::size_t j = begin; j < end; ++j) {
            const std::size_t i = pick(j);
            const std::uint64_t hash = batch.hash(i);
            // Buckets may move while states are inserted.
            visit(i, insert_from(generation == shards_.generation() ? block[j - begin] : home_of(hash), batch.state(i),
                                 hash));
        }
        if (generation == shards_.generation()) continue;
        generation = shards_.generation();
        find_homes(homes[(n + 1) % 2], end, std::min(end + kBlock, count));
    }
}

}  // namespace tideline::store
