// A set of packed states in memory that numbers them in the order of their arrival.
//
// The states lie one behind the other in an arena, state_bytes() each; a table of 8-byte entries (24 bits of the hash and the number of
// the state) finds them by linear probing. Growing the table frees the old one first and refills the new one from the arena, so that
// at no time two tables exist: a state costs its packed bytes and 8 bytes over the load factor. An empty set costs next to nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "successor/system.hpp"
#include "support/mapping.hpp"

namespace tideline {

using StateId = std::uint64_t;

class StateTable {
public:
    // `may_allocate(bytes)` is asked before the table or the arena grows noticeably.
    using Permission = std::function<bool(std::uint64_t)>;

    StateTable(std::size_t state_words, std::size_t state_bytes, Permission may_allocate);

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::size_t state_bytes() const { return state_bytes_; }

    // Makes room for that many further states; false where that is not permitted.
    [[nodiscard]] bool reserve(std::size_t more) { return size_ + more <= capacity_ || grow(more); }
    // Room must have been reserved. Returns the state's number; `fresh` tells whether it is new.
    StateId insert(const Word* state, std::uint64_t hash, bool& fresh);
    [[nodiscard]] std::optional<StateId> find(const Word* state, std::uint64_t hash) const;
    // Brings the place of a hash into the cache.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&slots()[hash >> shift_]); }
    void read(StateId id, Word* state) const;

    // Carries all states over to another packing; numbers stay. False where that is not permitted: nothing has changed then.
    [[nodiscard]] bool repack(std::size_t state_words, std::size_t state_bytes,
                              const std::function<void(const Word*, Word*)>& translate);

private:
    using Entry = std::uint64_t;
    static constexpr unsigned kIdBits = 40;
    static constexpr std::uint64_t kIdMask = (std::uint64_t{1} << kIdBits) - 1;

    [[nodiscard]] const Entry* slots() const { return reinterpret_cast<const Entry*>(table_.data()); }
    [[nodiscard]] Entry* slots() { return reinterpret_cast<Entry*>(table_.data()); }
    [[nodiscard]] const std::byte* place(StateId id) const { return arena_.data() + id * state_bytes_; }
    [[nodiscard]] std::byte* place(StateId id) { return arena_.data() + id * state_bytes_; }
    [[nodiscard]] static Entry entry_of(std::uint64_t hash, StateId id) { return (hash << kIdBits) | (id + 1); }
    // The entry of a state, or the free one where it belongs.
    [[nodiscard]] std::uint64_t probe(const Word* state, std::uint64_t hash) const;
    [[nodiscard]] bool grow(std::size_t more);
    [[nodiscard]] bool permitted(std::uint64_t bytes) const;
    void grow_arena(std::uint64_t bytes);
    void rebuild(unsigned bits);
    void set_capacity(double load);

    std::size_t state_words_;
    std::size_t state_bytes_;
    Mapping arena_;
    Mapping table_;
    unsigned shift_ = 64;                // the table has 2^(64 - shift_) entries
    std::uint64_t table_capacity_ = 0;   // states that the table may hold
    std::uint64_t arena_capacity_ = 0;   // states that the arena may hold: permitted, if not touched
    std::uint64_t capacity_ = 0;         // the smaller of the two
    std::uint64_t size_ = 0;
    Permission may_allocate_;
};

}  // namespace tideline
