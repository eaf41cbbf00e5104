// The progress graph of an LTL sweep (Definition 7 of the 2012 paper): a node per layer, an edge where a step leads
// from one layer to another, and which layers have accepting states. An accepting cycle over several layers lies in one
// of its strongly connected components, one with several layers and an accepting state in one of them; steps that leave
// such a component are on no cycle.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "support/components.hpp"

namespace tideline::check::ltl {

class ProgressGraph {
public:
    using Node = std::uint32_t;

    // Edges come by source: begin_visit() says that those of a layer follow.
    void begin_visit(Node source) {
        source_ = source;
        ++visit_;
    }
    void add(Node target) {
        if (target >= last_visit_.size()) last_visit_.resize(target + 1 + target / 2, 0);
        if (last_visit_[target] == visit_ || target == source_) return;
        last_visit_[target] = visit_;
        edges_.emplace_back(source_, target);
    }

    // `is_accepting(node)`: of `nodes` layers.
    template <class IsAccepting>
    void solve(Node nodes, IsAccepting is_accepting);

    // After solve(). Whether a cycle with an accepting state may lead through the layer, and through a step.
    [[nodiscard]] bool is_useful(Node node) const { return useful_[components_[node]]; }
    [[nodiscard]] bool is_useful(Node from, Node to) const {
        return components_[from] == components_[to] && is_useful(from);
    }

private:
    std::vector<std::pair<Node, Node>> edges_;  // those of one visit differ
    std::vector<std::uint64_t> last_visit_;     // of a target
    std::uint64_t visit_ = 0;
    Node source_ = 0;
    std::vector<Node> components_;
    std::vector<bool> useful_;  // by component
};

template <class IsAccepting>
void ProgressGraph::solve(Node nodes, IsAccepting is_accepting) {
    std::vector<std::uint64_t> offsets(std::size_t{nodes} + 1);
    for (const auto& [from, to] : edges_) ++offsets[std::size_t{from} + 1];
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    std::vector<Node> targets(edges_.size());
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (const auto& [from, to] : edges_) targets[next[from]++] = to;
    const support::ArrayGraph<Node> graph(offsets, targets);
    support::ComponentNumbers<Node> found = support::component_numbers(graph);
    components_ = std::move(found.of);
    std::vector<std::uint32_t> sizes(found.count);
    std::vector<bool> accepts(found.count);
    for (Node node = 0; node < nodes; ++node) {
        ++sizes[components_[node]];
        if (is_accepting(node)) accepts[components_[node]] = true;
    }
    useful_.assign(found.count, false);
    for (std::size_t c = 0; c < useful_.size(); ++c) useful_[c] = sizes[c] > 1 && accepts[c];
}

}  // namespace tideline::check::ltl
