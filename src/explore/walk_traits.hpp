// What a walk is like, as far as the search has to know: one constant `kTraits` per walk.
#pragma once

#include <cstdint>

namespace tideline::explore {

// Where the states are that have been expanded.
enum class Retention : std::uint8_t {
    all,     // in memory
    window,  // deleted when the sweep line has passed them: a state may be discovered more than once, and paths are not
             // known
    ledger,  // on disk; states are observed when they are popped, since only then they are known to be new
};

// Which of the discovered states are expanded first.
enum class ExpansionOrder : std::uint8_t {
    levels,  // those at the least distance from the initial states
    depth,   // the last one; it counts as discovered when it is popped
    keys,    // those with the least progress
};

struct WalkTraits {
    Retention retention = Retention::all;
    ExpansionOrder order = ExpansionOrder::levels;
    bool shared_tables = false;  // every thread looks up its own successors, in tables that all threads share
    bool hands_over = false;     // its states can be taken out, for a search that changes over

    [[nodiscard]] constexpr bool forgets() const { return retention == Retention::window; }
    [[nodiscard]] constexpr bool records() const { return retention == Retention::ledger; }
    [[nodiscard]] constexpr bool by_levels() const { return order == ExpansionOrder::levels; }
    [[nodiscard]] constexpr bool discovers_on_pop() const { return order == ExpansionOrder::depth; }
    // With one thread, states are expanded in the order of their discovery.
    [[nodiscard]] constexpr bool in_discovery_order() const { return by_levels() && !shared_tables; }
    // Every state is expanded with the sleep set of its discovery, or a smaller one.
    [[nodiscard]] constexpr bool uses_sleep_sets() const { return order != ExpansionOrder::depth; }
};

}  // namespace tideline::explore
