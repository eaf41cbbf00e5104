// An exact set of packed states that gives each a number in the order of arrival and finds it again by that number.
//
// The states lie one behind the other; an index of 64-bit entries (the upper half of the hash, the number + 1) finds
// them by linear probing. The upper bits of the hash decide the position, so that the index can grow without looking at
// the states.
#pragma once

#include <cstdint>
#include <optional>

#include "store/state_table.hpp"
#include "support/mapping.hpp"
#include "support/prefetch.hpp"

namespace tideline::check {

class NumberedStates {
public:
    using Number = std::uint32_t;
    static constexpr Number kMost = 3'000'000'000U;

    // The permission must outlive the set.
    NumberedStates(std::size_t state_words, std::size_t state_bytes, const store::MemoryBudget& try_reserve);

    [[nodiscard]] Number size() const { return size_; }

    struct Insertion {
        Number number;
        bool is_new;
    };
    // Throws std::bad_alloc, and nothing has changed, where it needs room and is not permitted to have it.
    Insertion insert(const successor::Word* state, std::uint64_t hash);
    void read(Number number, successor::Word* state) const;
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        support::prefetch_line(index_.data() + place_of(hash) * sizeof(std::uint64_t));
    }

    // Carries all states over to another packing; the numbers remain. Throws as insert() does.
    void repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate);

private:
    static constexpr unsigned kNumberBits = 32;
    static constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;
    static constexpr unsigned kSmallestIndex = 10;  // bits of its size

    [[nodiscard]] std::uint64_t place_of(std::uint64_t hash) const { return hash >> (64 - index_bits_); }
    [[nodiscard]] std::uint64_t& entry(std::uint64_t index) {
        return reinterpret_cast<std::uint64_t*>(index_.data())[index];
    }
    [[nodiscard]] bool is(Number number, const successor::Word* state) const;
    void grow_index();
    void place(std::uint64_t entry_bits);
    void reserve();
    void ask(std::uint64_t bytes) const;

    const store::MemoryBudget* try_reserve_;
    std::size_t state_words_;
    std::size_t state_bytes_;
    support::Mapping states_;
    Number room_ = 0;  // states that may be written without asking
    Number size_ = 0;
    support::Mapping index_;
    unsigned index_bits_ = kSmallestIndex;
};

}  // namespace tideline::check
