// A pilot run: the first states of a breadth-first search with the edges between them, as a graph on which measures are
// rated.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::progress {

// A pilot takes less than 100 MB, which are freed before the search. It ends early where the budget would not leave
// memory for the search for measures, which may use half of it.
struct PilotLimits {
    std::uint32_t states = 120'000;
    std::uint32_t edges = 600'000;
    std::uint64_t values = 8'000'000;  // slots of all states together
    std::uint64_t slots = 100'000;     // of a state; with more, there would be too few states to be useful, and there
                                       // is no pilot
    std::uint64_t bytes = std::uint64_t{32} << 20U;  // of packed states, including those that were only reached
    bool keys = false;                               // those that the system gives to its states are kept
};

// What a slot holds in each of the pilot's states, in four bytes each where all of them fit. Empty: its initial value
// in all of them.
class Column {
public:
    [[nodiscard]] bool empty() const { return narrow_.empty() && wide_.empty(); }
    [[nodiscard]] model::Value operator[](std::size_t state) const {
        return wide_.empty() ? narrow_[state] : wide_[state];
    }
    [[nodiscard]] std::vector<model::Value> values() const {
        return wide_.empty() ? std::vector<model::Value>(narrow_.begin(), narrow_.end()) : wide_;
    }
    void assign(std::size_t states, model::Value value);
    void set(std::size_t state, model::Value value);

private:
    std::vector<std::int32_t> narrow_;
    std::vector<model::Value> wide_;  // in place of narrow_, once a value does not fit there
};

// States are numbered in the order of their discovery; the initial one is 0. Only states that were expanded belong to
// it.
struct Pilot {
    std::uint32_t states = 0;
    bool complete = false;    // these are all states there are
    std::uint32_t depth = 0;  // steps from the initial state to the last one
    std::vector<Column> slots;
    std::vector<successor::Key> keys;  // by state, where they were asked for
    std::vector<std::uint32_t>
        edge_ends;  // of a state, in the two arrays below; an edge that leads out of the pilot is not there
    std::vector<std::uint32_t> targets;
    std::vector<model::TransitionId> transitions;

    [[nodiscard]] std::uint32_t edges_begin(std::uint32_t state) const { return state == 0 ? 0 : edge_ends[state - 1]; }
};

// The system should hold all values that its slots can take; the pilot ends where one does not fit.
Pilot explore_pilot(const successor::System& system, const PilotLimits& limits, const support::Budget& budget = {});

}  // namespace tideline::progress
