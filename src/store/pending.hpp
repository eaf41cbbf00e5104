// The open states of a table, oldest first. An ordered table is its own queue: a number says how far it has been read.
// Of other tables the open states are kept in blocks that are freed when they have been read.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "store/state_table.hpp"

namespace tideline::store {

class Pending {
public:
    // `in_blocks`: also for an ordered table, so that it does not depend on the table's order.
    explicit Pending(const StateTable& table, bool in_blocks = false) : by_number_(table.ordered() && !in_blocks) {}

    // For a state that has just become part of the table.
    void push(const StateTable& table, const successor::Word* state) {
        if (!by_number_) push_bytes(state, table.state_bytes());
    }
    // The same for several: those at these indices of an array of states.
    void push(const StateTable& table, const successor::Word* states, std::span<const std::uint32_t> indices) {
        if (by_number_) return;
        const std::size_t words = table.state_words();
        const std::size_t bytes = table.state_bytes();
        for (std::size_t i = 0; i < indices.size();) {
            reserve(bytes);
            std::byte* to = blocks_.back().data.get() + write_;
            const std::size_t end = i + std::min(indices.size() - i, (blocks_.back().bytes - write_) / bytes);
            write_ += (end - i) * bytes;
            size_ += end - i;
            if (words == 1)
                for (; i < end; ++i, to += bytes) std::memcpy(to, states + indices[i], 8);
            else if (words == 2)
                for (; i < end; ++i, to += bytes) std::memcpy(to, states + indices[i] * std::size_t{2}, 16);
            else
                for (; i < end; ++i, to += bytes) std::memcpy(to, states + indices[i] * words, bytes);
        }
    }
    // Everything that is in the table, in place of what was pending.
    void fill(const StateTable& table) {
        clear();
        if (!by_number_) table.for_each([&](const successor::Word* state) { push_bytes(state, table.state_bytes()); });
    }
    void clear() {
        blocks_.clear();
        size_ = 0;
        next_ = first_ = read_ = write_ = 0;
    }

    [[nodiscard]] std::uint64_t size(const StateTable& table) const {
        return by_number_ ? table.size() - next_ : size_;
    }

    // Moves up to `most` states to `states`; returns how many.
    std::size_t take(const StateTable& table, successor::Word* states, std::size_t most) {
        const std::size_t words = table.state_words();
        const std::size_t count = std::min<std::uint64_t>(most, size(table));
        if (by_number_)
            for (std::size_t i = 0; i < count; ++i) table.read(next_++, states + i * words);
        else pop(table.state_bytes(), words, states, count);
        return count;
    }

    // Together with the table's; called before that one.
    void repack(const StateTable& table, std::size_t state_words, std::size_t state_bytes,
                const std::function<void(const successor::Word*, successor::Word*)>& translate) {
        if (by_number_ && state_words > 2) return;  // which stays ordered
        Pending other(table, true);
        std::vector<successor::Word> from(table.state_words());
        std::vector<successor::Word> to(state_words);
        while (take(table, from.data(), 1) != 0) {
            translate(from.data(), to.data());
            other.push_bytes(to.data(), state_bytes);
        }
        *this = std::move(other);
    }

private:
    struct Block {
        std::unique_ptr<std::byte[]> data;
        std::size_t bytes;
    };
    static constexpr std::size_t kSmallestBlock = 256;
    static constexpr std::size_t kLargestBlock = std::size_t{64} << 10U;

    // One or two words are copied whole, into what follows or from it: blocks have room for that behind them.
    void push_bytes(const successor::Word* state, std::size_t bytes) {
        reserve(bytes);
        std::byte* to = blocks_.back().data.get() + write_;
        if (bytes <= 8) std::memcpy(to, state, 8);
        else if (bytes <= 16) std::memcpy(to, state, 16);
        else std::memcpy(to, state, bytes);
        write_ += bytes;
        ++size_;
    }

    void pop(std::size_t bytes, std::size_t words, successor::Word* states, std::size_t count) {
        for (std::size_t left = count; left > 0;) {
            if (read_ + bytes > blocks_[first_].bytes) drop_first_block();
            const std::byte* from = blocks_[first_].data.get() + read_;
            const std::size_t here = std::min(left, (blocks_[first_].bytes - read_) / bytes);
            const successor::Word* const end = states + here * words;
            read_ += here * bytes;
            if (words == 1) {
                for (; states < end; states += 1, from += bytes) {
                    std::memcpy(states, from, 8);
                    states[0] &= low_bytes(bytes);
                }
            } else if (words == 2) {
                for (; states < end; states += 2, from += bytes) {
                    std::memcpy(states, from, 16);
                    states[1] &= low_bytes(bytes - 8);
                }
            } else {
                for (; states < end; states += words, from += bytes) {
                    states[words - 1] = 0;
                    std::memcpy(states, from, bytes);
                }
            }
            left -= here;
        }
        size_ -= count;
        if (size_ == 0) clear();
    }

    void reserve(std::size_t bytes) {
        if (first_ == blocks_.size() || write_ + bytes > blocks_.back().bytes) add_block(bytes);
    }

    static successor::Word low_bytes(std::size_t count) {
        return count >= 8 ? ~successor::Word{0} : (successor::Word{1} << (8 * count)) - 1;
    }

    void drop_first_block() {
        blocks_[first_].data.reset();
        read_ = 0;
        if (++first_ * 2 < blocks_.size()) return;
        blocks_.erase(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }

    void add_block(std::size_t state_bytes) {
        const std::size_t wanted = blocks_.empty() ? kSmallestBlock : std::min(kLargestBlock, blocks_.back().bytes * 2);
        const std::size_t bytes = std::max(wanted, state_bytes);
        blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(bytes + 2 * sizeof(successor::Word)), bytes});
        write_ = 0;
    }

    bool by_number_;
    std::uint64_t next_ = 0;  // by number: the first open one
    std::vector<Block>
        blocks_;  // otherwise the open states, in block first_ from read_ on, in the last one up to write_
    std::size_t first_ = 0;
    std::size_t read_ = 0;
    std::size_t write_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace tideline::store
