// Textbook breadth-first search over a Machine: everything is kept, nothing is optimised. The reference for the
// engines.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "reference/machine.hpp"
#include "reference/replay.hpp"

namespace tideline::reference {

struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::vector<Participant> participants;
    std::uint64_t marks = 0;
};

struct FaultyStep {
    std::size_t state = 0;
    std::vector<Participant> participants;
    model::FaultKind kind = model::FaultKind::none;
    friend bool operator==(const FaultyStep&, const FaultyStep&) = default;
};

struct BrokenAssertion {
    std::size_t state = 0;
    std::size_t assertion = 0;
    model::FaultKind fault = model::FaultKind::none;
    friend bool operator==(const BrokenAssertion&, const BrokenAssertion&) = default;
};

// States are numbered in the order in which they are found, the initial ones first.
struct Graph {
    std::vector<State> states;
    std::size_t initial = 0;  // how many initial ones there are
    std::vector<Edge> edges;  // in the order of their sources, then of Machine::steps
    std::uint64_t transitions = 0;
    std::vector<std::size_t> deadlocks;       // states without any step, ascending
    std::vector<FaultyStep> faults;           // by state, then participants, then kind
    std::vector<BrokenAssertion> assertions;  // by state, then assertion
    bool limit_hit = false;                   // there are more states than were allowed: all of the above is a part
};

struct ExploreOptions {
    std::size_t max_states = std::numeric_limits<std::size_t>::max();
    bool keep_edges = true;
};

[[nodiscard]] Graph explore(const Machine& machine, ExploreOptions options = {});

// A shortest run from an initial state to one that satisfies the predicate; nothing where none is found within the
// limit.
[[nodiscard]] std::optional<RecordedTrace> shortest_run(
    const Machine& machine, const std::function<bool(const State&)>& wanted,
    std::size_t max_states = std::numeric_limits<std::size_t>::max());

}  // namespace tideline::reference
