// CTL by labelling the states of a numbered graph in memory with the subformulas that hold in them, from the smallest
// to the whole (Clarke, Emerson and Sistla 1986; in the form of the lecture of 2023): EX by the successors, EU backward
// from the states of its right side, EG from the components with a cycle inside the states of its argument, backward.
// The other operations are expressed by these (program.hpp).
//
// CTL*: a path formula is decided for all states at once, on the product of the graph with its automaton from every
// (state, initial state of the automaton). One component search suffices: components come in reverse topological order,
// so when one is complete it is known of every edge that leaves it whether a fair component lies behind it.
//
// Fairness. Quantifiers speak of fair paths. Every suffix of a fair path is fair, and so is what leads to one; so E[f U
// g] asks for a path to a state of g where a fair path begins, and EG f for a component, inside the states of f, in
// which a run can be fair (check/fair_sets.hpp). Where a deadlock repeats or ends a path, a fair path begins in every
// state: a component that is not left has all steps of its states inside, and a run that takes all of them again and
// again is strongly fair. Where only infinite paths count, the states where a fair one begins are found first, as EG
// true.
//
// Departures from the lecture: only components with a cycle count for EG (those of one state without a self-loop are
// none); deadlocks by one of three readings.
//
// Linear: an operation looks at an edge at most three times (once forward in the component search, once backward; EX at
// most once), a path formula at an edge of the product at most twice. Fairness looks at the edges of a component twice
// more for each round of its search; strong fairness has at most as many rounds as there are processes.
#pragma once

#include <cstdint>
#include <memory>

#include "check/ctl/state_sets.hpp"
#include "check/ltl/fair_components.hpp"
#include "graph/memory_graph.hpp"
#include "graph/predecessors.hpp"

namespace tideline::check::ctl {

// A bound on the visits of an edge by one operation; a path formula: of an edge of the product.
inline constexpr unsigned kLabellingVisits = 3;

class Labelling {
public:
    // A complete graph; label i of a state is atom i of the program. All must outlive this.
    Labelling(const graph::MemoryGraph& graph, const Program& program, DeadlockReading reading, Work& work,
              ProcessBits fairness = {});

    // Decides all nodes. Throws Stopped and std::bad_alloc.
    void run();

    [[nodiscard]] const StateSets& sets() const { return sets_; }
    // Where a path that counts begins, if only infinite ones do; empty: everywhere.
    [[nodiscard]] const Bits& endless() const { return endless_; }
    [[nodiscard]] const Bits& deadlocks() const { return deadlocks_; }
    [[nodiscard]] const EdgeVisits& visits() const { return visits_; }
    [[nodiscard]] std::uint64_t product_nodes() const { return product_nodes_; }

private:
    void find_deadlocks();
    void decide(NodeId n);
    [[nodiscard]] Bits next(const Node& node);
    [[nodiscard]] Bits fixpoint(const Node& node);
    // E operations. Both are empty outside `endless`.
    [[nodiscard]] Bits least(StateSets::Masks masks);
    [[nodiscard]] Bits greatest(StateSets::Masks masks, bool deadlocks_repeat);
    void close_backward(Bits& set, const Bits& go);
    [[nodiscard]] Bits path(const Node& node);
    // Before a component is searched for fair sets.
    void ask_for_fair_sets(std::uint64_t members) const {
        if (contributions_.processes().kind() == Fairness::strong) work_.ask(members * 4 * sizeof(std::uint64_t));
    }
    [[nodiscard]] auto poll() {
        return [this] {
            work_.poll();
            return true;
        };
    }
    template <class ProductNode>
    [[nodiscard]] Bits path_with(const PathAutomaton& automaton);

    const graph::MemoryGraph& graph_;
    const Program& program_;
    DeadlockReading reading_;
    Work& work_;
    ltl::Contributions contributions_;  // of the graph's edges
    StateSets sets_;
    Bits deadlocks_;
    Bits endless_;
    EdgeVisits visits_;
    std::uint64_t edge_visits_ = 0;  // of the operation in progress
    std::uint64_t product_nodes_ = 0;
    std::unique_ptr<graph::Predecessors<std::uint32_t>> predecessors_;
    std::vector<std::uint32_t> work_list_;
};

}  // namespace tideline::check::ctl
