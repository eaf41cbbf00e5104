// An exact set of packed states in memory, made for look-ups that miss the cache: one line a look-up where states are small.
//
// States of up to two words lie in the table itself: an entry is the state with its first word replaced by its hash (from which the word
// comes back, see successor/hash.hpp), so a look-up compares hashes and touches nothing else. Wider states lie in an arena in the order
// of their arrival, and an entry is the upper half of the hash and the state's number; such a table is `ordered`.
//
// The table is an array of cache lines, which look_up.hpp searches. An entry lies in the line of its hash or, where that is full, in one of
// the next; a line is filled from its beginning, hashes before all rests. The line is the hash scaled to the number of lines, any number, so entries are nearly sorted by hash, and
// growing goes through the array once, from its end, and moves every entry up to its new line. A large table is cut by the hash's upper bits into shards that grow one by one, each
// at its own time: no growth takes long, never are two whole tables in memory, and the average load stays the same. An empty table costs
// some three hundred bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/look_up.hpp"
#include "successor/system.hpp"
#include "support/mapping.hpp"
#include "support/prefetch.hpp"
#include "support/wide.hpp"

namespace tideline {

// Asked before something grows noticeably, with the bytes it is going to take.
using Permission = std::function<bool(std::uint64_t)>;

class StateTable {
public:
    // The permission must outlive the table. It has 2 to the power of cut_bits (not 0) shards once it is large; of several tables that are one set,
    // each may have fewer. An ordered table has room for most_ordered states at most, however much memory there is: tests have smaller ones.
    StateTable(std::size_t state_words, std::size_t state_bytes, const Permission& may_allocate, unsigned cut_bits = kMostCutBits,
               std::uint64_t most_ordered = kMostOrdered);
    static constexpr unsigned kMostCutBits = 6;
    static constexpr std::uint64_t kMostOrdered = (std::uint64_t{1} << 32U) - 1;  // what the number in an entry can tell

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::size_t state_words() const { return state_words_; }
    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }
    // Whether states are numbered in the order of their arrival and can be read by number.
    [[nodiscard]] bool ordered() const { return format_ == Format::wide; }

    // Whether the state is new. Throws std::bad_alloc, and nothing has changed, where it needs room and is not permitted to have it, or has
    // all the states that it can tell apart.
    bool insert(const Word* state, std::uint64_t hash);
    // Room for so many states in an empty table, where it may be had.
    void make_room(std::uint64_t states);
    // insert() for many states that are known to be new and to differ.
    void insert_distinct(const Word* states, std::size_t count);
    [[nodiscard]] bool contains(const Word* state, std::uint64_t hash) const;
    // Brings the place of a hash into the cache.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        const Shard& shard = shard_of(hash);
        prefetch_line(shard.lines + line_of(shard, hash) * kLine);
    }
    // For look-ups in blocks, of tables that are not ordered: valid until the next insertion.
    [[nodiscard, gnu::always_inline]] const std::byte* line(std::uint64_t hash) const {
        const Shard& shard = shard_of(hash);
        return shard.lines + line_of(shard, hash) * kLine;
    }
    [[nodiscard]] const LineShape& shape() const { return shape_; }
    // How often lines have moved.
    [[nodiscard]] std::uint64_t growths() const { return growths_; }
    // insert() for a look-up of a block: `line` and the first free entry in it as they were found, after that many growths.
    template <std::size_t kRestBytes>
    [[gnu::always_inline]] bool insert_missing(const Word* state, std::uint64_t hash, const std::byte* its_line, std::size_t free,
                                               std::uint64_t growths) {
        Shard& shard = shard_of(hash);
        if (growths != growths_ || hash == 0 || shard.size == shard.limit) [[unlikely]] return insert(state, hash);
        // Entries that have come since then lie where it was free.
        for (; free < kEntriesOfLine<kRestBytes>; ++free) {
            const std::uint64_t found = entry(its_line, free);
            if (found == 0) [[likely]] {
                write<kRestBytes>(shard.lines + (its_line - shard.lines), free, hash, kRestBytes > 0 ? state[1] : 0);
                ++shard.size;
                ++size_;
                return true;
            }
            if (found == hash && (kRestBytes == 0 || load_rest<kRestBytes>(its_line, free) == state[1])) return false;
        }
        return insert(state, hash);
    }
    // Where a look-up goes on when a line is full.
    [[nodiscard]] const std::byte* line_after(const std::byte* its_line, std::uint64_t hash) const {
        const Shard& shard = shard_of(hash);
        return its_line + kLine == shard.lines + shard.count * kLine ? shard.lines : its_line + kLine;
    }
    // The same for the state itself, of an ordered table, or for the next place, once the first one is there.
    [[gnu::always_inline]] void prefetch_state(std::uint64_t hash) const {
        const Shard& shard = shard_of(hash);
        const std::byte* its_line = shard.lines + line_of(shard, placing(hash)) * kLine;
        const TagMatches matches = match_tags(its_line, hash);
        if (matches.equal != 0)
            prefetch_line(arena_state(entry(its_line, TagMatches::first_of(matches.equal))));
        else if (matches.free == 0)
            prefetch_line(line_after(its_line, hash));
    }
    // The state of this number, of an ordered table.
    void read(std::uint64_t number, Word* state) const;
    // In no particular order, but for an ordered table.
    void for_each(const std::function<void(const Word*)>& visit) const;

    // Carries all states over to another packing; the numbers of an ordered table that stays one remain. Throws as insert() does,
    // after which the table may have lost states.
    void repack(std::size_t state_words, std::size_t state_bytes, const std::function<void(const Word*, Word*)>& translate);

private:
    enum class Format : std::uint8_t { one_word, two_words, wide };

    struct Shard {
        Mapping memory;
        std::byte* lines = nullptr;  // the first one
        std::uint64_t count = 0;     // of lines
        std::uint64_t size = 0;
        std::uint64_t limit = 0;     // size at which it must grow
    };
    static constexpr std::size_t kLine = 64;

    // A wide entry: the upper half of the hash, then the state's number + 1.
    static constexpr unsigned kNumberBits = 32;
    static constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
    static_assert(kMostOrdered <= kNumberMask, "number + 1 fits, and is not 0, which marks a free entry");

    [[nodiscard]] const Shard& shard_of(std::uint64_t hash) const { return shards_[(hash >> 1U) >> (63U - shard_bits_)]; }
    [[nodiscard]] Shard& shard_of(std::uint64_t hash) { return shards_[(hash >> 1U) >> (63U - shard_bits_)]; }
    [[nodiscard]] std::uint64_t line_of(const Shard& shard, std::uint64_t hash) const {
        return static_cast<std::uint64_t>((UInt128{hash << shard_bits_} * shard.count) >> 64U);
    }
    static std::uint64_t next_line(const Shard& shard, std::uint64_t line) { return line + 1 == shard.count ? 0 : line + 1; }
    static std::uint64_t load(const std::byte* at) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    // An entry of a line: the hash (or tag and number), and what it stands for beside that.
    [[nodiscard]] static std::uint64_t entry(const std::byte* line, std::size_t i) { return load(line + i * sizeof(std::uint64_t)); }
    [[nodiscard]] std::uint64_t rest(const std::byte* line, std::size_t i) const {
        return with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) { return load_rest<rest_bytes()>(line, i); });
    }
    [[nodiscard]] std::uint64_t rest_of(const Word* state) const { return format_ == Format::two_words ? state[1] : 0; }
    // Lines are filled in order: what lies behind a rest is free, and may be written over.
    template <std::size_t kRestBytes>
    [[gnu::always_inline]] static void write(std::byte* line, std::size_t i, std::uint64_t its_entry, std::uint64_t its_rest) {
        std::memcpy(line + i * sizeof its_entry, &its_entry, sizeof its_entry);
        store_rest<kRestBytes>(line, i, its_rest);
    }
    void write(std::byte* line, std::size_t i, std::uint64_t its_entry, std::uint64_t its_rest) const {
        with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) { write<rest_bytes()>(line, i, its_entry, its_rest); });
    }
    [[nodiscard]] static std::size_t filled(const std::byte* line, const LineShape& shape) {
        if (entry(line, 0) == 0) return 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < shape.entries; ++i) count += entry(line, i) != 0;
        return count;
    }
    [[nodiscard]] bool line_holds(const std::byte* line, const Word* state, std::uint64_t hash) const;

    // Of the entries of a line of an ordered table, bits 2i and 2i + 1: the i-th has the tag of the hash, or is free.
    struct TagMatches {
        unsigned equal;
        unsigned free;
        [[nodiscard]] static std::size_t first_of(unsigned bits) { return static_cast<std::size_t>(std::countr_zero(bits)) / 2; }
    };
    [[nodiscard]] static TagMatches match_tags(const std::byte* line, std::uint64_t hash) {
#if defined(__SSE2__)
        // Bytes of the comparisons of the sixteen halves of entries: numbers first, which are 0 in free entries alone, then tags.
        const auto compare = [&](__m128i with) {
            const auto quarter = [&](std::size_t n) { return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(line) + n), with); };
            return static_cast<unsigned>(_mm_movemask_epi8(
                _mm_packs_epi16(_mm_packs_epi32(quarter(0), quarter(1)), _mm_packs_epi32(quarter(2), quarter(3)))));
        };
        const unsigned free = compare(_mm_setzero_si128()) & 0x5555U;
        return {compare(_mm_set1_epi32(static_cast<int>(hash >> kNumberBits))) & 0xAAAAU & ~(free << 1U), free};
#else
        TagMatches matches{0, 0};
        for (unsigned i = 0; i < 8; ++i) {
            const std::uint64_t found = entry(line, i);
            matches.equal |= static_cast<unsigned>((found ^ hash) >> kNumberBits == 0 && found != 0) << (2 * i + 1);
            matches.free |= static_cast<unsigned>(found == 0) << (2 * i);
        }
        return matches;
#endif
    }
    [[nodiscard]] bool line_holds_wide(const std::byte* line, TagMatches matches, const Word* state) const;
    bool insert_wide(const Word* state, std::uint64_t hash);
    [[nodiscard]] const std::byte* arena_state(std::uint64_t its_entry) const {
        return arena_.data() + ((its_entry & kNumberMask) - 1) * state_bytes_;
    }
    // What decides the line of an entry.
    [[nodiscard]] std::uint64_t placing(std::uint64_t hash) const { return format_ == Format::wide ? hash & ~kNumberMask : hash; }

    // The state whose hash is 0, which marks a free slot, or those, where there are several words.
    bool insert_zero_hash(const Word* state);
    [[nodiscard]] bool contains_zero_hash(const Word* state) const;

    void start_empty();
    void set_format(std::size_t state_words, std::size_t state_bytes);
    void grow(Shard& shard);
    void cut_into_shards(Shard& whole);
    template <std::size_t kRestBytes>
    void refill(Shard& shard, std::uint64_t lines) const;
    template <std::size_t kRestBytes>
    void spread(Shard& shard, std::uint64_t lines) const;
    static void allocate(Shard& shard, std::uint64_t lines);
    template <std::size_t kRestBytes>
    void place_entry(Shard& shard, std::uint64_t its_entry, std::uint64_t its_rest) const;
    template <std::size_t kRestBytes, class Visit>
    static void visit_lines(const Shard& shard, std::uint64_t begin, std::uint64_t end, Visit visit);
    template <class Visit>
    void visit_entries(const Shard& shard, std::uint64_t begin, std::uint64_t end, Visit visit) const;
    void make_room_in_arena();
    [[nodiscard]] bool permitted(std::uint64_t bytes) const;
    // How many states may be in so many lines.
    [[nodiscard]] std::uint64_t limit_of(std::uint64_t lines, double load) const;
    void visit_shard(const Shard& shard, std::uint64_t begin, std::uint64_t end, std::vector<Word>& state,
                     const std::function<void(const Word*)>& visit) const;
    void repack_arena(std::size_t state_words, std::size_t state_bytes, const std::function<void(const Word*, Word*)>& translate);

    const Permission* may_allocate_;
    Format format_ = Format::one_word;
    unsigned cut_bits_;
    std::uint64_t most_ordered_;
    unsigned shard_bits_ = 0;
    std::size_t state_words_ = 0;
    std::size_t state_bytes_ = 0;
    LineShape shape_;
    double load_ = 0;    // how full a shard may get,
    double factor_ = 0;  // and by how much it grows then
    std::uint64_t growths_ = 0;
    std::uint64_t size_ = 0;
    std::vector<Shard> shards_;
    std::vector<Word> zero_hash_;    // the states of hash 0, one behind the other
    Mapping arena_;
    std::uint64_t arena_capacity_ = 0;  // states that the arena may hold: permitted, if not touched; never more than most_ordered_
};

}  // namespace tideline
