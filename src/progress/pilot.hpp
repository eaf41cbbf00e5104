// A pilot run: the first states of a breadth-first search with the edges between them, as a graph on which measures are rated.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/model.hpp"
#include "successor/system.hpp"

namespace tideline {

struct PilotLimits {
    std::uint32_t states = 120'000;
    std::uint32_t edges = 600'000;
    std::uint64_t values = 8'000'000;  // slots of all states together

    // For a pilot that takes a small part of this memory.
    static PilotLimits within(std::uint64_t memory);
};

// States are numbered in the order of their discovery; the initial one is 0. Only states that were expanded belong to it.
struct Pilot {
    std::uint32_t states = 0;
    bool complete = false;                           // these are all states there are
    std::uint32_t depth = 0;                         // steps from the initial state to the last one
    std::vector<std::vector<Value>> slots;           // by slot, then by state; empty: the slot has its initial value in all of them
    std::vector<std::uint32_t> edge_ends;            // of a state, in the two arrays below; an edge that leads out of the pilot is not there
    std::vector<std::uint32_t> targets;
    std::vector<TransitionId> transitions;

    [[nodiscard]] std::uint32_t edges_begin(std::uint32_t state) const { return state == 0 ? 0 : edge_ends[state - 1]; }
};

// The system should hold all values that its slots can take; the pilot ends where one does not fit.
Pilot explore_pilot(const System& system, const PilotLimits& limits, const std::function<bool()>& stop);

}  // namespace tideline
