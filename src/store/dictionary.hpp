// Numbers different 64-bit values in the order of their arrival.
//
// The values lie in an array, in as many bits as the largest lower and the largest upper half so far need; so it suits
// short parts of states as well as pairs of numbers. An index finds them by linear probing: a table whose entries are a
// number + 1 and a few bits of the hash, which avoid most comparisons.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "store/packed_fields.hpp"
#include "successor/hash.hpp"
#include "support/mapping.hpp"
#include "support/wide.hpp"

namespace tideline::store {

class Dictionary {
public:
    using Id = std::uint32_t;
    static constexpr Id kMost = Id{1} << 31U;  // values

    [[nodiscard]] Id size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return index_.bytes() + field_bytes(size_, width_); }

    [[nodiscard]] static std::uint64_t hash(std::uint64_t value) { return successor::hashing::mix(value); }
    // Where the search for a value begins: to be prefetched.
    [[nodiscard]] const std::byte* home(std::uint64_t hash) const {
        return index_.data() + home_of(hash) * index_width_ / 8;
    }

    // Where the value with which it is compared first lies: to be prefetched when the former has come.
    [[nodiscard]] const std::byte* first_candidate(std::uint64_t hash) const {
        const std::uint64_t entry = slots_ == 0 ? 0 : load_field(index_.data(), home_of(hash), index_width_);
        return entry == 0 ? values_.data() : values_.data() + std::uint64_t{id_of(entry)} * width_ / 8;
    }

    // The number of a value, a new one if need be; there must be less than kMost. Throws std::bad_alloc; nothing has
    // changed then.
    Id insert(std::uint64_t value, std::uint64_t hash) {
        if (size_ >= capacity_) grow_index();
        const std::uint64_t at = probe(value, hash);
        const std::uint64_t entry = load_field(index_.data(), at, index_width_);
        return entry != 0 ? id_of(entry) : append(value, hash, at);
    }
    [[nodiscard]] std::optional<Id> find(std::uint64_t value) const {
        if (size_ == 0) return std::nullopt;
        const std::uint64_t entry = load_field(index_.data(), probe(value, hash(value)), index_width_);
        if (entry == 0) return std::nullopt;
        return id_of(entry);
    }
    [[nodiscard]] std::uint64_t operator[](Id id) const {
        assert(id < size_);
        const std::uint64_t field = load_field(values_.data(), id, width_);
        return (field & low_bits(lower_bits_)) | field >> lower_bits_ << 32U;
    }

private:
    static constexpr unsigned kTagBits = 6;

    [[nodiscard]] std::uint64_t home_of(std::uint64_t hash) const {
        return static_cast<std::uint64_t>(static_cast<support::UInt128>(hash) * slots_ >> 64U);
    }
    [[nodiscard]] static Id id_of(std::uint64_t entry) { return static_cast<Id>(entry >> kTagBits) - 1; }
    [[nodiscard]] static std::uint64_t entry_of(Id id, std::uint64_t hash) {
        return (std::uint64_t{id} + 1) << kTagBits | (hash & low_bits(kTagBits));
    }
    // The entry of a value, or the free one where it belongs.
    [[nodiscard]] std::uint64_t probe(std::uint64_t value, std::uint64_t hash) const {
        for (std::uint64_t at = home_of(hash);;) {
            const std::uint64_t entry = load_field(index_.data(), at, index_width_);
            if (entry == 0 || (((entry ^ hash) & low_bits(kTagBits)) == 0 && (*this)[id_of(entry)] == value)) return at;
            if (++at == slots_) at = 0;
        }
    }
    Id append(std::uint64_t value, std::uint64_t hash, std::uint64_t at);
    void grow_index();
    // Gives the values' fields more bits.
    void widen(unsigned lower_bits, unsigned upper_bits);
    void reserve(std::uint64_t count, unsigned width);

    support::Mapping values_;
    support::Mapping index_;
    unsigned lower_bits_ = 1;
    unsigned upper_bits_ = 0;
    unsigned width_ = 1;
    unsigned index_width_ = 1;
    std::uint64_t slots_ = 0;
    Id capacity_ = 0;  // values that the index may hold
    Id size_ = 0;
};

}  // namespace tideline::store
