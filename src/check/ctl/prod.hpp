// The global algorithm of K. Heljanko, Implementing a CTL model checker (1996), on the numbered graph in memory:
// subformula by subformula, all states, by depth-first passes that need no predecessors (depth_first.hpp). The arrays
// `marked` and `labelled` are bits, initialised word by word from those of the arguments.
//
// Every operation is a least fixpoint or the complement of one: those with E are found by visit_eu, those with A by
// visit_au.
//
// An operation looks at every edge at most once (EX too); with only infinite paths, once more to find where these
// begin.
#pragma once

#include <cstdint>
#include <vector>

#include "check/ctl/prod_order.hpp"
#include "check/ctl/state_sets.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::check::ctl {

inline constexpr unsigned kProdVisits = 1;

class Prod {
public:
    // A complete graph; label i of a state is atom i of the program. All must outlive this.
    Prod(const graph::MemoryGraph& graph, const Program& program, DeadlockReading reading, ProdOrder order, Work& work);

    // Decides all nodes; none is a path formula. Throws Stopped and std::bad_alloc.
    void run();

    [[nodiscard]] const StateSets& sets() const { return sets_; }
    [[nodiscard]] const Bits& endless() const { return endless_; }
    [[nodiscard]] const Bits& deadlocks() const { return deadlocks_; }
    [[nodiscard]] const EdgeVisits& visits() const { return visits_; }
    // The deepest stack in the order of numbers, and by components where that order was asked for.
    [[nodiscard]] std::uint64_t deepest() const { return deepest_; }
    [[nodiscard]] std::uint64_t deepest_by_components() const { return deepest_by_components_; }

    // The path that the depth-first search for an operation finds from a state: its stack when it was decided. Empty
    // where there is none to be shown.
    [[nodiscard]] std::vector<std::uint64_t> first_path(NodeId node, std::uint64_t state);

private:
    void decide(NodeId n);
    [[nodiscard]] Bits next(const Node& node);
    // What is known of the states before a depth-first search: marked ones are decided.
    struct Start {
        Bits marked;
        Bits labelled;
    };
    [[nodiscard]] Start start_of(Quantifier quantifier, const StateSets::Masks& masks) const;
    // The least fixpoint with E or A, in all states of `endless`.
    [[nodiscard]] Bits least(Quantifier quantifier, StateSets::Masks masks, bool deadlocks_are_stop);
    template <class Visit>
    void in_order(const Bits& unmarked, const Visit& visit) const;
    void order_by_components();

    class Access;

    const graph::MemoryGraph& graph_;
    const Program& program_;
    DeadlockReading reading_;
    ProdOrder order_;
    Work& work_;
    StateSets sets_;
    Bits deadlocks_;
    Bits endless_;
    EdgeVisits visits_;
    std::vector<std::uint32_t> numbers_;       // of visit_eu
    std::vector<std::uint32_t> by_component_;  // states
    std::uint64_t deepest_ = 0;
    std::uint64_t deepest_by_components_ = 0;
};

}  // namespace tideline::check::ctl
