#include "store/number_table.hpp"

#include <algorithm>

namespace tideline {
namespace {

constexpr std::uint64_t kUnnoticed = std::uint64_t{64} << 10U;   // growth below this needs no permission
constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;         // bytes of a segment that are asked for at a time
constexpr std::uint64_t kMost = (std::uint64_t{1} << 32U) - 2;   // places that an entry can tell

}  // namespace

NumberTable::Insertion NumberTable::insert(const Word* state, std::uint64_t hash) {
    if (const std::optional<Place> known = find(state, hash)) return {*known, false};
    if (size_ == room_) make_room();
    if (index_bits_ == 0 || size_ >= (std::uint64_t{3} << index_bits_) / 4) grow_index();
    const auto place = static_cast<Place>(size_);
    std::memcpy(record(place), state, state_bytes_);
    set_number(place, 0);
    enter((hash & ~kPlaceMask) | (size_ + 1));
    ++size_;
    return {place, true};
}

std::optional<NumberTable::Place> NumberTable::find(const Word* state, std::uint64_t hash) const {
    if (index_bits_ == 0) return std::nullopt;
    const std::uint64_t last = (std::uint64_t{1} << index_bits_) - 1;
    for (std::uint64_t slot = slot_of(hash); entry(slot) != 0; slot = (slot + 1) & last) {
        const std::uint64_t found = entry(slot);
        if (((found ^ hash) >> kPlaceBits) == 0 && std::memcmp(record(place_in(found)), state, state_bytes_) == 0) return place_in(found);
    }
    return std::nullopt;
}

void NumberTable::ask(std::uint64_t bytes) const {
    if (bytes >= kUnnoticed && !(*may_allocate_)(bytes)) throw std::bad_alloc();
}

// The memory of a segment costs nothing before it is touched: it is asked for piece by piece.
void NumberTable::make_room() {
    if (size_ >= kMost) throw std::bad_alloc();
    const unsigned segment = segment_of(static_cast<Place>(size_));
    const std::uint64_t first = first_of(segment);
    const std::uint64_t capacity = segment == 0 ? kFirstSegment : first;
    const std::uint64_t more = std::min({first + capacity - size_, std::max<std::uint64_t>(kFirstSegment, kStep / record_bytes()), kMost - size_});
    ask(more * record_bytes());
    if (size_ == first) segments_[segment] = Mapping(capacity * record_bytes());
    room_ = size_ + more;
}

void NumberTable::grow_index() {
    const unsigned bits = index_bits_ == 0 ? kLeastIndexBits : index_bits_ + 1;
    if (bits > kPlaceBits) throw std::bad_alloc();
    const std::uint64_t old_slots = index_bits_ == 0 ? 0 : std::uint64_t{1} << index_bits_;
    ask((std::uint64_t{1} << bits) * sizeof(std::uint64_t));
    Mapping old((std::uint64_t{1} << bits) * sizeof(std::uint64_t));
    std::swap(old, index_);
    index_bits_ = bits;
    for (std::uint64_t i = 0; i < old_slots; ++i)
        if (const std::uint64_t its_entry = reinterpret_cast<const std::uint64_t*>(old.data())[i]; its_entry != 0) enter(its_entry);
}

void NumberTable::enter(std::uint64_t its_entry) {
    const std::uint64_t last = (std::uint64_t{1} << index_bits_) - 1;
    std::uint64_t slot = slot_of(its_entry);
    while (entry(slot) != 0) slot = (slot + 1) & last;
    reinterpret_cast<std::uint64_t*>(index_.data())[slot] = its_entry;
}

}  // namespace tideline
