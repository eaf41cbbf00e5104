// The sleep sets of the open states, in the order of the states: a queue of sets in as few bytes each as the system's
// classes need.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <span>

#include "successor/commuting.hpp"

namespace tideline::explore {

class SleepQueue {
public:
    // No bytes where nothing ever sleeps.
    explicit SleepQueue(const successor::Commuting* commuting)
        : bytes_(commuting == nullptr ? 0 : (commuting->classes() + 7) / 8) {}

    [[nodiscard]] bool in_use() const { return bytes_ > 0; }

    void push(successor::SleepSet set) {
        reserve();
        std::memcpy(blocks_.back().get() + written_++ * bytes_, &set, sizeof set);  // blocks have room behind them
    }

    // Those of several states: set_of(index) for each of the indices.
    template <class SetOf>
    void push(std::span<const std::uint32_t> indices, SetOf set_of) {
        for (std::size_t i = 0; i < indices.size();) {
            reserve();
            std::byte* to = blocks_.back().get() + written_ * bytes_;
            const std::size_t end = i + std::min(indices.size() - i, kBlock - written_);
            written_ += end - i;
            for (const std::size_t bytes = bytes_; i < end; ++i, to += bytes) {
                const successor::SleepSet set = set_of(indices[i]);
                std::memcpy(to, &set, sizeof set);
            }
        }
    }

    void take(successor::SleepSet* sets, std::size_t count) {
        const std::size_t awake = std::min<std::uint64_t>(count, awake_);
        std::fill_n(sets, awake, 0);
        awake_ -= awake;
        const successor::SleepSet mask = bytes_ == sizeof(successor::SleepSet)
                                             ? ~successor::SleepSet{0}
                                             : (successor::SleepSet{1} << (8 * bytes_)) - 1;
        for (std::size_t i = awake; i < count;) {
            if (read_ == kBlock) {
                blocks_.pop_front();
                read_ = 0;
            }
            const std::byte* from = blocks_.front().get() + read_ * bytes_;
            const std::size_t end = i + std::min(count - i, kBlock - read_);
            read_ += end - i;
            for (const std::size_t bytes = bytes_; i < end; ++i, from += bytes) {
                std::memcpy(&sets[i], from, sizeof(successor::SleepSet));
                sets[i] &= mask;
            }
        }
    }

    // The first `waiting` states, in whatever order they are, have empty sets; none has another.
    void wake_all(std::uint64_t waiting) {
        blocks_.clear();
        read_ = written_ = 0;
        awake_ = waiting;
    }

private:
    static constexpr std::size_t kBlock = 4096;  // sets of a block

    void reserve() {
        if (!blocks_.empty() && written_ < kBlock) return;
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(kBlock * bytes_ + sizeof(successor::SleepSet)));
        written_ = 0;
    }

    std::size_t bytes_;
    std::uint64_t awake_ = 0;                          // states before those of the blocks
    std::deque<std::unique_ptr<std::byte[]>> blocks_;  // from read_ of the first on, to written_ of the last
    std::size_t read_ = 0;
    std::size_t written_ = 0;
};

}  // namespace tideline::explore
