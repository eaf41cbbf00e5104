// The cost of a sweep by some measure, found by simulating it on the graph of a pilot run.
#pragma once

#include <cstdint>
#include <vector>

#include "progress/pilot.hpp"

namespace tideline::progress {

// A measure on the states of a pilot: ranks are its keys, numbered from 0 in their order; states of one block have the
// same value of the leading components that never decrease.
struct Ranks {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> of;        // by state
    std::vector<std::uint32_t> block_of;  // by rank, ascending
};

// All states have one rank.
Ranks constant_ranks(std::uint32_t states);
// The same measure with one more component, the least significant: a small number per state. Where the component is
// known never to decrease and so are those before it, it refines the blocks.
Ranks refined(const Ranks& ranks, const std::vector<std::uint32_t>& component, bool leads);

struct Rating {
    std::uint64_t states = 0;
    std::uint64_t peak = 0;      // states in memory
    std::uint64_t expanded = 0;  // including states that were deleted and reached again
    std::uint64_t reread = 0;    // from a ledger
    std::uint64_t visits = 0;    // layers visited by the sweep line
    std::uint64_t passes = 0;
    bool given_up = false;  // aborted: too many expansions
};

// Rates measures, one after the other, on the first states of a pilot.
class Rater {
public:
    explicit Rater(const Pilot& pilot) : pilot_(pilot), states_(pilot.states), next_(pilot.states) {}

    // With a ledger (explore/exact_sweep.hpp).
    Rating exact(const Ranks& ranks, std::uint32_t first_states);
    // Without one (explore/sweep.hpp); given up when it expands more than `most` states.
    Rating forgetful(const Ranks& ranks, std::uint32_t first_states, std::uint64_t most);

private:
    struct State {
        std::uint32_t rank = 0;
        bool is_known = false;  // expanded, or about to be
        bool waits = false;
    };
    static constexpr std::uint32_t kNone = ~0U;

    const Pilot& pilot_;
    std::vector<State> states_;
    std::vector<std::uint32_t> next_;  // next open state of the same layer
    std::vector<std::uint32_t> stack_;
};

}  // namespace tideline::progress
