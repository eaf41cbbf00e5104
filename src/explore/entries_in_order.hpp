// Entries of a batch that come in any order, in the order of the batch.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tideline::explore {

class EntriesInOrder {
public:
    void start(std::size_t size) { is_there_.assign((size + 63) / 64, 0); }
    void add(std::span<const std::uint32_t> entries) {
        for (const std::uint32_t entry : entries) is_there_[entry / 64] |= std::uint64_t{1} << (entry % 64);
        count_ += entries.size();
    }
    void append_to(std::vector<std::uint32_t>& list) {
        std::size_t next = list.size();
        list.resize(next + std::exchange(count_, 0));
        for (std::size_t w = 0; w < is_there_.size(); ++w)
            for (std::uint64_t bits = is_there_[w]; bits != 0; bits &= bits - 1)
                list[next++] = static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }

private:
    std::vector<std::uint64_t> is_there_;  // a bit for every entry
    std::size_t count_ = 0;
};

}  // namespace tideline::explore
