// Formulas of CTL and CTL* in the form in which engines decide them: one list of state subformulas, each once, operands
// before those that use them. Several properties share one list, and with it the work.
//
// A quantifier over a single temporal operator of state formulas is one operation of CTL, also inside CTL*. Any other
// path formula becomes an automaton, over its largest state subformulas as atoms: of the formula itself for E, of its
// negation for A (A psi is !E !psi).
//
// All operations but X are fixpoints Z = stop or (go and next Z), where next is EX or AX:
//   F, U least, W greatest    stop = g        go = f     (F: f is true)
//   M least, R, G greatest    stop = f and g  go = g     (G: f is false)
// The complement of a greatest fixpoint is the least one of (not stop and not go), (not stop) with the other
// quantifier. So every engine needs two of the four fixpoints at most.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "automata/translate.hpp"
#include "check/deadlock_reading.hpp"
#include "logic/formula.hpp"
#include "support/diagnostic.hpp"

namespace tideline::check::ctl {

using NodeId = std::uint32_t;

enum class Quantifier : std::uint8_t { exists, forall };

enum class NodeKind : std::uint8_t {
    constant,
    atom,
    negation,
    conjunction,  // of any number of operands
    disjunction,
    implication,
    equivalence,
    exclusion,
    infinite,  // a quantifier over a state formula: it matters only whether an infinite path begins here, and only
               // where others do not count
    temporal,  // one operation of CTL
    path,      // an automaton
};

struct Node {
    NodeKind kind = NodeKind::constant;
    bool value = false;                              // of a constant
    std::uint32_t index = 0;                         // of an atom in Program::atoms, of a path in Program::paths
    Quantifier quantifier = Quantifier::exists;      // of temporal, path and infinite
    logic::Connective op = logic::Connective::next;  // of temporal
    std::vector<NodeId> operands{};
    logic::Formula formula{};
    bool is_boolean = true;  // no quantifier in it
    unsigned depth = 0;      // of nested quantifiers
};

// Of E psi or, for A psi, of !psi.
class PathAutomaton {
public:
    PathAutomaton(std::vector<NodeId> leaves, const automata::Automaton& automaton, automata::Labels& labels);
    // Of the infinite paths on which leaf 0 is always true: one state, no marks. The leaf is no node of a program.
    static PathAutomaton always();

    struct Step {
        std::uint32_t target;
        automata::Marks marks;
    };
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(cubes_.size()); }
    [[nodiscard]] std::uint32_t initial() const { return initial_; }
    // That a run must carry infinitely often; 0: every infinite run is accepted.
    [[nodiscard]] automata::Marks marks() const { return marks_; }
    // Bit i of a letter is the value of leaf i.
    [[nodiscard]] const std::vector<NodeId>& leaves() const { return leaves_; }
    // The steps of a state with a letter. Valid for ever; not to be called by several threads.
    [[nodiscard]] const std::vector<Step>& steps(std::uint32_t state, std::uint64_t letter) const;

private:
    PathAutomaton() = default;
    struct Edge {
        std::vector<automata::Cube> cubes;
        Step step;
    };
    std::vector<NodeId> leaves_;
    std::vector<std::vector<Edge>> cubes_;  // by state
    std::uint32_t initial_ = 0;
    automata::Marks marks_ = 0;
    mutable std::vector<std::unordered_map<std::uint64_t, std::vector<Step>>> known_;  // by state
};

struct Program {
    std::shared_ptr<const logic::Formulas> formulas;
    std::vector<Node> nodes;
    std::vector<std::string> atoms;  // their texts
    std::vector<PathAutomaton> paths;
    std::vector<NodeId> roots;  // one per property

    [[nodiscard]] std::string text(NodeId node) const;
    // The nodes that a root needs, ascending.
    [[nodiscard]] std::vector<bool> needed_by(NodeId root) const;
};

// Formulas for branching time keep quantifiers over state formulas (logic::Formulas(true)). `roots` are state formulas.
// An error where an automaton would be larger than the limits allow.
[[nodiscard]] support::Result<Program> make_program(const std::shared_ptr<logic::Formulas>& formulas,
                                                    const std::vector<logic::Formula>& roots,
                                                    const automata::TranslationLimits& limits);

// The value of a boolean node, where `atom(i)` is that of atom i.
template <class Atom>
[[nodiscard]] bool boolean_value(const Program& program, NodeId n, const Atom& atom) {
    const Node& node = program.nodes[n];
    const auto operand = [&](std::size_t i) { return boolean_value(program, node.operands[i], atom); };
    const auto first_that_is = [&](bool value) {
        for (std::size_t i = 0; i < node.operands.size(); ++i)
            if (operand(i) == value) return true;
        return false;
    };
    switch (node.kind) {
        case NodeKind::constant: return node.value;
        case NodeKind::atom: return atom(node.index);
        case NodeKind::negation: return !operand(0);
        case NodeKind::conjunction: return !first_that_is(false);
        case NodeKind::disjunction: return first_that_is(true);
        case NodeKind::implication: return !operand(0) || operand(1);
        case NodeKind::equivalence: return operand(0) == operand(1);
        case NodeKind::exclusion: return operand(0) != operand(1);
        default: assert(false && "the node is boolean"); return false;
    }
}

// Whether a formula is outside CTL: a quantifier in it stands before more than one temporal operator of state formulas,
// and needs an automaton.
[[nodiscard]] bool needs_automata(const logic::Formulas& formulas, logic::Formula root);

// The fixpoint that an operation is; not of X.
struct Fixpoint {
    Quantifier quantifier = Quantifier::exists;
    bool is_least = true;
    bool stop_is_both = false;  // stop is f and g, go is g; otherwise stop is g, go is f
    bool has_left = false;      // f is there; otherwise it is true (F) or false (G)
};
[[nodiscard]] Fixpoint fixpoint_of(const Node& node);

// Whether an operation is of AG EF p or AG AF p, p boolean.
struct Recurrence {
    bool is_inevitable = false;  // AF
    NodeId predicate = 0;
};
[[nodiscard]] std::optional<Recurrence> recurrence_of(const Program& program, NodeId root);

}  // namespace tideline::check::ctl
