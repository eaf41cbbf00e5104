// CTL and CTL* at the level of their definitions, on explicit graphs: fixpoints by naive iteration over all states,
// path formulas by the product with sets of obligations and a nested fixpoint. Nothing is shared with logic/, automata/
// and check/; tests compare the engines with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/fair_cycles.hpp"

namespace tideline::reference {

// How a path reads a state without successors.
enum class DeadlockMeaning : std::uint8_t {
    stutter,  // it repeats for ever
    finite,   // a path may end there: EX needs a successor, AX does not
    ignore,   // only infinite paths count
};

enum class BranchingOp : std::uint8_t {
    constant,
    atom,
    negation,
    conjunction,
    disjunction,
    implication,
    equivalence,
    exclusion,
    next,
    eventually,
    always,
    until,
    release,
    weak_until,
    strong_release,
    exists,
    forall,
};

struct BranchingFormula {
    BranchingOp op = BranchingOp::constant;
    bool value = false;    // of a constant
    std::size_t atom = 0;  // its index
    std::vector<std::shared_ptr<const BranchingFormula>> operands{};
};
using BranchingTree = std::shared_ptr<const BranchingFormula>;

BranchingTree make_branching(BranchingOp op, std::vector<BranchingTree> operands);
BranchingTree make_atom(std::size_t atom);
BranchingTree make_constant(bool value);

// As text that the parser of formulas reads; every operand in parentheses.
std::string to_text(const BranchingFormula& formula, const std::vector<std::string>& atoms);

struct ExplicitGraph {
    std::vector<std::vector<std::size_t>> successors;
    std::vector<std::vector<bool>> atoms;           // by atom, then by state
    std::vector<std::vector<std::uint64_t>> moved;  // of each successor: bit i, process i moves; where fairness matters
};

// Whether the formula holds, by state. The formula is one of states: every temporal operator stands below a quantifier.
// Throws std::invalid_argument where it is not, and for a formula outside CTL with finite paths, which are not defined.
std::vector<bool> satisfying(const ExplicitGraph& graph, const BranchingFormula& formula, DeadlockMeaning deadlocks);

// The same where only fair paths count, by the definition (fair_cycles.hpp): all sets of nodes of a product that a path
// could visit infinitely often are tried. Nothing where a component of it is too large for that.
std::optional<std::vector<bool>> satisfying_on_fair_paths(const ExplicitGraph& graph, const BranchingFormula& formula,
                                                          DeadlockMeaning deadlocks, FairRuns runs);

// The same as satisfying(), but all quantifiers are decided by products, also those of CTL.
std::vector<bool> satisfying_by_products(const ExplicitGraph& graph, const BranchingFormula& formula,
                                         DeadlockMeaning deadlocks);

}  // namespace tideline::reference
