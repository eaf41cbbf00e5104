// An exact set of numbers of at most 64 bits that stores fewer bits than a number has, since its position in the table
// determines the rest.
//
// A bijection turns a value of v bits into a hash h of v bits. Its home is slot h * slots / 2^v; what is left of the
// division (the remainder, truncated to the bits that distinguish the hashes of one home) is stored in an entry with
// the distance from the home. The position of an entry and the entry determine the value exactly. Entries are in the
// order of their homes (linear probing with Robin Hood's rule), which keeps distances short, ends a search for an
// absent value early, and lets the table grow by any factor in one pass from its beginning to its end. An entry is 0
// where there is none, otherwise (distance + 1) << remainder bits | remainder. Where a bit for each possible value
// takes no more than such a table, the table becomes that: 2^v slots, entries of one bit.
#pragma once

#include <cstdint>

#include "store/packed_fields.hpp"
#include "successor/hash.hpp"
#include "support/mapping.hpp"
#include "support/wide.hpp"

namespace tideline::store {

class CompactSet {
public:
    // A set of values below 2^value_bits (1 to 64 bits). `slots` is how large the table is made with the first value:
    // sets that start with different numbers do not grow at the same time.
    explicit CompactSet(unsigned value_bits, std::uint64_t slots = kFewestSlots);

    [[nodiscard]] unsigned value_bits() const { return value_bits_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return table_.bytes(); }

    // Whether the value is new. Throws std::bad_alloc where the table has to grow and cannot; the set is as it was
    // then.
    bool insert(std::uint64_t value);
    [[nodiscard]] bool contains(std::uint64_t value) const;
    // Where the search for a value begins: to be prefetched. (The compiler removes calls of functions that do only
    // that.)
    [[nodiscard]] const std::byte* home(std::uint64_t value) const {
        return table_.data() + home_of(mixed(value)).at * width_ / 8;
    }

    template <typename Function>
    void for_each(const Function& function) const {
        for (std::uint64_t at = 0; at < fields(); ++at) {
            const std::uint64_t entry = load_field(table_.data(), at, width_);
            if (entry != 0) function(unmixed(hash_at(at, entry)));
        }
    }

    // The set of change(value) for all values, which are now below 2^value_bits; `change` must not make two values
    // equal.
    template <typename Function>
    [[nodiscard]] CompactSet changed(unsigned value_bits, const Function& change) const {
        CompactSet result(value_bits, ordinary_slots_);
        for_each([&](std::uint64_t value) { result.insert(change(value)); });
        return result;
    }

private:
    static constexpr std::uint64_t kFewestSlots = 128;  // so that entries have at most 64 bits
    static constexpr unsigned kDistanceBits = 6;
    static constexpr std::uint64_t kFarthest = (std::uint64_t{1} << kDistanceBits) - 1;  // distance + 1

    struct Home {
        std::uint64_t at;
        std::uint64_t remainder;
    };

    [[nodiscard]] std::uint64_t mixed(std::uint64_t value) const;
    [[nodiscard]] std::uint64_t unmixed(std::uint64_t hash) const;
    [[nodiscard]] Home home_of(std::uint64_t hash) const {
        const support::UInt128 product = static_cast<support::UInt128>(hash << (64 - value_bits_)) * slots_;
        // Two shifts, since a remainder of no bits is one of 64.
        return {static_cast<std::uint64_t>(product >> 64U),
                static_cast<std::uint64_t>(product) >> 1U >> (63 - remainder_bits_)};
    }
    // The hash of the entry at a position.
    [[nodiscard]] std::uint64_t hash_at(std::uint64_t at, std::uint64_t entry) const;
    // Entries can lie behind the last home.
    [[nodiscard]] std::uint64_t fields() const { return slots_ == 0 ? 0 : slots_ + kFarthest + 1; }

    // Chooses the form of a table: this many slots, or a bit for each value.
    void shape(std::uint64_t slots);
    void grow();
    // Takes over all entries of another set; false where one would be too far from its home.
    [[nodiscard]] bool fill_from(const CompactSet& other);

    unsigned value_bits_;
    unsigned half_bits_;  // of a value, rounded up
    unsigned remainder_bits_ = 0;
    unsigned width_ = 1;            // of an entry
    std::uint64_t slots_ = 0;       // 0: no table yet
    std::uint64_t ordinary_slots_;  // slots, or those that there would be if the table were not a bit for each value
    std::uint64_t capacity_ = 0;    // values that the table may hold
    std::uint64_t size_ = 0;
    support::Mapping table_;
};

inline std::uint64_t CompactSet::mixed(std::uint64_t value) const {
    const std::uint64_t mask = low_bits(value_bits_);
    value ^= value >> half_bits_;
    value = value * successor::hashing::kFactor & mask;
    value ^= value >> half_bits_;
    value = value * successor::hashing::kFactor & mask;
    return value ^ (value >> half_bits_);
}

inline std::uint64_t CompactSet::unmixed(std::uint64_t hash) const {
    constexpr std::uint64_t back = successor::hashing::inverse(successor::hashing::kFactor);
    const std::uint64_t mask = low_bits(value_bits_);
    hash ^= hash >> half_bits_;
    hash = hash * back & mask;
    hash ^= hash >> half_bits_;
    hash = hash * back & mask;
    return hash ^ (hash >> half_bits_);
}

// The hash is the only one whose product with the slots lies in the interval that position and remainder stand for.
inline std::uint64_t CompactSet::hash_at(std::uint64_t at, std::uint64_t entry) const {
    const std::uint64_t home = at + 1 - (entry >> remainder_bits_);
    const std::uint64_t remainder = entry & low_bits(remainder_bits_);
    const unsigned lost_bits = value_bits_ - remainder_bits_;
    if (value_bits_ + static_cast<unsigned>(std::bit_width(slots_)) <= 64)
        return ((home << value_bits_) + (remainder << lost_bits) + slots_ - 1) / slots_;
    const auto product =
        (static_cast<support::UInt128>(home) << value_bits_) + (static_cast<support::UInt128>(remainder) << lost_bits);
    return static_cast<std::uint64_t>((product + slots_ - 1) / slots_);
}

}  // namespace tideline::store
