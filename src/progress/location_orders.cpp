#include "progress/location_orders.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/components.hpp"

namespace tideline::progress {
namespace {

using Graph = std::vector<std::vector<std::size_t>>;

Graph graph_of(const model::Model& model, model::ProcessId process) {
    const model::Variable& variable = model.variables[model.processes[process].location];
    Graph graph(static_cast<std::size_t>(variable.range.high + 1));
    for (const model::Transition& transition : model.transitions)
        for (const model::Participant& p : transition.participants)
            if (p.process == process && p.from != p.to)
                graph[static_cast<std::size_t>(p.from)].push_back(static_cast<std::size_t>(p.to));
    return graph;
}

// Components in reverse topological order: from one, only lower numbers are reached.
class Components {
public:
    explicit Components(const Graph& graph)
        : numbers_(support::component_numbers(support::RowGraph(graph, [](std::size_t target) { return target; }))) {}
    [[nodiscard]] std::size_t of(std::size_t node) const { return numbers_.of[node]; }
    [[nodiscard]] std::size_t count() const { return numbers_.count; }

private:
    support::ComponentNumbers<std::uint32_t> numbers_;
};

// By component.
std::vector<model::Value> ranks_of(const Graph& graph, const Components& components) {
    // The longest way into a component. Those with higher numbers come first.
    std::vector<std::vector<std::size_t>> members(components.count());
    for (std::size_t node = 0; node < graph.size(); ++node) members[components.of(node)].push_back(node);
    std::vector<model::Value> rank(components.count(), 0);
    for (std::size_t component = components.count(); component-- > 0;)
        for (const std::size_t node : members[component])
            for (const std::size_t target : graph[node])
                if (const std::size_t its = components.of(target); its != component)
                    rank[its] = std::max(rank[its], rank[component] + 1);
    return rank;
}

std::vector<model::Value> by_node(const Graph& graph, const Components& components,
                                  const std::vector<model::Value>& by_component) {
    std::vector<model::Value> result;
    for (std::size_t node = 0; node < graph.size(); ++node) result.push_back(by_component[components.of(node)]);
    return result;
}

std::vector<std::size_t> initial_locations(const model::Model& model, model::ProcessId process) {
    const model::SlotId slot = model.variables[model.processes[process].location].first_slot;
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < model.initial_count(); ++i)
        result.push_back(static_cast<std::size_t>(model.initial_state(i)[slot]));
    return result;
}

}  // namespace

std::vector<model::Value> component_ranks(const model::Model& model, model::ProcessId process) {
    const Graph graph = graph_of(model, process);
    const Components components(graph);
    return by_node(graph, components, ranks_of(graph, components));
}

std::vector<model::Value> component_order(const model::Model& model, model::ProcessId process) {
    const Graph graph = graph_of(model, process);
    const Components components(graph);
    const std::vector<model::Value> rank = ranks_of(graph, components);
    std::vector<std::size_t> order(components.count());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::reverse(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    std::vector<model::Value> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<model::Value>(i);
    return by_node(graph, components, position);
}

std::vector<model::Value> spanning_depths(const model::Model& model, model::ProcessId process) {
    const Graph graph = graph_of(model, process);
    std::vector<model::Value> depth(graph.size(), -1);
    std::vector<std::size_t> queue;
    for (const std::size_t root : initial_locations(model, process))
        if (std::exchange(depth[root], 0) < 0) queue.push_back(root);
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (const std::size_t target : graph[queue[next]])
            if (depth[target] < 0) {
                depth[target] = depth[queue[next]] + 1;
                queue.push_back(target);
            }
    for (model::Value& value : depth) value = std::max<model::Value>(value, 0);
    return depth;
}

std::vector<model::Value> spanning_order(const model::Model& model, model::ProcessId process) {
    const Graph graph = graph_of(model, process);
    std::vector<bool> seen(graph.size(), false);
    std::vector<std::size_t> left;                          // in the order in which the search leaves them for good
    std::vector<std::pair<std::size_t, std::size_t>> path;  // with the next edge to look at
    const auto enter = [&](std::size_t node) {
        if (!seen[node]) path.emplace_back(node, 0);
        seen[node] = true;
    };
    for (const std::size_t root : initial_locations(model, process)) {
        enter(root);
        while (!path.empty()) {
            auto& [node, edge] = path.back();
            if (edge == graph[node].size()) {
                left.push_back(node);
                path.pop_back();
            } else {
                enter(graph[node][edge++]);
            }
        }
    }
    std::vector<model::Value> position(graph.size(), 0);
    for (std::size_t i = 0; i < left.size(); ++i) position[left[i]] = static_cast<model::Value>(left.size() - 1 - i);
    return position;
}

}  // namespace tideline::progress
