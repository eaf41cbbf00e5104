#include "store/compact_set.hpp"

#include <algorithm>
#include <array>
#include <cassert>

namespace tideline::store {
namespace {

// How many values a table may hold: the fuller it is, the farther are its entries from their homes. Then a quarter more
// slots.
constexpr std::uint64_t capacity_of(std::uint64_t slots) { return slots * 7 / 8; }
constexpr std::uint64_t larger(std::uint64_t slots) { return slots + slots / 4; }

}  // namespace

CompactSet::CompactSet(unsigned value_bits, std::uint64_t slots)
    : value_bits_(value_bits), half_bits_((value_bits + 1) / 2), ordinary_slots_(std::max(slots, kFewestSlots)) {
    assert(value_bits >= 1 && value_bits <= 64);
}

void CompactSet::shape(std::uint64_t slots) {
    ordinary_slots_ = slots;
    const unsigned lost_bits = static_cast<unsigned>(std::bit_width(slots)) - 1;
    const std::uint64_t possible = value_bits_ < 63 ? std::uint64_t{1} << value_bits_ : ~std::uint64_t{0};
    if (lost_bits >= value_bits_ || slots * (value_bits_ - lost_bits + kDistanceBits) >= possible) {
        slots_ = capacity_ = possible;
        remainder_bits_ = 0;
        width_ = 1;
    } else {
        slots_ = slots;
        capacity_ = capacity_of(slots);
        remainder_bits_ = value_bits_ - lost_bits;
        width_ = field_width(remainder_bits_ + kDistanceBits);
    }
    table_ = support::Mapping(field_bytes(fields(), width_));
}

bool CompactSet::insert(std::uint64_t value) {
    assert((value & ~low_bits(value_bits_)) == 0);
    if (slots_ == 0) grow();
    const Home home = home_of(mixed(value));
    const std::uint64_t unit = std::uint64_t{1} << remainder_bits_;
    std::uint64_t at = home.at;
    std::uint64_t entry = load_field(table_.data(), at, width_);
    // `nearest` is the smallest entry here whose home is not behind that of the value.
    std::uint64_t nearest = unit;
    for (; entry >= nearest; entry = load_field(table_.data(), at, width_)) {
        if (entry == (nearest | home.remainder)) return false;
        ++at;
        nearest += unit;
    }
    // The entries from here to the next gap have to move on by one.
    std::uint64_t gap = at;
    bool fits = size_ < capacity_ && nearest >> remainder_bits_ <= kFarthest;
    for (; fits && entry != 0; entry = load_field(table_.data(), ++gap, width_))
        fits = entry >> remainder_bits_ < kFarthest;
    if (!fits) {
        grow();
        return insert(value);
    }
    FieldWriter writer(table_.data(), at, width_);
    std::uint64_t carried = nearest | home.remainder;
    for (; at <= gap; ++at) {
        entry = load_field(table_.data(), at, width_);
        writer.put(carried);
        carried = entry + unit;
    }
    writer.finish();
    ++size_;
    return true;
}

bool CompactSet::contains(std::uint64_t value) const {
    if (slots_ == 0) return false;
    const Home home = home_of(mixed(value));
    const std::uint64_t unit = std::uint64_t{1} << remainder_bits_;
    std::uint64_t at = home.at;
    for (std::uint64_t nearest = unit;; nearest += unit, ++at) {
        const std::uint64_t entry = load_field(table_.data(), at, width_);
        if (entry == (nearest | home.remainder)) return true;
        if (entry < nearest) return false;
    }
}

void CompactSet::grow() {
    CompactSet next(value_bits_, ordinary_slots_);
    std::uint64_t slots = slots_ == 0 ? ordinary_slots_ : larger(ordinary_slots_);
    for (;; slots = larger(slots)) {
        next.shape(slots);
        if (next.fill_from(*this)) break;
    }
    *this = std::move(next);
}

bool CompactSet::fill_from(const CompactSet& other) {
    FieldWriter writer(table_.data(), 0, width_);
    std::uint64_t next = 0;  // the first free position
    // The hashes of one home, sorted.
    std::array<std::uint64_t, kFarthest> run;
    std::size_t length = 0;
    const auto append_run = [&] {
        for (std::size_t i = 0; i < length; ++i) {
            const Home home = home_of(run[i]);
            for (; next < home.at; ++next) writer.put(0);
            const std::uint64_t distance = next - home.at + 1;
            if (distance > kFarthest) return false;
            writer.put(distance << remainder_bits_ | home.remainder);
            ++next;
        }
        length = 0;
        return true;
    };
    std::uint64_t run_home = 0;
    for (std::uint64_t at = 0; at < other.fields(); ++at) {
        const std::uint64_t entry = load_field(other.table_.data(), at, other.width_);
        if (entry == 0) continue;
        const std::uint64_t home = at + 1 - (entry >> other.remainder_bits_);
        if (home != run_home && !append_run()) return false;
        run_home = home;
        const std::uint64_t hash = other.hash_at(at, entry);
        std::size_t i = length++;
        for (; i > 0 && run[i - 1] > hash; --i) run[i] = run[i - 1];
        run[i] = hash;
    }
    if (!append_run()) return false;
    writer.finish();
    size_ = other.size_;
    return true;
}

}  // namespace tideline::store
