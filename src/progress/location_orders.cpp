#include "progress/location_orders.hpp"

#include <algorithm>
#include <numeric>

namespace tideline {
namespace {

using Graph = std::vector<std::vector<std::size_t>>;

Graph graph_of(const Model& model, ProcessId process) {
    const Variable& variable = model.variables[model.processes[process].location];
    Graph graph(static_cast<std::size_t>(variable.range.high + 1));
    for (const Transition& transition : model.transitions)
        for (const Participant& p : transition.participants)
            if (p.process == process && p.from != p.to) graph[static_cast<std::size_t>(p.from)].push_back(static_cast<std::size_t>(p.to));
    return graph;
}

// Tarjan's algorithm with a stack of its own. Components are numbered in the order in which they are completed: from one, only lower numbers
// are reached.
class Components {
public:
    explicit Components(const Graph& graph) : graph_(graph), index_(graph.size(), 0), low_(graph.size(), 0), component_(graph.size(), 0) {
        for (std::size_t node = 0; node < graph.size(); ++node)
            if (index_[node] == 0) visit(node);
    }
    [[nodiscard]] std::size_t of(std::size_t node) const { return component_[node] - 1; }
    [[nodiscard]] std::size_t count() const { return count_; }

private:
    void visit(std::size_t root) {
        std::vector<std::pair<std::size_t, std::size_t>> path;  // with the next edge to look at
        open(root, path);
        while (!path.empty()) {
            auto& [node, edge] = path.back();
            if (edge < graph_[node].size()) {
                const std::size_t target = graph_[node][edge++];
                if (index_[target] == 0)
                    open(target, path);
                else if (component_[target] == 0)
                    low_[node] = std::min(low_[node], index_[target]);
                continue;
            }
            const std::size_t done = node;
            path.pop_back();
            if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[done]);
            if (low_[done] != index_[done]) continue;
            ++count_;
            for (std::size_t member = stack_.size(); component_[done] == 0;) {
                component_[stack_[--member]] = count_;
                stack_.pop_back();
            }
        }
    }
    void open(std::size_t node, std::vector<std::pair<std::size_t, std::size_t>>& path) {
        index_[node] = low_[node] = ++last_;
        stack_.push_back(node);
        path.emplace_back(node, 0);
    }

    const Graph& graph_;
    std::vector<std::size_t> index_;      // 0: not seen yet
    std::vector<std::size_t> low_;
    std::vector<std::size_t> component_;  // 0: not complete yet
    std::vector<std::size_t> stack_;
    std::size_t last_ = 0;
    std::size_t count_ = 0;
};

// By component.
std::vector<Value> ranks_of(const Graph& graph, const Components& components) {
    // The longest way into a component. Those with higher numbers come first.
    std::vector<std::vector<std::size_t>> members(components.count());
    for (std::size_t node = 0; node < graph.size(); ++node) members[components.of(node)].push_back(node);
    std::vector<Value> rank(components.count(), 0);
    for (std::size_t component = components.count(); component-- > 0;)
        for (const std::size_t node : members[component])
            for (const std::size_t target : graph[node])
                if (const std::size_t its = components.of(target); its != component) rank[its] = std::max(rank[its], rank[component] + 1);
    return rank;
}

std::vector<Value> by_node(const Graph& graph, const Components& components, const std::vector<Value>& by_component) {
    std::vector<Value> result;
    for (std::size_t node = 0; node < graph.size(); ++node) result.push_back(by_component[components.of(node)]);
    return result;
}

std::size_t initial_location(const Model& model, ProcessId process) {
    return static_cast<std::size_t>(model.initial[model.variables[model.processes[process].location].first_slot]);
}

}  // namespace

std::vector<Value> component_ranks(const Model& model, ProcessId process) {
    const Graph graph = graph_of(model, process);
    const Components components(graph);
    return by_node(graph, components, ranks_of(graph, components));
}

std::vector<Value> component_order(const Model& model, ProcessId process) {
    const Graph graph = graph_of(model, process);
    const Components components(graph);
    const std::vector<Value> rank = ranks_of(graph, components);
    std::vector<std::size_t> order(components.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::reverse(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    std::vector<Value> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Value>(i);
    return by_node(graph, components, place);
}

std::vector<Value> spanning_depths(const Model& model, ProcessId process) {
    const Graph graph = graph_of(model, process);
    std::vector<Value> depth(graph.size(), -1);
    std::vector<std::size_t> queue{initial_location(model, process)};
    depth[queue[0]] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (const std::size_t target : graph[queue[next]])
            if (depth[target] < 0) {
                depth[target] = depth[queue[next]] + 1;
                queue.push_back(target);
            }
    for (Value& value : depth) value = std::max<Value>(value, 0);
    return depth;
}

std::vector<Value> spanning_order(const Model& model, ProcessId process) {
    const Graph graph = graph_of(model, process);
    std::vector<bool> seen(graph.size(), false);
    std::vector<std::size_t> left;                          // in the order in which the search leaves them for good
    std::vector<std::pair<std::size_t, std::size_t>> path{{initial_location(model, process), 0}};  // with the next edge to look at
    seen[path[0].first] = true;
    while (!path.empty()) {
        auto& [node, edge] = path.back();
        if (edge == graph[node].size()) {
            left.push_back(node);
            path.pop_back();
        } else if (const std::size_t target = graph[node][edge++]; !seen[target]) {
            seen[target] = true;
            path.emplace_back(target, 0);
        }
    }
    std::vector<Value> place(graph.size(), 0);
    for (std::size_t i = 0; i < left.size(); ++i) place[left[i]] = static_cast<Value>(left.size() - 1 - i);
    return place;
}

}  // namespace tideline
