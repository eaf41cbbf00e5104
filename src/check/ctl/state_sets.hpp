// The states that satisfy the nodes of a program, as bits; and what does not depend on how temporal nodes are decided:
// constants, atoms and boolean operators, word by word.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

#include "check/ctl/bits.hpp"
#include "check/ctl/program.hpp"
#include "check/ctl/work.hpp"

namespace tideline::check::ctl {

// How often edges were looked at, per temporal operator: what shows that an algorithm is linear.
struct EdgeVisits {
    std::uint64_t operators = 0;
    std::uint64_t all = 0;
    std::uint64_t most = 0;  // of one operator
    void add(std::uint64_t visits) {
        ++operators;
        all += visits;
        most = std::max(most, visits);
    }
};

class StateSets {
public:
    StateSets(const Program& program, std::uint64_t states) : program_(&program), states_(states) {
        sets_.resize(program.nodes.size());
    }

    [[nodiscard]] const Program& program() const { return *program_; }
    [[nodiscard]] std::uint64_t state_count() const { return states_; }
    [[nodiscard]] const Bits& operator[](NodeId node) const { return sets_[node]; }
    void set(NodeId node, Bits bits) { sets_[node] = std::move(bits); }

    // A node that is neither an atom nor quantified, from its operands.
    void decide_boolean(NodeId n, const Work& work) {
        const Node& node = program_->nodes[n];
        work.ask(Bits::bytes_for(states_));
        switch (node.kind) {
            case NodeKind::constant: sets_[n] = Bits(states_, node.value); return;
            case NodeKind::negation: sets_[n] = Bits(sets_[node.operands[0]]).flip(); return;
            case NodeKind::conjunction:
            case NodeKind::disjunction: {
                Bits result = sets_[node.operands[0]];
                for (std::size_t i = 1; i < node.operands.size(); ++i) {
                    if (node.kind == NodeKind::conjunction) result &= sets_[node.operands[i]];
                    else result |= sets_[node.operands[i]];
                }
                sets_[n] = std::move(result);
                return;
            }
            case NodeKind::implication:
                sets_[n] = Bits(sets_[node.operands[0]]).flip() |= sets_[node.operands[1]];
                return;
            case NodeKind::equivalence:
                sets_[n] = (Bits(sets_[node.operands[0]]) ^= sets_[node.operands[1]]).flip();
                return;
            case NodeKind::exclusion: sets_[n] = Bits(sets_[node.operands[0]]) ^= sets_[node.operands[1]]; return;
            default: assert(false && "a boolean node");
        }
    }

    // The node of every atom of the program, by its index.
    [[nodiscard]] std::vector<NodeId> atoms() const {
        std::vector<NodeId> atoms(program_->atoms.size());
        for (NodeId n = 0; n < program_->nodes.size(); ++n)
            if (program_->nodes[n].kind == NodeKind::atom) atoms[program_->nodes[n].index] = n;
        return atoms;
    }
    // All atoms from the labels of a graph in memory, in one pass over the states.
    template <class Graph>
    void read_atoms(const Graph& graph, Work& work) {
        const std::vector<NodeId> nodes = atoms();
        std::vector<Bits> sets;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            work.ask(Bits::bytes_for(states_));
            sets.emplace_back(states_);
        }
        for (std::uint64_t s = 0; s < states_; ++s) {
            work.poll();
            for (std::size_t i = 0; i < nodes.size(); ++i)
                if (graph.label(s, i)) sets[i].set(s);
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) sets_[nodes[i]] = std::move(sets[i]);
    }

    // A quantifier over infinite paths, whose operand the first state decides. `endless`: the states where such a path
    // begins; empty: all.
    void decide_infinite(NodeId n, const Bits& endless) {
        const Node& node = program_->nodes[n];
        Bits set = sets_[node.operands[0]];
        if (endless.size() > 0) {
            if (node.quantifier == Quantifier::exists) set &= endless;
            else set |= Bits(endless).flip();
        }
        sets_[n] = std::move(set);
    }

    // stop and go of a fixpoint, both within `endless` (null: all states).
    struct Masks {
        Bits stop;
        Bits go;
    };
    // Of the operation itself.
    [[nodiscard]] Masks masks(const Node& node, const Work& work) const {
        const Fixpoint fixpoint = fixpoint_of(node);
        work.ask(2 * Bits::bytes_for(states_));
        const Bits& g = sets_[node.operands.back()];
        Masks masks;
        if (fixpoint.stop_is_both) {
            masks.stop = fixpoint.has_left ? Bits(sets_[node.operands.front()]) &= g : Bits(states_);
            masks.go = g;
        } else {
            masks.stop = g;
            masks.go = fixpoint.has_left ? sets_[node.operands.front()] : Bits(states_, true);
        }
        return masks;
    }
    // Of the complement: the fixpoint with the other quantifier, least where this is greatest.
    [[nodiscard]] static Masks complement(Masks masks) {
        masks.go |= masks.stop;
        masks.go.flip();
        masks.stop.flip();
        return {std::move(masks.go), std::move(masks.stop)};
    }

private:
    const Program* program_;
    std::uint64_t states_;
    std::vector<Bits> sets_;
};

}  // namespace tideline::check::ctl
