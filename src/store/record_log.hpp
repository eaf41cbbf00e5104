// Open states, each with the number of the state that it was discovered from and the transition that led to it, oldest
// first.
//
// A record is the packed state, six bytes of the parent's number and four of the transition. Records lie in blocks,
// which are freed when they have been read.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "successor/system.hpp"

namespace tideline::store {

class RecordLog {
public:
    static constexpr std::uint64_t kNoParent = (std::uint64_t{1} << 48U) - 1;  // of an initial state

    explicit RecordLog(std::size_t state_bytes) : state_bytes_(state_bytes) {}

    [[nodiscard]] std::uint64_t size() const { return end_ - begin_; }
    // Records are identified by their indices, which count from 0 and stay.
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }

    // `state` may be words or bytes.
    void push(const void* state, std::uint64_t parent, model::TransitionId transition) {
        assert(parent <= kNoParent);
        if (first_ == blocks_.size() || blocks_.back().count == blocks_.back().capacity) add_block();
        Block& block = blocks_.back();
        std::byte* to = block.data.get() + block.count++ * record_bytes();
        std::memcpy(to, state, state_bytes_);
        std::memcpy(to + state_bytes_, &parent, kParentBytes);
        std::memcpy(to + state_bytes_ + kParentBytes, &transition, sizeof transition);
        ++end_;
    }

    struct Record {
        const std::byte* state;
        std::uint64_t parent;
        model::TransitionId transition;
    };

    // The oldest record, which is valid until the next call; there must be one.
    Record pop() {
        assert(size() > 0);
        if (read_ == blocks_[first_].count) {
            blocks_[first_++].data.reset();
            read_ = 0;
        }
        ++begin_;
        return record(blocks_[first_].data.get() + read_++ * record_bytes());
    }

    // Records from an index on.
    template <class Visit>
    void for_each_from(std::uint64_t index, Visit visit) const {
        std::uint64_t at = begin_;
        for (std::size_t b = first_; b < blocks_.size(); ++b) {
            for (std::size_t i = b == first_ ? read_ : 0; i < blocks_[b].count; ++i, ++at)
                if (at >= index) visit(record(blocks_[b].data.get() + i * record_bytes()));
        }
    }

private:
    struct Block {
        std::unique_ptr<std::byte[]> data;
        std::size_t capacity;
        std::size_t count;
    };
    static constexpr std::size_t kParentBytes = 6;
    static constexpr std::size_t kSmallestBlock = 8;
    static constexpr std::size_t kLargestBlock = 4096;

    [[nodiscard]] std::size_t record_bytes() const { return state_bytes_ + kParentBytes + sizeof(model::TransitionId); }

    [[nodiscard]] Record record(const std::byte* at) const {
        Record result{at, 0, 0};
        std::memcpy(&result.parent, at + state_bytes_, kParentBytes);
        std::memcpy(&result.transition, at + state_bytes_ + kParentBytes, sizeof result.transition);
        return result;
    }

    void add_block() {
        if (2 * first_ > blocks_.size()) {
            blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        const std::size_t capacity =
            blocks_.empty() ? kSmallestBlock : std::min(kLargestBlock, blocks_.back().capacity * 2);
        blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(capacity * record_bytes()), capacity, 0});
    }

    std::size_t state_bytes_;
    std::vector<Block> blocks_;  // a queue takes half a kilobyte when it is empty, and a sweep has thousands of these
    std::size_t first_ = 0;      // of the blocks that are left to read
    std::size_t read_ = 0;       // in that block
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

}  // namespace tideline::store
