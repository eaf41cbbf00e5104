#include "check/numbered_states.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tideline::check {

NumberedStates::NumberedStates(std::size_t state_words, std::size_t state_bytes, const store::MemoryBudget& try_reserve)
    : try_reserve_(&try_reserve),
      state_words_(state_words),
      state_bytes_(state_bytes),
      index_((std::size_t{1} << kSmallestIndex) * sizeof(std::uint64_t)) {}

NumberedStates::Insertion NumberedStates::insert(const successor::Word* state, std::uint64_t hash) {
    const std::uint64_t slots = std::uint64_t{1} << index_bits_;
    for (std::uint64_t at = place_of(hash); entry(at) != 0; at = (at + 1) & (slots - 1)) {
        const std::uint64_t found = entry(at);
        const auto number = static_cast<Number>((found & kNumberMask) - 1);
        if (((found ^ hash) >> kNumberBits) == 0 && is(number, state)) return {number, false};
    }
    if (size_ == room_) reserve();
    if (size_ >= slots - slots / 4) grow_index();
    std::memcpy(states_.data() + std::size_t{size_} * state_bytes_, state, state_bytes_);
    place((hash & ~kNumberMask) | (std::uint64_t{size_} + 1));
    return {size_++, true};
}

void NumberedStates::read(Number number, successor::Word* state) const {
    state[state_words_ - 1] = 0;
    std::memcpy(state, states_.data() + std::size_t{number} * state_bytes_, state_bytes_);
}

bool NumberedStates::is(Number number, const successor::Word* state) const {
    return std::memcmp(states_.data() + std::size_t{number} * state_bytes_, state, state_bytes_) == 0;
}

void NumberedStates::ask(std::uint64_t bytes) const {
    if (!(*try_reserve_)(bytes)) throw std::bad_alloc();
}

void NumberedStates::reserve() {
    if (size_ >= kMost) throw std::bad_alloc();
    // A quarter more at a time: what is not touched costs nothing, but what was asked for may be touched.
    const Number more = std::min<Number>(kMost, size_ + std::max<Number>(1024, size_ / 4));
    ask(std::uint64_t{more - size_} * state_bytes_);
    const std::size_t bytes = std::size_t{more} * state_bytes_;
    if (bytes > states_.bytes()) states_.grow(std::max(bytes, states_.bytes() * 2));
    room_ = more;
}

void NumberedStates::grow_index() {
    if (index_bits_ == kNumberBits) throw std::bad_alloc();
    ask((std::uint64_t{2} << index_bits_) * sizeof(std::uint64_t));
    const std::uint64_t old_slots = std::uint64_t{1} << index_bits_;
    support::Mapping old((old_slots * 2) * sizeof(std::uint64_t));
    std::swap(old, index_);
    ++index_bits_;
    for (std::uint64_t i = 0; i < old_slots; ++i)
        if (const std::uint64_t entry_bits = reinterpret_cast<const std::uint64_t*>(old.data())[i]; entry_bits != 0)
            place(entry_bits);
}

void NumberedStates::place(std::uint64_t entry_bits) {
    const std::uint64_t slots = std::uint64_t{1} << index_bits_;
    std::uint64_t at = place_of(entry_bits);
    while (entry(at) != 0) at = (at + 1) & (slots - 1);
    entry(at) = entry_bits;
}

void NumberedStates::repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate) {
    ask(std::uint64_t{size_} * state_bytes + index_.bytes());
    support::Mapping states(std::max<std::size_t>(1, std::size_t{room_} * state_bytes));
    support::Mapping index(index_.bytes());
    std::swap(index, index_);
    std::vector<successor::Word> from(state_words_);
    std::vector<successor::Word> to(state_words);
    for (Number number = 0; number < size_; ++number) {
        read(number, from.data());
        translate(from.data(), to.data());
        std::memcpy(states.data() + std::size_t{number} * state_bytes, to.data(), state_bytes);
        place((successor::hash_state(to.data(), state_words) & ~kNumberMask) | (std::uint64_t{number} + 1));
    }
    states_ = std::move(states);
    state_words_ = state_words;
    state_bytes_ = state_bytes;
}

}  // namespace tideline::check
