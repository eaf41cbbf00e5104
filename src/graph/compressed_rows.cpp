#include "graph/compressed_rows.hpp"

#include <algorithm>
#include <bit>

namespace tideline::graph {
namespace {

std::uint8_t* write_varint(std::uint8_t* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) *to++ = static_cast<std::uint8_t>(value | 0x80);
    *to++ = static_cast<std::uint8_t>(value);
    return to;
}

std::uint64_t read_varint(const std::uint8_t*& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = *at++;
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) return value;
    }
}

}  // namespace

void CompressedRows::append(std::span<const std::uint64_t> targets, std::span<const model::TransitionId> transitions,
                            std::span<const model::Marks> marks) {
    assert(targets.size() == transitions.size() && targets.size() == marks.size());
    assert(rows_ < next_new_ && "a source was discovered before it is expanded");
    const std::size_t i = rows_ % kBlock;
    const std::uint64_t new_before = next_new_;
    constexpr std::size_t kLongestEdge = 1 + 5 + 10 + 8;  // transition, marks, and a target that is written as 8 bytes
    if (const std::size_t needed = block_size_ + targets.size() * kLongestEdge; needed > block_.size())
        block_.resize(needed + needed / 2);
    std::uint8_t* const begin = block_.data() + block_size_;
    std::uint8_t* to = begin;
    kind_ = StepKinds::kStart;
    for (std::size_t e = 0; e < targets.size(); ++e) to = write_edge(to, targets[e], transitions[e], marks[e], e > 0);
    lengths_[i] = static_cast<std::uint32_t>(to - begin);
    block_size_ += lengths_[i];
    new_states_[i] = static_cast<std::uint32_t>(next_new_ - new_before);
    degrees_[i] = targets.size();
    edges_ += targets.size();
    ++rows_;
    if (i + 1 < kBlock) return;
    write_block();
    written_ = data_.size();
    readable_ = rows_;
    block_size_ = 0;
    block_new_ = next_new_;
}

std::uint8_t* CompressedRows::write_edge(std::uint8_t* to, std::uint64_t target, model::TransitionId transition,
                                         model::Marks marks, bool has_before) {
    unsigned code = 0;
    unsigned bytes = 0;  // of the target
    const std::uint64_t difference = target - rows_;
    if (target == next_new_) {
        code = kNew;
        ++next_new_;
    } else if (has_before && target == target_) {
        code = kSame;
    } else if (difference == 0) {
        code = kSelf;
    } else {
        assert(target < next_new_);
        const auto magnitude = difference ^ static_cast<std::uint64_t>(static_cast<std::int64_t>(difference) >> 63U);
        code = bytes = static_cast<unsigned>(std::bit_width(magnitude)) / 8 + 1;  // with the bit of the sign
        assert(code <= kMostTargetBytes);
    }
    target_ = target;
    if (const std::optional<StepKinds::Named> named = kinds_.name(kind_, transition, marks)) [[likely]] {
        kind_ = named->kind;
        if (named->index < kIndexFollows) [[likely]] {
            *to++ = static_cast<std::uint8_t>(named->index << 3U | code);
        } else {
            *to++ = static_cast<std::uint8_t>(kIndexFollows << 3U | code);
            *to++ = named->index;
        }
    } else {
        kind_ = StepKinds::kStart;
        *to++ = static_cast<std::uint8_t>(kStepFollows << 3U | code);
        to = write_varint(write_varint(to, transition), marks);
    }
    std::memcpy(to, &difference, sizeof difference);  // what is too much is written over
    return to + bytes;
}

void CompressedRows::read_long_kind(Cursor& cursor, Edge& edge, unsigned index) const {
    if (index == kIndexFollows) {
        cursor.kind = kinds_.follower(cursor.kind, *cursor.at++);
        set_step(edge, cursor.kind);
        return;
    }
    cursor.kind = StepKinds::kStart;
    edge.transition = static_cast<model::TransitionId>(read_varint(cursor.at));
    edge.marks = read_varint(cursor.at);
}

void CompressedRows::write_block() {
    const std::size_t rows = (rows_ - 1) % kBlock + 1;
    bool is_long = false;
    for (std::size_t i = 0; i < rows; ++i) is_long = is_long || lengths_[i] > 0xFF || new_states_[i] > 15;
    std::array<std::uint8_t, kLongHeader> header{};
    if (is_long) {
        std::array<std::uint32_t, 2 * kBlock> sums{};
        std::uint32_t bytes = 0;
        std::uint32_t new_states = 0;
        for (std::size_t i = 0; i < rows; ++i) {
            sums[i] = bytes += lengths_[i];
            sums[kBlock + i] = new_states += new_states_[i];
        }
        std::memcpy(header.data(), sums.data(), kLongHeader);
    } else {
        for (std::size_t i = 0; i < rows; ++i) {
            header[i] = static_cast<std::uint8_t>(lengths_[i]);
            header[kBlock + i % 16] |= static_cast<std::uint8_t>(new_states_[i] << (i < 16 ? 0U : 4U));
        }
    }
    const std::size_t header_bytes = is_long ? kLongHeader : kShortHeader;
    // Both arrays first, so that a failure leaves what was there.
    data_.resize(written_ + header_bytes + block_size_, try_reserve_);
    directory_.resize((rows_ - 1) / kBlock + 1, try_reserve_);
    std::memcpy(data_.data() + written_, header.data(), header_bytes);
    if (block_size_ > 0) std::memcpy(data_.data() + written_ + header_bytes, block_.data(), block_size_);
    directory_[(rows_ - 1) / kBlock] = {written_ | (is_long ? kLong : 0), block_new_};
}

CompressedRows::Discovery CompressedRows::discovery(std::uint64_t target) const {
    const std::span<const Directory> blocks(directory_.data(), (readable_ + kBlock - 1) / kBlock);
    // Of the blocks that begin with the same next number, only the last one has new states.
    const auto behind = std::ranges::upper_bound(blocks, target, {}, &Directory::first_new);
    assert(behind != blocks.begin() && "an initial state is not discovered by an edge");
    const auto block = static_cast<std::uint64_t>(behind - blocks.begin()) - 1;
    const std::uint64_t end = std::min((block + 1) * kBlock, readable_);
    for (std::uint64_t source = block * kBlock; source < end; ++source) {
        Cursor cursor = row(source);
        std::uint64_t position = 0;
        for (Edge edge; next(cursor, edge); ++position)
            if (edge.target == target) return {source, position};
    }
    assert(false && "every state that is not initial is discovered by an edge");
    return {};
}

void CompressedRows::make_readable() {
    if (readable_ == rows_) return;
    write_block();
    readable_ = rows_;
}

void CompressedRows::keep_readable() {
    while (rows_ > readable_) {
        --rows_;
        edges_ -= degrees_[rows_ % kBlock];
        next_new_ -= new_states_[rows_ % kBlock];
    }
}

}  // namespace tideline::graph
