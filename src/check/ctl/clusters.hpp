// CTL and CTL* (cluster_paths.cpp) on the numbered graph of a ledger: bits of states in memory, edges streamed from
// disk.
//
// Every cycle of the state graph lies in one component of the layer graph (graph/ledger_graph.hpp), a *cluster* of
// layers. Clusters are taken in reverse topological order: what lies downstream is decided, so one pass over the edges
// decides an operation, whatever the measure is. With a monotonic measure every cluster is one layer, and the order is
// that of descending keys.
//
// Fixpoints. Every operation of CTL but X is a least fixpoint with E or A, or the complement of one (program.hpp).
// Inside a *unit*, some consecutive clusters whose edges fit into memory together, it is solved with a worklist
// backward along the edges between states that are still open. Small clusters share a unit, since a layer may have only
// a few states. A cluster that does not fit is divided into parts, each solved to its own fixpoint, from the last layer
// to the first; this is repeated until nothing changes. News that travels along r edges from a later part to an earlier
// one takes up to r + 1 rounds. The rounds are counted (scans).
//
// CTL*. E psi is decided for all nodes (state, state of the automaton) of the product at once: inside a unit by the
// component search, a component being good if it is fair or has an edge to a good node. A cluster that does not fit is
// solved by the fixpoint of E. Emerson and C.-L. Lei (1986): the greatest set whose nodes reach, inside it, an edge
// into it with each mark; then the backward closure of it. Each of its fixpoints repeats rounds over the parts.
//
// Fairness. E and A of least fixpoints as above, among the states where a fair path begins (labelling.hpp says where
// that is everywhere); a fair path that stays in a set is one of the product with an automaton of one state. Inside a
// unit, components are searched for fair sets (check/fair_sets.hpp). In the fixpoint of Emerson and Lei, weak fairness
// adds a mark per process; strong fairness keeps the nodes where a process has no step, or that reach, inside, an edge
// that moves it (Y. Kesten, A. Pnueli, L. Raviv, 1998): a component of what remains that is not left inside it is fair.
//
// Deadlocks as in program.hpp and docs/algorithms/ctl.md. Where only infinite paths count, edges to states without one
// are left out, after these were found by a fixpoint of the same kind.
//
// Not from a paper: the sweep-line papers delete the states that these passes read again. Known relatives:
// I/O-efficient OWCTY (J. Barnat, L. Brim and others), external retrograde analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/ctl/certificate.hpp"
#include "check/ctl/state_sets.hpp"
#include "check/fair_sets.hpp"
#include "graph/ledger_graph.hpp"
#include "successor/step_labels.hpp"

namespace tideline::check::ctl {

// A bound on the visits of an edge by one operation of CTL where all clusters fit into memory.
inline constexpr unsigned kClusterVisits = 2;

// A label that is true wherever an atom can be evaluated.
struct Guard {
    std::size_t label = 0;
    std::size_t atom = 0;
};

// An atom that speaks of the steps of a state: true where one of the transitions that move a process is a step, or
// where there is no step.
struct StepAtom {
    std::size_t atom = 0;
    std::optional<std::size_t> process{};  // in the table; nothing: a deadlock
};

struct ClusterSettings {
    // Of the edges of a unit in memory, about; nothing: an eighth of the memory that is left, 256 MB at most.
    std::optional<std::uint64_t> unit_bytes{};
    std::vector<Guard> guards{};
    std::vector<StepAtom> step_atoms{};
    std::shared_ptr<const successor::ProcessTable> processes{};  // where a step atom needs it
    ProcessBits fairness{};                                      // whose paths count
    // Where what proves the answers goes; null: nowhere. It must outlive the clusters.
    Certificate* certificate = nullptr;
};

class Clusters {
public:
    // A complete graph that is prepared, without faulty steps; label i of a state is atom i of the program. All must
    // outlive this.
    Clusters(graph::LedgerGraph& graph, const Program& program, DeadlockReading reading, ClusterSettings settings,
             Work& work);

    // Decides all nodes. Throws Stopped, std::bad_alloc and LedgerError.
    void run();

    [[nodiscard]] const StateSets& sets() const { return sets_; }
    // Where a path that counts begins, if only infinite ones do; empty: everywhere.
    [[nodiscard]] const Bits& endless() const { return endless_; }
    [[nodiscard]] const Bits& deadlocks() const { return deadlocks_; }
    // The atoms that cannot be evaluated in some state, by their guards. What depends on them is not decided.
    [[nodiscard]] const std::vector<std::size_t>& faulty_atoms() const { return faulty_atoms_; }
    [[nodiscard]] const EdgeVisits& visits() const { return visits_; }
    [[nodiscard]] std::uint64_t product_nodes() const { return product_nodes_; }
    [[nodiscard]] std::uint64_t cluster_count() const { return clusters_; }
    // States of the largest cluster.
    [[nodiscard]] std::uint64_t largest_cluster() const { return largest_; }
    // Readings of all edges, about: of the edges of layers as often as they were read, over all edges.
    [[nodiscard]] std::uint64_t scans() const;

private:
    using StateNumber = graph::StateNumber;
    // States whose edges are in memory together.
    struct Part {
        std::vector<graph::StateRange> ranges;  // ascending
        std::uint64_t states = 0;
        std::uint64_t edges = 0;
    };
    // Parts that are solved again and again until nothing changes: one, or those of a cluster that is too large.
    struct Unit {
        std::size_t first = 0;  // in parts_
        std::size_t count = 0;
    };
    class Rows;

    void divide();
    void add_cluster(std::span<const graph::LayerNumber> layers, std::uint64_t most_edges);
    void read_atoms();
    void decide(NodeId n);
    [[nodiscard]] Bits next(const Node& node);
    [[nodiscard]] Bits fixpoint(NodeId n);

    struct Least {
        Quantifier quantifier = Quantifier::exists;
        const Bits* go = nullptr;
        Bits* set = nullptr;      // at first where it stops
        bool skips_ends = false;  // edges to states without an infinite path do not count
        std::optional<Certificate::Column> ranks{};
    };
    void least(const Least& least);
    // Whether anything changed.
    bool solve(const Part& part, const Least& least);
    // Ranks of the states of a part that have entered the set now; levels count from 1 on, 0: not now.
    void write_ranks(Certificate::Column column, const Part& part, std::span<const std::uint32_t> levels);

    [[nodiscard]] Bits path(NodeId n);
    // A path through `go` to `stop`, or a fair one for ever through `go`.
    [[nodiscard]] Bits fair_greatest(StateSets::Masks masks);
    struct Product;
    void solve(Product& product);
    void solve_components(const Part& part, Product& product);
    void solve_fixpoint(const Unit& unit, Product& product);

    template <class Visit>
    void read(const Part& part, const Visit& visit) {
        for (const graph::StateRange& range : part.ranges)
            graph_.read_range(range, [&](const graph::RowBlock& block) {
                work_.check();
                edges_read_ += block.targets.size();
                visit(block);
            });
    }

    graph::LedgerGraph& graph_;
    const Program& program_;
    DeadlockReading reading_;
    ClusterSettings settings_;
    Work& work_;
    StateSets sets_;
    std::vector<std::size_t> faulty_atoms_;
    Bits deadlocks_;
    Bits endless_;
    EdgeVisits visits_;
    std::uint64_t edge_visits_ = 0;  // of the operation in progress
    std::uint64_t edges_read_ = 0;
    std::uint64_t largest_rank_ = 0;  // of the fixpoint in progress
    std::uint64_t product_nodes_ = 0;
    std::uint64_t clusters_ = 0;
    std::uint64_t largest_ = 0;
    std::vector<Part> parts_;
    std::vector<Unit> units_;  // in reverse topological order
};

}  // namespace tideline::check::ctl
