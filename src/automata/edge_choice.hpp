// An automaton in the form in which a product uses it: shared by threads, independent of the Labels that its labels
// belong to, and quick to ask which edges fit a state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automata/automaton.hpp"
#include "successor/system.hpp"

namespace tideline::automata {

// A label as a decision diagram of its own; nodes 0 and 1 are false and true.
struct GuardNode {
    std::uint32_t atom = 0;
    std::uint32_t low = 0;
    std::uint32_t high = 0;
};

struct ProductEdge {
    StateNumber target = 0;
    model::Marks marks = 0;
    std::uint32_t guard = 0;
};

// The automaton in a form that threads can share.
struct EdgeTable {
    std::vector<GuardNode> guards{{}, {}};
    std::vector<ProductEdge> edges;
    std::vector<std::uint32_t> begin{0};  // of each state's edges; one more at the end
    std::vector<std::uint32_t> ranks;
    std::vector<std::string> atoms;
    StateNumber initial = 0;
    unsigned sets = 0;           // of acceptance
    std::size_t most_edges = 0;  // of one state
    unsigned rank_bits = 0;
    std::uint32_t watched = 0;  // the guard that is watched; false: none
};

// `watched`: a label of the automaton's Labels, whose truth in the states is asked for.
std::shared_ptr<const EdgeTable> make_edge_table(const Automaton& automaton, Label watched = {});

// Which edges fit a state. One per thread; it refers to the table.
class EdgeChoice {
public:
    // The labels of a system from `first_atom` on are the automaton's atoms; those in `step_atoms` are no labels, but
    // belong to steps.
    EdgeChoice(const EdgeTable& table, const successor::System& system, std::size_t first_atom,
               std::uint64_t step_atoms = 0);

    // Which atoms are true in a state, and which cannot be evaluated there (these are not true). Behind the atoms there
    // may be other bits.
    struct Letter {
        std::uint64_t valuation = 0;
        std::uint64_t unknown = 0;
    };
    // `expander`: of that system, whose state it is.
    [[nodiscard]] Letter read(successor::Expander& expander, const successor::Word* state);
    void look(Letter letter, StateNumber s);
    void look(successor::Expander& expander, const successor::Word* state, StateNumber s) {
        look(read(expander, state), s);
    }
    // Where there are atoms of steps: after look(), the edges for a step where these of them are true.
    void choose(std::uint64_t step_letter);

    // In the order of the automaton.
    [[nodiscard]] const std::vector<const ProductEdge*>& edges() const { return edges_; }
    // The first atom that an edge depends on and that cannot be evaluated. The edges that depend on such atoms are left
    // out.
    [[nodiscard]] std::optional<std::size_t> faulty_atom() const { return faulty_atom_; }
    [[nodiscard]] model::FaultKind fault() const { return faults_[first_atom_ + *faulty_atom_]; }
    // Whether the label that is watched is true in the state; also where that is not known.
    [[nodiscard]] bool is_watched_true() const { return unknown_ != 0 || fits(table_.watched, valuation_); }

private:
    [[nodiscard]] bool fits(std::uint32_t guard, std::uint64_t valuation) const;
    bool depends(std::uint32_t guard, std::uint64_t valuation, std::uint64_t unknown, std::uint64_t free = 0);
    void choose_edges();

    const EdgeTable& table_;
    std::size_t first_atom_;
    std::vector<std::uint64_t> bits_;  // with one more, so that atoms are read from two adjacent words
    std::vector<model::FaultKind> faults_;
    std::vector<const ProductEdge*> edges_;
    std::uint64_t step_atoms_;
    StateNumber state_ = 0;        // of the automaton, at the last look
    std::uint64_t valuation_ = 0;  // of the atoms then
    std::uint64_t unknown_ = 0;    // those that could not be evaluated
    std::optional<std::size_t> faulty_atom_;
};

}  // namespace tideline::automata
