// What the exact sweep decides about memory: when the current layer is streamed, deferred or split, and what is spilled
// together. Pure functions of figures; exact_sweep.hpp collects the figures and acts. docs/algorithms/exact-sweep.md
// gives the reasons.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tideline::explore {

// ---- streaming and deferring ----------------------------------------------------------------------------------------

// How often in a row a layer is visited without V(k) in memory. How often V(k) has to be read is not known before.
inline constexpr unsigned kMostStreamedVisits = 8;

// Whether V(k) is streamed past the open states instead of being kept: so few are open that reading V(k) several times
// costs no more.
[[nodiscard]] constexpr bool is_worth_streaming(std::uint64_t visited, std::uint64_t open) {
    return 2 * open <= visited;
}

// Whether a layer is deferred to the next pass, in which more of its states may be open. `open_before`: how many were
// open when it was last deferred. Where these have not become an eighth more, the layer is visited.
[[nodiscard]] constexpr bool is_worth_deferring(std::uint64_t visited, std::uint64_t open,
                                                std::optional<std::uint64_t> open_before) {
    if (2 * open >= visited) return false;
    return !open_before || open > *open_before + *open_before / 8;
}

// ---- splitting ------------------------------------------------------------------------------------------------------

inline constexpr unsigned kMostSplitBits = 6;
inline constexpr std::uint32_t kNoSlice = ~0U;

// The slices of a layer that is split by this many bits of the hash, as a set of bits.
[[nodiscard]] constexpr std::uint64_t all_slices(unsigned split_bits) {
    return split_bits == kMostSplitBits ? ~std::uint64_t{0} : (std::uint64_t{1} << (1U << split_bits)) - 1;
}

// The sweep line goes through the slices of a layer in turn, and begins with the first where the layer has just been
// split finer.
[[nodiscard]] constexpr std::uint32_t slice_after(std::uint32_t slice, unsigned split_bits, bool is_newly_split) {
    return is_newly_split ? 0 : (slice + 1) & ((1U << split_bits) - 1);
}

// What a visit of a slice reads from the ledger.
struct LoadFigures {
    std::uint64_t visited = 0;  // states of V(k); 0 where they are compared and not kept
    std::uint64_t open = 0;     // open states that are only on disk
    std::size_t state_bytes = 0;
    bool is_numbered = false;
    bool is_streamed = false;  // a byte per visited state then
    unsigned split_bits = 0;
};

// The memory that a visit needs for it, about. A table is filled by two thirds at least.
[[nodiscard]] constexpr std::uint64_t bytes_to_load(const LoadFigures& figures) {
    const std::size_t bytes = figures.state_bytes;
    const std::size_t record = bytes <= 16 ? std::max<std::size_t>(bytes, 8) : bytes + 8;
    const std::uint64_t entry = 3 * record / 2 + (figures.is_numbered ? 20 : 0);
    return (figures.visited * (figures.is_streamed ? 1 : entry) + figures.open * (entry + bytes + 10)) >>
           figures.split_bits;
}

// Less than this is loaded without a look at the limit.
inline constexpr std::uint64_t kLoadedUnasked = std::uint64_t{512} << 10U;

// ---- spilling -------------------------------------------------------------------------------------------------------

// Layers of fewer open states are spilled together, in mixed batches of about as many.
inline constexpr std::uint64_t kMixedBatchStates = 1024;
// A checkpoint that finds more batches than this spills small layers together.
inline constexpr std::size_t kManyBatches = 4096;

// Not where states have numbers: a state that was written twice has two temporary ids, and both batches must stay in
// the ledger until the state has its final number.
[[nodiscard]] constexpr bool goes_into_mixed_batch(std::uint64_t open, bool is_numbered) {
    return open < kMixedBatchStates && !is_numbered;
}
[[nodiscard]] constexpr bool has_too_many_batches(std::size_t batches, bool is_numbered) {
    return batches > kManyBatches && !is_numbered;
}

// The least number of open states of layers that are spilled, round by round until enough memory is free. Where small
// layers cannot share a batch, the manifest soon takes as much memory for them as they do, so they come last.
inline constexpr std::uint64_t kSpillRounds[] = {kMixedBatchStates, 64, 0};
[[nodiscard]] constexpr std::span<const std::uint64_t> spill_rounds(bool is_numbered) {
    const std::span<const std::uint64_t> rounds(kSpillRounds);
    return is_numbered ? rounds : rounds.last(1);
}

// The approximate memory of this number of open states.
[[nodiscard]] constexpr std::uint64_t bytes_of_open_states(std::uint64_t count, std::size_t state_bytes) {
    return count * (2 * state_bytes + 20);
}

// ---- repacking ------------------------------------------------------------------------------------------------------

// The memory that this many states take beside the old ones while they are packed with wider fields.
[[nodiscard]] constexpr std::uint64_t bytes_to_repack(std::uint64_t states, std::size_t wider_state_bytes) {
    return states * (2 * wider_state_bytes + 32);
}

}  // namespace tideline::explore
