// What an edge of the numbered graph in memory contributes to a run, for the search of fair sets (check/fair_sets.hpp):
// which process moves is known by its transition, which of them have a step by the row of its source, faulty steps
// included. A row of a product lacks steps where the automaton reads atoms of steps (moved(P)); there the marks of its
// edges say who has a step.
#pragma once

#include <cstdint>
#include <vector>

#include "check/fair_sets.hpp"
#include "check/ltl/emptiness.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::check::ltl {

class Contributions {
public:
    using Node = graph::StateNumber;

    Contributions(const graph::MemoryGraph& graph, model::Marks marks, const FairnessTask& fairness)
        : Contributions(graph, marks, ProcessBits(fairness.kind, fairness.processes), fairness.enabled_marks) {}
    Contributions(const graph::MemoryGraph& graph, model::Marks marks, ProcessBits processes,
                  std::optional<unsigned> enabled_marks = std::nullopt)
        : graph_(graph), marks_(marks), processes_(std::move(processes)), enabled_marks_(enabled_marks) {}

    [[nodiscard]] std::size_t words() const { return 1 + processes_.words(); }
    [[nodiscard]] const ProcessBits& processes() const { return processes_; }
    [[nodiscard]] const graph::MemoryGraph& graph() const { return graph_; }
    [[nodiscard]] model::Marks marks() const { return marks_; }

    // The processes that have a step in a state whose row has an edge.
    void read_enabled(graph::StateNumber state, std::uint64_t* enabled) const;
    // The same; does nothing where fairness does not matter.
    void read_enabled_where_asked(graph::StateNumber state, std::vector<std::uint64_t>& enabled) const {
        if (processes_.words() > 0) read_enabled(state, enabled.data());
    }
    // Sets the bits of an edge: acceptance marks in the first word, then one bit per process. `enabled`: of its source.
    void add(const graph::MemoryGraph::Edge& edge, const std::uint64_t* enabled, std::uint64_t* bits) const {
        bits[0] |= edge.marks & marks_;
        processes_.add(edge.transition, enabled, bits + 1);
    }

private:
    const graph::MemoryGraph& graph_;
    model::Marks marks_;
    ProcessBits processes_;
    std::optional<unsigned> enabled_marks_;
};

}  // namespace tideline::check::ltl
