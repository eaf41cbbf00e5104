// An exact map from packed states to numbers that may change: what a search that records edges knows of a layer in place of a StateTable.
//
// A state has a place, counted in the order of arrival, which it keeps. States lie with their numbers in segments, each as large as all
// before it, so that nothing moves when there are more. An index of 64-bit entries (the upper half of the hash, the place + 1) finds them
// by linear probing; the upper bits of the hash decide where, so that the index grows without looking at the states. An empty table takes
// no memory.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "store/state_table.hpp"
#include "support/mapping.hpp"
#include "support/prefetch.hpp"

namespace tideline {

class NumberTable {
public:
    using Place = std::uint32_t;

    // The permission must outlive the table.
    NumberTable(std::size_t state_words, std::size_t state_bytes, const Permission& may_allocate)
        : may_allocate_(&may_allocate), state_words_(state_words), state_bytes_(state_bytes) {}

    [[nodiscard]] std::uint64_t size() const { return size_; }

    struct Insertion {
        Place place;
        bool is_new;  // its number is 0 then
    };
    // Throws std::bad_alloc, and nothing has changed, where it needs room and is not permitted to have it.
    Insertion insert(const Word* state, std::uint64_t hash);
    [[nodiscard]] std::optional<Place> find(const Word* state, std::uint64_t hash) const;

    [[nodiscard]] std::uint64_t number(Place place) const {
        std::uint64_t result = 0;
        std::memcpy(&result, record(place) + state_bytes_, sizeof result);
        return result;
    }
    void set_number(Place place, std::uint64_t number) { std::memcpy(record(place) + state_bytes_, &number, sizeof number); }
    void read(Place place, Word* state) const {
        state[state_words_ - 1] = 0;
        std::memcpy(state, record(place), state_bytes_);
    }

    // Brings the place of a hash in the index into the cache, and then the state that lies there.
    [[gnu::always_inline]] void prefetch(std::uint64_t hash) const {
        if (index_bits_ > 0) prefetch_line(index_.data() + slot_of(hash) * sizeof(std::uint64_t));
    }
    [[gnu::always_inline]] void prefetch_state(std::uint64_t hash) const {
        if (index_bits_ == 0) return;
        const std::uint64_t found = entry(slot_of(hash));
        if (found != 0 && ((found ^ hash) >> kPlaceBits) == 0) prefetch_line(record(place_in(found)));
    }

private:
    static constexpr unsigned kPlaceBits = 32;
    static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
    static constexpr unsigned kLeastIndexBits = 3;
    static constexpr Place kFirstSegment = 4;  // states
    static constexpr unsigned kSegments = kPlaceBits - 2 + 1;

    [[nodiscard]] static Place place_in(std::uint64_t its_entry) { return static_cast<Place>((its_entry & kPlaceMask) - 1); }
    [[nodiscard]] std::uint64_t slot_of(std::uint64_t hash) const { return hash >> (64 - index_bits_); }
    [[nodiscard]] std::uint64_t entry(std::uint64_t slot) const { return reinterpret_cast<const std::uint64_t*>(index_.data())[slot]; }
    [[nodiscard]] std::size_t record_bytes() const { return state_bytes_ + sizeof(std::uint64_t); }
    // Segment 0 has the first states, segment n as many as all before it.
    [[nodiscard]] static unsigned segment_of(Place place) { return static_cast<unsigned>(std::bit_width(place / kFirstSegment)); }
    [[nodiscard]] static Place first_of(unsigned segment) { return segment == 0 ? 0 : kFirstSegment << (segment - 1); }
    [[nodiscard]] const std::byte* record(Place place) const {
        const unsigned segment = segment_of(place);
        return segments_[segment].data() + std::size_t{place - first_of(segment)} * record_bytes();
    }
    [[nodiscard]] std::byte* record(Place place) { return const_cast<std::byte*>(std::as_const(*this).record(place)); }

    void make_room();
    void grow_index();
    void enter(std::uint64_t its_entry);
    void ask(std::uint64_t bytes) const;

    const Permission* may_allocate_;
    std::size_t state_words_;
    std::size_t state_bytes_;
    std::uint64_t size_ = 0;
    std::uint64_t room_ = 0;     // states that may be written without asking
    unsigned index_bits_ = 0;    // 0: there is none yet
    Mapping index_;
    std::array<Mapping, kSegments> segments_;
};

}  // namespace tideline
