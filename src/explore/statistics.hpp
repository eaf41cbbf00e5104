// What a search counts, and why it stopped. The names are those of the JSON report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/stop_reason.hpp"

namespace tideline::explore {

// Of one sweep of several.
struct SweepCount {
    std::uint64_t peak_states = 0;
    std::uint64_t expanded = 0;
    friend bool operator==(const SweepCount&, const SweepCount&) = default;
};

// When a search in memory changed to the sweep (change_over.hpp).
struct ChangedOver {
    std::uint64_t states = 0;  // discovered until then
    double seconds = 0;
    std::string reason;
    friend bool operator==(const ChangedOver&, const ChangedOver&) = default;
};

struct Statistics {
    std::uint64_t states = 0;
    bool states_exact = true;  // otherwise an upper bound: some open states may be visited already
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::uint64_t faults = 0;  // faulty steps
    std::uint64_t expanded = 0;
    std::uint64_t peak_states = 0;
    std::uint64_t waiting = 0;  // discovered, not yet expanded
    std::uint64_t layers = 0;   // distinct progress keys; one for a search without a measure
    std::uint64_t sweeps = 0;
    std::uint64_t persistent = 0;
    std::uint64_t regress_edges = 0;  // edges against the order of the measure, repeats counted
    std::uint64_t widest_layer = 0;   // most states of one key in memory
    std::vector<SweepCount> sweep_details = {};
    std::uint64_t reread = 0;
    std::uint64_t spilled = 0;
    std::uint64_t ledger_bytes = 0;
    std::uint64_t depth = 0;        // levels of a breadth-first search, longest path of a depth-first one
    std::uint64_t state_bytes = 0;  // of a packed state at the end
    std::uint64_t threads = 1;
    std::uint64_t threads_refused = 0;  // that were asked for, and could not be started
    double seconds = 0;
    // How far a sweep line is that never goes back, as a share of the keys that the measure can have; otherwise
    // nothing.
    std::optional<double> measure_share{};
    std::optional<ChangedOver> changed_over{};
    double compile_seconds = 0;  // of those before or during the search that made machine code
};

}  // namespace tideline::explore
