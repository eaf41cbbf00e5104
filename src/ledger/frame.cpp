#include "ledger/frame.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <new>
#include <vector>

#include <xxhash.h>
#include <zstd.h>

#include "ledger/error.hpp"

namespace tideline::ledger {
namespace {

// The fastest regular level, whatever the size of the frame, with a table that still fits into a core's cache: a tenth
// smaller at no cost.
constexpr int kLevel = 1;
constexpr int kHashBits = 16;
constexpr int kShortestMatch = 7;

// The bytes of records one after the other, each except the first xor-delta encoded against the one before. A word at a
// time, whatever the records' size.
void xor_delta_encode(const std::uint8_t* from, std::size_t record, std::size_t size, std::uint8_t* to) {
    if (size == 0) return;
    std::memcpy(to, from, record);
    std::size_t i = record;
    for (std::uint64_t word = 0, before = 0; i + sizeof word <= size; i += sizeof word) {
        std::memcpy(&word, from + i, sizeof word);
        std::memcpy(&before, from + i - record, sizeof before);
        word ^= before;
        std::memcpy(to + i, &word, sizeof word);
    }
    for (; i < size; ++i) to[i] = static_cast<std::uint8_t>(from[i] ^ from[i - record]);
}

// Decodes xor-deltas, a record at a time in whole words: what the last word writes behind the record is overwritten by
// the next one.
void xor_delta_decode(const std::uint8_t* from, std::size_t record, std::size_t size, std::uint8_t* to) {
    if (size == 0) return;
    std::vector<std::uint64_t> before((record + 7) / 8);
    const std::size_t words_bytes = before.size() * 8;
    std::size_t i = 0;
    for (; i + words_bytes <= size; i += record) {
        for (std::size_t w = 0; w < before.size(); ++w) {
            std::uint64_t word = 0;
            std::memcpy(&word, from + i + 8 * w, sizeof word);
            before[w] ^= word;
            std::memcpy(to + i + 8 * w, &before[w], sizeof word);
        }
    }
    for (; i < size; ++i) to[i] = static_cast<std::uint8_t>(i < record ? from[i] : from[i] ^ to[i - record]);
}

class Differences {
public:
    std::uint64_t fold(std::uint64_t number) {
        const std::uint64_t result = zigzag_encode(number - last_);
        last_ = number;
        return result;
    }
    std::uint64_t unfold(std::uint64_t folded) { return last_ += zigzag_decode(folded); }

private:
    std::uint64_t last_ = 0;
};

// Targets of edges. A newly discovered state has the next temporary id; otherwise the target is often near the one that
// the same transition led to before.
class Targets {
public:
    std::uint64_t fold(std::uint64_t target, std::uint64_t transition) {
        const std::uint64_t kind = target / kTemporaryId;
        const std::uint64_t number = target % kTemporaryId;
        const bool is_next = kind == 1 && number == next_;
        const std::uint64_t difference = zigzag_encode(number - last_[kind][transition % kContexts]);
        remember(kind, number, transition);
        return is_next ? 0 : difference * 2 + kind + 1;
    }
    // False where no target below the end of numbers has this code.
    bool unfold(std::uint64_t code, std::uint64_t transition, std::uint64_t& target) {
        const std::uint64_t kind = code == 0 ? 1 : (code - 1) % 2;
        const std::uint64_t number =
            code == 0 ? next_ : last_[kind][transition % kContexts] + zigzag_decode((code - 1) / 2);
        target = kind * kTemporaryId + number;
        if (number >= kNumberEnd) return false;
        remember(kind, number, transition);
        return true;
    }

private:
    static constexpr std::size_t kContexts = 1024;

    void remember(std::uint64_t kind, std::uint64_t number, std::uint64_t transition) {
        last_[kind][transition % kContexts] = number;
        if (kind == 1) next_ = std::max(next_, number + 1);
    }

    std::uint64_t next_ = 0;                 // behind the largest temporary id so far
    std::uint64_t last_[2][kContexts] = {};  // by kind and transition
};

// Column after column: how many, by which transitions, to what, with which marks.
std::uint8_t* put_lists(const Columns& columns, std::uint8_t* to) {
    assert(columns.numbers.size() == columns.others.size());
    assert(columns.marks.empty() || columns.marks.size() == columns.numbers.size());
    Targets targets;
    for (const std::uint32_t degree : columns.tags) to = put_varint(to, degree);
    for (const std::uint64_t transition : columns.others) to = put_varint(to, transition);
    for (std::size_t i = 0; i < columns.numbers.size(); ++i)
        to = put_varint(to, targets.fold(columns.numbers[i], columns.others[i]));
    for (const std::uint64_t marks : columns.marks) to = put_varint(to, marks);
    return to;
}

// Records one after the other, the numbers of each before its tag: parent and transition go together.
std::uint8_t* put_numbers(const Columns& columns, const Shape& shape, std::uint8_t* to) {
    Differences numbers;
    Differences others;
    for (std::size_t i = 0; i < columns.count; ++i) {
        if (shape.numbers) to = put_varint(to, numbers.fold(columns.numbers[i]));
        if (shape.others) to = put_varint(to, others.fold(columns.others[i]));
        if (shape.tags) to = put_varint(to, columns.tags[i]);
    }
    return to;
}

bool take_lists(ByteReader& in, const Shape& shape, Columns& columns) {
    std::uint64_t edges = 0;
    for (std::size_t i = 0; i < columns.count && in.good(); ++i) {
        const std::uint64_t degree = in.length();
        if (degree > std::numeric_limits<std::uint32_t>::max()) return false;
        columns.tags.push_back(static_cast<std::uint32_t>(degree));
        columns.starts.push_back(edges);
        edges += degree;
    }
    if (edges > in.rest() / (shape.marks ? 3 : 2)) return false;  // each number takes a byte at least
    columns.others.resize(edges);
    columns.numbers.resize(edges);
    Targets targets;
    for (std::uint64_t& transition : columns.others) transition = in.digits();
    for (std::uint64_t i = 0; i < edges; ++i)
        if (!targets.unfold(in.digits(), columns.others[i], columns.numbers[i])) return false;
    columns.marks.resize(shape.marks ? edges : 0);
    for (std::uint64_t& marks : columns.marks) marks = in.digits();
    return in.good() && in.at_end();
}

bool take_numbers(ByteReader& in, const Shape& shape, Columns& columns) {
    const std::size_t each = (shape.numbers ? 1U : 0U) + (shape.others ? 1U : 0U) + (shape.tags ? 1U : 0U);
    if (columns.count * each > in.rest()) return false;  // each takes a byte at least
    if (shape.numbers) columns.numbers.resize(columns.count);
    if (shape.others) columns.others.resize(columns.count);
    if (shape.tags) columns.tags.resize(columns.count);
    Differences numbers;
    Differences others;
    for (std::size_t i = 0; i < columns.count && each != 0; ++i) {
        if (shape.numbers) columns.numbers[i] = numbers.unfold(in.digits());
        if (shape.others) columns.others[i] = others.unfold(in.digits());
        if (shape.bounded_numbers && columns.numbers[i] >= kNumberEnd) return false;
        if (shape.bounded_others && columns.others[i] >= kNumberEnd) return false;
        if (!shape.tags) continue;
        const std::uint64_t tag = in.digits();
        if (tag > std::numeric_limits<std::uint32_t>::max()) return false;
        columns.tags[i] = static_cast<std::uint32_t>(tag);
    }
    return in.good() && in.at_end();
}

}  // namespace

struct FrameCodec::Contexts {
    ZSTD_CCtx* compress = ZSTD_createCCtx();
    ZSTD_DCtx* decompress = ZSTD_createDCtx();
    Contexts() {
        if (compress == nullptr || decompress == nullptr) throw std::bad_alloc();
        ZSTD_CCtx_setParameter(compress, ZSTD_c_compressionLevel, kLevel);
        ZSTD_CCtx_setParameter(compress, ZSTD_c_hashLog, kHashBits);
        ZSTD_CCtx_setParameter(compress, ZSTD_c_minMatch, kShortestMatch);
    }
    Contexts(const Contexts&) = delete;
    Contexts& operator=(const Contexts&) = delete;
    ~Contexts() {
        ZSTD_freeCCtx(compress);
        ZSTD_freeDCtx(decompress);
    }
};

FrameCodec::FrameCodec(std::uint64_t most_bytes) : most_bytes_(most_bytes), contexts_(std::make_unique<Contexts>()) {
    assert(most_bytes <= kMostBytes);
}
FrameCodec::FrameCodec(FrameCodec&&) noexcept = default;
FrameCodec& FrameCodec::operator=(FrameCodec&&) noexcept = default;
FrameCodec::~FrameCodec() = default;

std::uint64_t checksum_of(const void* data, std::size_t size, std::uint64_t seed) {
    return XXH3_64bits_withSeed(data, size, seed);
}

std::uint64_t frame_checksum(const FrameHeader& header, std::span<const std::uint8_t> payload, std::uint64_t offset) {
    constexpr std::size_t kCovered = offsetof(FrameHeader, checksum);
    const std::uint64_t seed = checksum_of(payload.data(), payload.size(), offset);
    return checksum_of(&header, kCovered, seed);
}

FrameCodec::Encoded FrameCodec::encode(const Columns& columns, const Shape& shape) {
    const std::size_t bytes = columns.bytes.size();
    assert(bytes == columns.count * shape.record_bytes);
    raw_.resize(bytes + kLongestDigits * (columns.numbers.size() + columns.others.size() + columns.tags.size() +
                                          columns.marks.size()));
    xor_delta_encode(columns.bytes.data(), shape.record_bytes, bytes, raw_.data());
    const std::uint8_t* end =
        shape.lists ? put_lists(columns, raw_.data() + bytes) : put_numbers(columns, shape, raw_.data() + bytes);
    const auto size = static_cast<std::size_t>(end - raw_.data());
    if (size > most_bytes_) throw LedgerError(LedgerFault::limit, "the ledger", "a frame cannot have more than 4 GB");

    stored_.resize(ZSTD_compressBound(size));
    const std::size_t stored = ZSTD_compress2(contexts_->compress, stored_.data(), stored_.size(), raw_.data(), size);
    if (ZSTD_isError(stored) != 0) throw std::bad_alloc();  // nothing else can go wrong with room enough
    if (stored >= size) return {Codec::stored, static_cast<std::uint32_t>(size), {raw_.data(), size}};
    return {Codec::zstd, static_cast<std::uint32_t>(size), {stored_.data(), stored}};
}

std::optional<Columns> FrameCodec::decode(std::span<const std::uint8_t> payload, Codec codec, std::uint32_t raw_bytes,
                                          std::uint32_t count, const Shape& shape) {
    std::span<const std::uint8_t> raw = payload;
    if (codec == Codec::zstd) {
        raw_.resize(raw_bytes);
        const std::size_t size =
            ZSTD_decompressDCtx(contexts_->decompress, raw_.data(), raw_.size(), payload.data(), payload.size());
        if (ZSTD_isError(size) != 0 || size != raw_bytes) return std::nullopt;
        raw = raw_;
    } else if (codec != Codec::stored || payload.size() != raw_bytes) {
        return std::nullopt;
    }
    Columns columns;
    columns.count = count;
    const std::uint64_t bytes = std::uint64_t{count} * shape.record_bytes;
    if (bytes > raw.size()) return std::nullopt;
    columns.bytes.resize(bytes);
    xor_delta_decode(raw.data(), shape.record_bytes, bytes, columns.bytes.data());
    ByteReader in(raw.subspan(bytes));
    if (!(shape.lists ? take_lists(in, shape, columns) : take_numbers(in, shape, columns))) return std::nullopt;
    return columns;
}

}  // namespace tideline::ledger
