// How an exact sweep visits its current layer; the same for all partitions, and changed between rounds only.
#pragma once

#include <cstdint>

#include "store/hash_filter.hpp"
#include "successor/key.hpp"

namespace tideline::explore {

// A layer, or the slice of it that some bits of the hash choose.
struct Slice {
    successor::Key key = 0;
    std::uint32_t slice = 0;
};

struct SweepMode {
    bool by_level = false;     // breadth-first: all states have key 0, and a pass is a level
    bool is_numbered = false;  // edges are recorded
    bool defers =
        false;  // the order of states does not matter: what a streamed layer may have visited waits for the next pass
    bool monotonic_only = false;  // a step to a smaller key ends the search
    unsigned split_bits = 0;      // of the hash, by which the current layer is split
    bool streams = false;         // the current layer is without its V(k), but
    store::HashFilter visited{};  // for this of it; a successor that may be in it is not inserted into the layer

    // Other bits than those by which partitions are chosen, and than the uppermost, by which tables place states.
    [[nodiscard]] std::uint32_t slice_of(std::uint64_t hash) const {
        return static_cast<std::uint32_t>(hash >> 32U) & ((1U << split_bits) - 1);
    }
};

}  // namespace tideline::explore
