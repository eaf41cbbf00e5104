// The edges of consecutive states in memory, compressed; every row can be read by itself.
//
// A row is a sequence of edges. An edge is one byte, the upper five bits of which name its kind (step_kinds.hpp) and
// the lower three its target, and then what these say:
//
//     target 0        the next new state: in a breadth-first numbering every state but the initial ones is one once
//            1 to 5   the number of bytes that follow: the target minus the source, signed
//            6        the source
//            7        the target of the edge before, in the same row
//     kind   0 to 29  the index of the kind among the followers of the one before
//            30       one byte follows (before the target's): the index
//            31       transition and marks follow, as varints
//
// Rows are stored in blocks of 32, one block after the other. A block begins with the length of each row, one byte, and
// the number of new states of each row, four bits (the first 16 rows in the lower halves of 16 bytes, the others in the
// upper ones). So the offset of a row and the number of its first new state are sums of at most 31 small numbers. A
// block with a row that is too long or has too many new states has both as 32-bit prefix sums instead. A directory has,
// for each block, its offset and the number of its first new state.
//
// Per row 1.5 + 16/32 bytes; per edge one byte and, if it leads neither to a new state nor to the source, 1 to 5 more.
//
// Tried: numbers relative to the target that the same transition led to last time take 1.0 to 1.8 bytes in place of 2.8
// to 3.6, but a row can then be read only from its block's beginning.
#pragma once

#include <array>
#include <cassert>
#include <cstring>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graph/growing_array.hpp"
#include "graph/step_kinds.hpp"
#include "support/prefetch.hpp"

namespace tideline::graph {

class CompressedRows {
public:
    static constexpr std::size_t kBlock = 32;  // rows

    // States 0 ... `initial` - 1 are not the target of an edge to a new state.
    void start(std::uint64_t initial, const store::MemoryBudget* try_reserve) {
        assert(rows_ == 0);
        try_reserve_ = try_reserve;
        next_new_ = block_new_ = initial;
    }

    // The edges of state rows(). A target is a state's number, at most next_new(), which makes it one more. Throws
    // std::bad_alloc where the budget does not have the memory; the rows before this one can still be read.
    void append(std::span<const std::uint64_t> targets, std::span<const model::TransitionId> transitions,
                std::span<const model::Marks> marks);

    // Until then the last rows cannot be read; more may be appended afterwards.
    void make_readable();
    // Forgets the rows that cannot be read: after std::bad_alloc, what is left is whole.
    void keep_readable();

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    [[nodiscard]] std::uint64_t edges() const { return edges_; }
    // All states that are a target or a source have a smaller number.
    [[nodiscard]] std::uint64_t next_new() const { return next_new_; }
    [[nodiscard]] std::uint64_t bytes() const {
        return data_.bytes() + directory_.bytes() + kinds_.bytes() + block_.size();
    }

    struct Edge {
        std::uint64_t target = 0;
        model::TransitionId transition = 0;
        model::Marks marks = 0;
    };
    // Within a row; valid until a row is appended.
    struct Cursor {
        const std::uint8_t* at = nullptr;
        const std::uint8_t* end = nullptr;
        std::uint64_t next_new = 0;
        std::uint64_t source = 0;
        std::uint64_t target = 0;  // of the edge before
        StepKinds::Kind kind = StepKinds::kStart;
    };

    // Row `source`, if there is one; a state without a row has no edges.
    [[nodiscard]] Cursor row(std::uint64_t source) const {
        if (source >= readable_) [[unlikely]]
            return {};
        const Directory& entry = directory_[source / kBlock];
        return row_in(entry, source);
    }

    [[nodiscard, gnu::always_inline]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.at == cursor.end) return false;
        const std::uint8_t first = *cursor.at++;
        const unsigned index = first >> 3U;
        if (index < kIndexFollows) [[likely]] {
            cursor.kind = kinds_.follower(cursor.kind, index);
            set_step(edge, cursor.kind);
        } else {
            read_long_kind(cursor, edge, index);
        }
        const unsigned code = first & 7U;
        if (code == kNew) {
            cursor.target = cursor.next_new++;
        } else if (code <= kMostTargetBytes) {
            std::uint64_t word = 0;
            std::memcpy(&word, cursor.at, sizeof word);
            const unsigned unused = 64 - 8 * code;
            cursor.target =
                cursor.source + static_cast<std::uint64_t>(static_cast<std::int64_t>(word << unused) >> unused);
            cursor.at += code;
        } else if (code == kSelf) {
            cursor.target = cursor.source;
        }
        edge.target = cursor.target;
        return true;
    }

    struct Discovery {
        std::uint64_t source = 0;
        std::uint64_t position = 0;  // of the edge in its row
    };
    // The edge to a new state that makes it the next number: binary search for its block, then a look through the
    // block. The number is that of a state which is not initial, below next_new(), and its row can be read.
    [[nodiscard]] Discovery discovery(std::uint64_t target) const;

    [[gnu::always_inline]] void prefetch(std::uint64_t source) const {
        support::prefetch_line(directory_.data() + source / kBlock);
    }

private:
    static constexpr unsigned kNew = 0;
    static constexpr unsigned kMostTargetBytes = 5;
    static constexpr unsigned kSelf = 6;
    static constexpr unsigned kSame = 7;
    static constexpr unsigned kIndexFollows = 30;
    static constexpr unsigned kStepFollows = 31;
    static constexpr std::size_t kShortHeader = kBlock + kBlock / 2;
    static constexpr std::size_t kLongHeader = 2 * kBlock * sizeof(std::uint32_t);
    static constexpr std::uint64_t kLong = std::uint64_t{1} << 63U;

    struct Directory {
        std::uint64_t begin;      // of the block's beginning; kLong: its header has sums
        std::uint64_t first_new;  // the next new state before its first row
    };

    void set_step(Edge& edge, StepKinds::Kind kind) const {
        const StepKinds::Step& step = kinds_.step(kind);
        edge.transition = step.transition;
        edge.marks = step.marks;
    }

    // The sum of the first `count` (below 32) of the 32 bytes there.
    static std::uint64_t sum(const std::uint8_t* bytes, std::size_t count) {
#if defined(__SSE2__)
        const auto masked = [&](std::size_t from) {
            return _mm_and_si128(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + from)),
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMask.data() + kBlock - count + from)));
        };
        return sum_of(masked(0)) + sum_of(masked(16));
#else
        std::uint64_t result = 0;
        for (std::size_t i = 0; i < count; ++i) result += bytes[i];
        return result;
#endif
    }
    // The same for 32 halves of bytes.
    static std::uint64_t sum_of_halves(const std::uint8_t* bytes, std::size_t count) {
#if defined(__SSE2__)
        const __m128i both = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
        const __m128i low_half = _mm_set1_epi8(15);
        const auto mask = [&](std::size_t from) {
            return _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMask.data() + kBlock - count + from));
        };
        return sum_of(_mm_and_si128(_mm_and_si128(both, low_half), mask(0))) +
               sum_of(_mm_and_si128(_mm_and_si128(_mm_srli_epi16(both, 4), low_half), mask(16)));
#else
        std::uint64_t result = 0;
        for (std::size_t i = 0; i < count; ++i) result += i < 16 ? bytes[i] & 15U : bytes[i - 16] >> 4U;
        return result;
#endif
    }
#if defined(__SSE2__)
    static std::uint64_t sum_of(__m128i bytes) {
        const __m128i halves = _mm_sad_epu8(bytes, _mm_setzero_si128());
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves)) +
               static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
    }
    // 32 bytes of ones, then 32 of zeros.
    static constexpr std::array<std::uint8_t, 2 * kBlock> kMask = [] {
        std::array<std::uint8_t, 2 * kBlock> mask{};
        for (std::size_t i = 0; i < kBlock; ++i) mask[i] = 0xFF;
        return mask;
    }();
#endif

    [[nodiscard]] Cursor row_in(const Directory& entry, std::uint64_t source) const {
        const std::size_t i = source % kBlock;
        const std::uint8_t* const block = data_.data() + (entry.begin & ~kLong);
        Cursor cursor;
        cursor.source = source;
        if ((entry.begin & kLong) == 0) [[likely]] {
            cursor.at = block + kShortHeader + sum(block, i);
            cursor.end = cursor.at + block[i];
            cursor.next_new = entry.first_new + sum_of_halves(block + kBlock, i);
        } else {
            const auto load = [&](std::size_t n) {
                std::uint32_t value = 0;
                std::memcpy(&value, block + n * sizeof value, sizeof value);
                return value;
            };
            cursor.at = block + kLongHeader + (i == 0 ? 0 : load(i - 1));
            cursor.end = block + kLongHeader + load(i);
            cursor.next_new = entry.first_new + (i == 0 ? 0 : load(kBlock + i - 1));
        }
        return cursor;
    }

    void read_long_kind(Cursor& cursor, Edge& edge, unsigned index) const;
    [[nodiscard]] std::uint8_t* write_edge(std::uint8_t* to, std::uint64_t target, model::TransitionId transition,
                                           model::Marks marks, bool has_before);
    void write_block();

    const store::MemoryBudget* try_reserve_ = nullptr;
    StepKinds kinds_;
    GrowingArray<std::uint8_t> data_;
    GrowingArray<Directory> directory_;
    std::uint64_t rows_ = 0;
    std::uint64_t readable_ = 0;  // rows
    std::uint64_t edges_ = 0;
    std::uint64_t next_new_ = 0;

    // The block that is being filled.
    std::vector<std::uint8_t> block_;  // its rows, with padding after them
    std::size_t block_size_ = 0;       // bytes of its rows
    std::array<std::uint32_t, kBlock> lengths_{};
    std::array<std::uint32_t, kBlock> new_states_{};
    std::array<std::uint64_t, kBlock> degrees_{};
    std::uint64_t block_new_ = 0;               // the next new state at its beginning
    std::uint64_t written_ = 0;                 // bytes of the complete blocks
    StepKinds::Kind kind_ = StepKinds::kStart;  // of the edge before
    std::uint64_t target_ = 0;
};

}  // namespace tideline::graph
