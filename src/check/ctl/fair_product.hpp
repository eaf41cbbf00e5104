// What an edge of a product of states with an automaton contributes to a run, for the search of fair sets
// (check/fair_sets.hpp): the marks of the automaton, and the processes that its step of the system moves.
//
// A step that stays in a deadlock moves nobody, and nobody has a step there: it is fair to every process.
#pragma once

#include "check/fair_sets.hpp"
#include "successor/step_labels.hpp"

namespace tideline::check::ctl {

// The view has, beside what a component search needs, edges with `marks` and `transition`, and
// read_enabled(node, processes, words).
template <class View>
class ProductContributions {
public:
    using Node = typename View::Node;

    ProductContributions(const View& view, model::Marks marks, const ProcessBits& processes)
        : view_(view), marks_(marks), processes_(processes) {}

    [[nodiscard]] std::size_t words() const { return 1 + processes_.words(); }
    [[nodiscard]] const ProcessBits& processes() const { return processes_; }
    [[nodiscard]] const View& graph() const { return view_; }
    [[nodiscard]] model::Marks marks() const { return marks_; }
    void read_enabled(Node node, std::uint64_t* enabled) const { view_.read_enabled(node, processes_, enabled); }
    void add(const typename View::Edge& edge, const std::uint64_t* enabled, std::uint64_t* bits) const {
        bits[0] |= edge.marks & marks_;
        processes_.add(edge.transition, enabled, bits + 1);
    }

private:
    const View& view_;
    model::Marks marks_;
    const ProcessBits& processes_;
};

}  // namespace tideline::check::ctl
