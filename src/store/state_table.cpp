#include "store/state_table.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

namespace tideline {
namespace {

constexpr unsigned kSmallestTable = 4;                         // 2^4 entries
constexpr std::uint64_t kUnnoticed = std::uint64_t{64} << 10U;  // growth below this needs no permission
constexpr std::uint64_t kArenaStep = std::uint64_t{2} << 20U;   // the arena asks for this much at a time
// Doubled at this load; where doubling is not permitted, filled up to the higher one.
constexpr double kLoad = 0.8;
constexpr double kHighestLoad = 0.94;

std::uint64_t share(std::uint64_t n, double load) { return static_cast<std::uint64_t>(static_cast<double>(n) * load); }

}  // namespace

StateTable::StateTable(std::size_t state_words, std::size_t state_bytes, Permission may_allocate)
    : state_words_(state_words), state_bytes_(state_bytes), may_allocate_(std::move(may_allocate)) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    rebuild(kSmallestTable);
    set_capacity(kLoad);
}

void StateTable::read(StateId id, Word* state) const {
    assert(id < size_);
    state[state_words_ - 1] = 0;
    std::memcpy(state, place(id), state_bytes_);
}

bool StateTable::permitted(std::uint64_t bytes) const { return bytes < kUnnoticed || may_allocate_(bytes); }

void StateTable::set_capacity(double load) {
    table_capacity_ = share(std::uint64_t{1} << (64 - shift_), load);
    capacity_ = std::min(table_capacity_, arena_capacity_);
}

void StateTable::rebuild(unsigned bits) {
    table_ = Mapping();
    table_ = Mapping((std::size_t{1} << bits) * sizeof(Entry));
    shift_ = 64 - bits;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    // The arena is read in order; the random writes are announced a few states ahead.
    constexpr std::size_t kAhead = 16;
    std::uint64_t hashes[kAhead];
    std::vector<Word> state(state_words_);
    for (StateId id = 0; id < size_ + kAhead; ++id) {
        if (id >= kAhead && id - kAhead < size_) {
            const std::uint64_t hash = hashes[id % kAhead];
            std::uint64_t at = hash >> shift_;
            while (slots()[at] != 0) at = (at + 1) & mask;
            slots()[at] = entry_of(hash, id - kAhead);
        }
        if (id < size_) {
            read(id, state.data());
            hashes[id % kAhead] = hash_state(state.data(), state_words_);
            __builtin_prefetch(&slots()[hashes[id % kAhead] >> shift_], 1);
        }
    }
}

// The address space doubles, which costs nothing until it is touched.
void StateTable::grow_arena(std::uint64_t bytes) {
    if (bytes > arena_.bytes()) arena_.grow(std::max<std::size_t>(bytes, arena_.bytes() * 2));
}

bool StateTable::grow(std::size_t more) {
    const std::uint64_t wanted = size_ + more;
    if (wanted >= kIdMask) return false;
    if (wanted > arena_capacity_) {
        const std::uint64_t bytes = wanted * state_bytes_;
        const std::uint64_t step = bytes < kUnnoticed ? bytes : kArenaStep;
        const std::uint64_t target = std::max(bytes + bytes / 2, std::uint64_t{8} * state_bytes_);
        const std::uint64_t allowed = bytes < kUnnoticed ? target : bytes + step;
        if (!permitted(allowed - arena_capacity_ * state_bytes_)) return false;
        grow_arena(allowed);
        arena_capacity_ = allowed / state_bytes_;
        capacity_ = std::min(table_capacity_, arena_capacity_);
    }
    if (wanted > table_capacity_) {
        unsigned bits = 64 - shift_;
        while (wanted > share(std::uint64_t{1} << bits, kLoad)) ++bits;
        const std::uint64_t bytes = (std::uint64_t{1} << bits) * sizeof(Entry);
        if (permitted(bytes - std::min<std::uint64_t>(bytes, table_.bytes()))) {
            rebuild(bits);
            set_capacity(kLoad);
        } else if (wanted <= share(std::uint64_t{1} << (64 - shift_), kHighestLoad)) {
            set_capacity(kHighestLoad);
        }
    }
    return wanted <= capacity_;
}

std::uint64_t StateTable::probe(const Word* state, std::uint64_t hash) const {
    const std::uint64_t mask = (std::uint64_t{1} << (64 - shift_)) - 1;
    const std::uint64_t tag = hash << kIdBits;
    for (std::uint64_t at = hash >> shift_;; at = (at + 1) & mask) {
        const Entry entry = slots()[at];
        if (entry == 0) return at;
        if ((entry & ~kIdMask) == tag && std::memcmp(place((entry & kIdMask) - 1), state, state_bytes_) == 0) return at;
    }
}

StateId StateTable::insert(const Word* state, std::uint64_t hash, bool& fresh) {
    Entry& entry = slots()[probe(state, hash)];
    fresh = entry == 0;
    if (!fresh) return (entry & kIdMask) - 1;
    assert(size_ < capacity_);
    entry = entry_of(hash, size_);
    std::memcpy(place(size_), state, state_bytes_);
    return size_++;
}

std::optional<StateId> StateTable::find(const Word* state, std::uint64_t hash) const {
    const Entry entry = slots()[probe(state, hash)];
    if (entry == 0) return std::nullopt;
    return (entry & kIdMask) - 1;
}

bool StateTable::repack(std::size_t state_words, std::size_t state_bytes,
                        const std::function<void(const Word*, Word*)>& translate) {
    const std::uint64_t bytes = size_ * state_bytes;
    if (state_bytes > state_bytes_ && !permitted(bytes - size_ * state_bytes_)) return false;
    grow_arena(bytes);
    // In place: from the end where states become larger, from the beginning where they become smaller, so that no state is
    // overwritten before it was read.
    std::vector<Word> from(state_words_);
    std::vector<Word> to(state_words);
    const bool grows = state_bytes > state_bytes_;
    for (StateId i = 0; i < size_; ++i) {
        const StateId id = grows ? size_ - 1 - i : i;
        read(id, from.data());
        translate(from.data(), to.data());
        std::memcpy(arena_.data() + id * state_bytes, to.data(), state_bytes);
    }
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    arena_capacity_ = size_;
    const unsigned bits = 64 - shift_;
    rebuild(bits);
    set_capacity(kLoad);
    return true;
}

}  // namespace tideline
