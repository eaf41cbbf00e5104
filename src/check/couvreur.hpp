// Whether a system with acceptance marks on its steps (a product with an automaton, or a model with a property process) has an infinite run
// from its initial state that carries every mark infinitely often: Couvreur's on-the-fly search for strongly connected components
// (Couvreur, On-the-fly verification of linear temporal logic, FM 1999; in the form of Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005).
//
// A depth-first search keeps the components of the part of the graph it has seen as a stack: of each its first state, the marks on steps
// inside, and the marks of the step that led into it. A step back to a state that is still on the way joins all components above that
// state's. Such a run exists if and only if some component gets all marks together at some time; this is noticed with the first step that
// closes such a cycle, for any number of marks and without making an ordinary Büchi automaton of it. With no marks at all, every cycle
// counts. A component that is left without having all marks has no such run, nor has anything behind it: its states are never looked at
// again.
//
// What is kept: every state once, with its number and four bytes; the steps not yet taken of the states on the search's path. No
// recursion: the path lies on a stack of its own.
//
// The run that is returned goes the shortest way, among the states that were expanded, to the component that was found, and then round
// it, from the nearest step with a missing mark to the next, as Couvreur, Duret-Lutz and Poitrenaud do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "explore/search.hpp"
#include "successor/system.hpp"

namespace tideline {

// States of a run that ends in a cycle: the last one has a step to the one at place `loop`.
struct PackedLasso {
    std::vector<std::vector<Word>> states;
    std::size_t loop = 0;
};

// A kind of faulty step that was met.
struct MetFault {
    TransitionId transition = 0;
    FaultKind kind = FaultKind::none;
    std::uint64_t occurrences = 0;
    std::vector<std::vector<Word>> path;  // to the state of the first one, a shortest one among the states that were expanded
};

struct EmptinessResult {
    bool complete = false;                 // every reachable state was visited
    StopReason reason = StopReason::none;  // otherwise; violation: a run was found
    std::optional<PackedLasso> run;
    std::vector<MetFault> faults;
    Statistics statistics;
    std::shared_ptr<const System> system;  // as it is packed in the end
};

// `marks`: those that must recur. Of the settings the limits and `interrupted` count; there is one thread.
[[nodiscard]] EmptinessResult find_accepting_run(std::shared_ptr<const System> system, Marks marks, const SearchSettings& settings,
                                                 const std::function<void(const Statistics&)>& tick);

}  // namespace tideline
