// Whether a system with acceptance marks on its steps (a product with an automaton, or a model with a property process)
// has an infinite run from an initial state that carries every mark infinitely often: Couvreur's on-the-fly search for
// strongly connected components (Couvreur, On-the-fly verification of linear temporal logic, FM 1999; in the form of
// Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005).
//
// A depth-first search keeps the components of the part of the graph it has seen as a stack: of each its first state,
// the marks on steps inside, and the marks of the step that led into it. A step back to a state of an open component
// merges all components above that state's. Such a run exists if and only if some component gets all marks together at
// some time; this is noticed with the first step that closes such a cycle, for any number of marks and without making
// an ordinary Büchi automaton of it. With no marks at all, every cycle counts. A component that is left without having
// all marks has no such run, nor has anything behind it: its states are never visited again.
//
// What is kept: every state once, with its number and four bytes; the steps not yet taken of the states on the search's
// path. No recursion: the path lies on a stack of its own.
//
// The answer comes first; runs are computed afterwards (EmptinessEvidence), from what the search has kept. An accepting
// run follows a shortest path, among the expanded states, to the component that was found, and then round it, from the
// nearest step with a missing mark to the next, as Couvreur, Duret-Lutz and Poitrenaud do. Paths to faulty steps come
// from one breadth-first search for all of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "explore/search.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::check {

// States of a run that ends in a cycle, one after the other: the last one has a step to the one at index `loop`.
struct PackedLasso {
    std::vector<successor::Word> states;
    std::size_t loop = 0;
};

// A kind of faulty step that occurred.
struct MetFault {
    model::TransitionId transition = 0;
    model::FaultKind kind = model::FaultKind::none;
    std::uint64_t occurrences = 0;
    std::vector<successor::Word> state;  // of the first one
};

// The states that the search has seen. Where a run is not returned, the budget was exhausted, or there was not enough
// memory.
class EmptinessEvidence {
public:
    virtual ~EmptinessEvidence() = default;
    // Only where one was found.
    [[nodiscard]] virtual std::optional<PackedLasso> accepting_run(const support::Budget& budget) = 0;
    // A shortest path, among the states that were expanded, to the state of faults[i].
    [[nodiscard]] virtual std::optional<std::vector<successor::Word>> path_to_fault(std::size_t i,
                                                                                    const support::Budget& budget) = 0;
};

struct EmptinessResult {
    bool complete = false;                                   // every reachable state was visited
    support::StopReason reason = support::StopReason::none;  // otherwise; violation: there is an accepting run
    std::vector<MetFault> faults;
    explore::Statistics statistics;
    std::shared_ptr<const successor::System> system;  // as it is packed in the end
    std::unique_ptr<EmptinessEvidence> evidence;
};

// `marks`: those that must recur. Of the settings the limits and `interrupted` count; there is one thread.
[[nodiscard]] EmptinessResult find_accepting_run(std::shared_ptr<const successor::System> system, model::Marks marks,
                                                 const explore::SearchSettings& settings,
                                                 const std::function<void(const explore::Statistics&)>& tick);

}  // namespace tideline::check
