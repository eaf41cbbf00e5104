// A coloured graph whose automorphisms are candidates for symmetries of a model, as in formula and program symmetry
// (F. A. Aloul, A. Ramani, I. L. Markov, K. A. Sakallah 2003; A. F. Donaldson, A. Miller 2005): a node per process,
// slot, domain, value, transition and operator; edges say what belongs to what, and colours what must stay what it is.
// The automorphisms are found by nauty (B. D. McKay, A. Piperno: Practical graph isomorphism II, 2014).
//
// The graph may be wrong either way: what it has too many is sorted out by the verification, and what it lacks costs
// reduction only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reduce/renaming.hpp"

namespace tideline::reduce {

// Nodes with colours and edges.
class ColouredGraph {
public:
    using Node = std::uint32_t;

    Node add(const std::string& colour);
    void connect(Node a, Node b) { edges_.emplace_back(a, b); }
    [[nodiscard]] std::size_t size() const { return colours_.size(); }
    [[nodiscard]] std::size_t edges() const { return edges_.size(); }

    // Generators of the group of automorphisms, as images by node. `marked`: nodes that get a colour of their own kind,
    // all with the same number the same one; the others keep theirs. Some may be missing where `stops`, which is asked
    // from time to time, said so.
    using Stops = std::function<bool()>;
    [[nodiscard]] std::vector<std::vector<Node>> automorphisms(const std::vector<std::pair<Node, unsigned>>& marked,
                                                               const Stops& stops) const;

private:
    std::map<std::string, unsigned> known_;
    std::vector<unsigned> colours_;
    std::vector<std::pair<Node, Node>> edges_;
};

class ModelGraph {
public:
    // Nodes of larger graphs are not made: is_too_large().
    static constexpr std::size_t kMostNodes = 200'000;

    ModelGraph(const model::Model& model, const ValueDomains& domains);

    [[nodiscard]] bool is_too_large() const { return is_too_large_; }
    // Candidates. Processes with the same class may be exchanged, as far as it is given.
    [[nodiscard]] std::vector<Renaming> candidates(const std::vector<unsigned>& process_classes,
                                                   const ColouredGraph::Stops& stops) const;

private:
    using Node = ColouredGraph::Node;
    class Builder;

    const model::Model& model_;
    const ValueDomains& domains_;
    ColouredGraph graph_;
    bool is_too_large_ = false;
    std::vector<Node> processes_;
    std::vector<Node> slots_;
    std::vector<Node> domain_nodes_;
    std::vector<std::vector<Node>> values_;  // by domain, as its members
};

}  // namespace tideline::reduce
