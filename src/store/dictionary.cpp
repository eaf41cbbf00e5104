#include "store/dictionary.hpp"

#include <algorithm>

namespace tideline::store {
namespace {

constexpr std::uint64_t kFewestSlots = 16;

constexpr std::uint64_t capacity_of(std::uint64_t slots) { return slots - slots / 5; }

}  // namespace

void Dictionary::reserve(std::uint64_t count, unsigned width) {
    const std::uint64_t bytes = field_bytes(count, width);
    // The address space doubles, which costs nothing until it is touched.
    if (bytes > values_.bytes()) values_.grow(std::max<std::size_t>(bytes, values_.bytes() * 2));
}

Dictionary::Id Dictionary::append(std::uint64_t value, std::uint64_t hash, std::uint64_t at) {
    assert(size_ < kMost);
    const std::uint64_t lower = value & low_bits(32);
    const std::uint64_t upper = value >> 32U;
    if (lower >> lower_bits_ != 0 || upper >> upper_bits_ != 0)
        widen(std::max(lower_bits_, static_cast<unsigned>(std::bit_width(lower))),
              std::max(upper_bits_, static_cast<unsigned>(std::bit_width(upper))));
    reserve(std::uint64_t{size_} + 1, width_);
    store_field(values_.data(), size_, width_, lower | upper << lower_bits_);
    store_field(index_.data(), at, index_width_, entry_of(size_, hash));
    return size_++;
}

void Dictionary::widen(unsigned lower_bits, unsigned upper_bits) {
    const unsigned width = field_width(lower_bits + upper_bits);
    reserve(size_, width);
    // In place, from the end: no field is overwritten before it was read.
    for (std::uint64_t i = size_; i-- > 0;) {
        const std::uint64_t field = load_field(values_.data(), i, width_);
        store_field(values_.data(), i, width, (field & low_bits(lower_bits_)) | field >> lower_bits_ << lower_bits);
    }
    lower_bits_ = lower_bits;
    upper_bits_ = upper_bits;
    width_ = width;
}

// The index can be rebuilt from the values, so the old one is freed first.
void Dictionary::grow_index() {
    const std::uint64_t slots = std::max(kFewestSlots, slots_ + slots_ / 3);
    const Id capacity = static_cast<Id>(std::min<std::uint64_t>(capacity_of(slots), kMost));
    const unsigned width = static_cast<unsigned>(std::bit_width(capacity)) + kTagBits;
    support::Mapping index(field_bytes(slots, width));
    index_ = support::Mapping();
    index_ = std::move(index);
    index_width_ = width;
    slots_ = slots;
    capacity_ = capacity;
    // The random writes are prefetched a few values ahead.
    constexpr Id kAhead = 16;
    for (Id id = 0; id < size_; ++id) {
        if (size_ - id > kAhead) __builtin_prefetch(home(hash((*this)[id + kAhead])), 1);
        const std::uint64_t hash_of_value = hash((*this)[id]);
        std::uint64_t at = home_of(hash_of_value);
        while (load_field(index_.data(), at, index_width_) != 0)
            if (++at == slots_) at = 0;
        store_field(index_.data(), at, index_width_, entry_of(id, hash_of_value));
    }
}

}  // namespace tideline::store
