#include "check/ctl/program.hpp"

#include <algorithm>
#include <cassert>

#include "logic/canonical.hpp"
#include "logic/print.hpp"

namespace tideline::check::ctl {
namespace {

using logic::Connective;
using logic::Formula;

bool is_temporal(Connective c) { return c >= Connective::next && c <= Connective::strong_release; }

NodeKind kind_of(Connective c) {
    switch (c) {
        case Connective::falsity:
        case Connective::truth: return NodeKind::constant;
        case Connective::atom: return NodeKind::atom;
        case Connective::negation: return NodeKind::negation;
        case Connective::conjunction: return NodeKind::conjunction;
        case Connective::disjunction: return NodeKind::disjunction;
        case Connective::implication: return NodeKind::implication;
        case Connective::equivalence: return NodeKind::equivalence;
        case Connective::exclusion: return NodeKind::exclusion;
        default: return NodeKind::temporal;
    }
}

bool are_states(const logic::Formulas& formulas, Formula path) {
    const auto operands = formulas.operands(path);
    return std::all_of(operands.begin(), operands.end(),
                       [&](Formula f) { return formulas.has(f, logic::Trait::state); });
}

class Compiler {
public:
    Compiler(const std::shared_ptr<logic::Formulas>& formulas, const automata::TranslationLimits& limits)
        : formulas_(*formulas), limits_(limits) {
        program_.formulas = formulas;
    }

    support::Result<Program> run(const std::vector<Formula>& roots) {
        for (const Formula root : roots) {
            assert(formulas_.has(root, logic::Trait::state));
            for (const Formula f : logic::subformulas(formulas_, root)) {
                if (!formulas_.has(f, logic::Trait::state) || numbers_.contains(f.number())) continue;
                if (std::optional<support::Diagnostics> errors = add(f)) return *std::move(errors);
            }
            program_.roots.push_back(numbers_.at(root.number()));
        }
        return std::move(program_);
    }

private:
    std::optional<support::Diagnostics> add(Formula f) {
        Node node;
        node.formula = f;
        const Connective c = formulas_.connective(f);
        const bool is_quantifier = c == Connective::exists || c == Connective::forall;
        if (is_quantifier) {
            node.quantifier = c == Connective::exists ? Quantifier::exists : Quantifier::forall;
            const Formula path = formulas_.operand(f, 0);
            if (formulas_.has(path, logic::Trait::state)) {
                node.kind = NodeKind::infinite;
                node.operands = {number(path)};
            } else if (is_temporal(formulas_.connective(path)) && are_states(formulas_, path)) {
                node.kind = NodeKind::temporal;
                node.op = formulas_.connective(path);
                for (const Formula operand : formulas_.operands(path)) node.operands.push_back(number(operand));
            } else {
                if (std::optional<support::Diagnostics> errors = add_path(node, path)) return errors;
            }
        } else {
            node.kind = kind_of(c);
            node.value = c == Connective::truth;
            if (c == Connective::atom) {
                node.index = static_cast<std::uint32_t>(program_.atoms.size());
                program_.atoms.push_back(formulas_.text(f));
            }
            for (const Formula operand : formulas_.operands(f)) node.operands.push_back(number(operand));
        }
        node.is_boolean = !is_quantifier;
        for (const NodeId operand : node.operands) {
            const Node& other = program_.nodes[operand];
            node.is_boolean = node.is_boolean && other.is_boolean;
            node.depth = std::max(node.depth, other.depth);
        }
        if (is_quantifier) ++node.depth;
        numbers_[f.number()] = static_cast<NodeId>(program_.nodes.size());
        program_.nodes.push_back(std::move(node));
        return std::nullopt;
    }

    [[nodiscard]] NodeId number(Formula f) const { return numbers_.at(f.number()); }

    // The path formula over new atoms for its largest state subformulas.
    std::optional<support::Diagnostics> add_path(Node& node, Formula path) {
        logic::PathFormula over = logic::over_leaves(formulas_, path);
        for (const Formula leaf : over.leaves) node.operands.push_back(number(leaf));
        if (over.atoms.size() > automata::kMostAtoms)
            return support::Diagnostics{support::diagnostic_about(
                "", "a path formula has " + std::to_string(over.atoms.size()) + " state formulas in it; at most " +
                        std::to_string(automata::kMostAtoms) + " can be checked")};
        const Formula psi = node.quantifier == Quantifier::forall ? over.formulas.negation(over.formula) : over.formula;
        automata::Labels labels;
        support::Result<automata::Automaton> automaton =
            automata::translate(over.formulas, psi, labels, automata::AutomatonKind::generalised, limits_, over.atoms);
        if (!automaton) return std::move(automaton).diagnostics();
        node.kind = NodeKind::path;
        node.index = static_cast<std::uint32_t>(program_.paths.size());
        program_.paths.emplace_back(node.operands, *automaton, labels);
        return std::nullopt;
    }

    logic::Formulas& formulas_;
    const automata::TranslationLimits& limits_;
    Program program_;
    std::unordered_map<std::uint32_t, NodeId> numbers_;
};

}  // namespace

PathAutomaton::PathAutomaton(std::vector<NodeId> leaves, const automata::Automaton& automaton, automata::Labels& labels)
    : leaves_(std::move(leaves)),
      cubes_(automaton.size()),
      initial_(automaton.initial),
      marks_(automaton.all_marks()),
      known_(automaton.size()) {
    for (std::size_t s = 0; s < automaton.size(); ++s)
        for (const automata::Edge& edge : automaton.states[s])
            cubes_[s].push_back({labels.cubes(edge.label), {edge.target, edge.marks}});
}

PathAutomaton PathAutomaton::always() {
    PathAutomaton result;
    result.cubes_ = {{Edge{{automata::Cube{1, 0}}, Step{0, 0}}}};
    result.known_.resize(1);
    return result;
}

const std::vector<PathAutomaton::Step>& PathAutomaton::steps(std::uint32_t state, std::uint64_t letter) const {
    const auto [found, is_new] = known_[state].try_emplace(letter);
    if (is_new)
        for (const Edge& edge : cubes_[state])
            if (std::any_of(edge.cubes.begin(), edge.cubes.end(),
                            [&](const automata::Cube& cube) { return cube.contains(letter); }))
                found->second.push_back(edge.step);
    return found->second;
}

std::string Program::text(NodeId node) const { return logic::to_text(*formulas, nodes[node].formula); }

std::vector<bool> Program::needed_by(NodeId root) const {
    std::vector<bool> needed(nodes.size(), false);
    needed[root] = true;
    for (NodeId n = root + 1; n-- > 0;)
        if (needed[n])
            for (const NodeId operand : nodes[n].operands) needed[operand] = true;
    return needed;
}

support::Result<Program> make_program(const std::shared_ptr<logic::Formulas>& formulas,
                                      const std::vector<Formula>& roots, const automata::TranslationLimits& limits) {
    return Compiler(formulas, limits).run(roots);
}

bool needs_automata(const logic::Formulas& formulas, Formula root) {
    for (const Formula f : logic::subformulas(formulas, root)) {
        if (!formulas.is(f, Connective::exists) && !formulas.is(f, Connective::forall)) continue;
        const Formula path = formulas.operand(f, 0);
        if (formulas.has(path, logic::Trait::state)) continue;
        if (!is_temporal(formulas.connective(path)) || !are_states(formulas, path)) return true;
    }
    return false;
}

Fixpoint fixpoint_of(const Node& node) {
    assert(node.kind == NodeKind::temporal && node.op != Connective::next);
    Fixpoint result;
    result.quantifier = node.quantifier;
    result.is_least =
        node.op == Connective::eventually || node.op == Connective::until || node.op == Connective::strong_release;
    result.stop_is_both =
        node.op == Connective::always || node.op == Connective::release || node.op == Connective::strong_release;
    result.has_left = node.operands.size() == 2;
    return result;
}

std::optional<Recurrence> recurrence_of(const Program& program, NodeId root) {
    const Node& outer = program.nodes[root];
    if (outer.kind != NodeKind::temporal || outer.op != Connective::always || outer.quantifier != Quantifier::forall)
        return std::nullopt;
    const Node& inner = program.nodes[outer.operands[0]];
    if (inner.kind != NodeKind::temporal || inner.op != Connective::eventually) return std::nullopt;
    if (!program.nodes[inner.operands[0]].is_boolean) return std::nullopt;
    return Recurrence{inner.quantifier == Quantifier::forall, inner.operands[0]};
}

}  // namespace tideline::check::ctl
