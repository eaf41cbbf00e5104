#include "reference/fair_cycles.hpp"

#include <algorithm>

namespace tideline::reference {
namespace {

// Nodes that can be reached from some by edges inside a set.
std::vector<bool> reached(const FairGraph& graph, std::vector<std::size_t> from, bool backward) {
    std::vector<std::vector<std::size_t>> next(graph.enabled.size());
    for (const FairGraph::Edge& edge : graph.edges)
        next[backward ? edge.to : edge.from].push_back(backward ? edge.from : edge.to);
    std::vector<bool> seen(graph.enabled.size());
    for (const std::size_t node : from) seen[node] = true;
    while (!from.empty()) {
        const std::size_t node = from.back();
        from.pop_back();
        for (const std::size_t to : next[node])
            if (!seen[to]) {
                seen[to] = true;
                from.push_back(to);
            }
    }
    return seen;
}

// A component with its edges, nodes numbered from 0.
struct Part {
    std::size_t size = 0;
    std::vector<FairGraph::Edge> edges;
    std::vector<std::uint64_t> enabled;
};

bool is_connected(const Part& part, std::uint64_t set) {
    const auto spread = [&](bool backward) {
        std::uint64_t seen = set & (~set + 1);  // its first node
        for (std::uint64_t before = 0; before != seen;) {
            before = seen;
            for (const FairGraph::Edge& edge : part.edges) {
                const std::uint64_t from = std::uint64_t{1} << (backward ? edge.to : edge.from);
                const std::uint64_t to = std::uint64_t{1} << (backward ? edge.from : edge.to);
                if ((seen & from) != 0 && (set & to) != 0) seen |= to;
            }
        }
        return seen == set;
    };
    return spread(false) && spread(true);
}

bool is_fair_set(const Part& part, std::uint64_t set, const FairGraph& graph, FairRuns runs) {
    std::uint64_t marks = 0;
    std::uint64_t moved = 0;
    std::uint64_t not_starved = 0;  // moved, or without a step somewhere
    bool has_edge = false;
    for (const FairGraph::Edge& edge : part.edges) {
        if (((set >> edge.from) & 1U) == 0 || ((set >> edge.to) & 1U) == 0) continue;
        has_edge = true;
        marks |= edge.marks;
        moved |= edge.moved;
        not_starved |= edge.moved | ~part.enabled[edge.from];
    }
    if (!has_edge || (marks & graph.marks) != graph.marks) return false;
    std::uint64_t enabled = 0;
    for (std::size_t node = 0; node < part.size; ++node)
        if (((set >> node) & 1U) != 0) enabled |= part.enabled[node];
    switch (runs) {
        case FairRuns::all: break;
        case FairRuns::weakly_fair:
            if ((graph.processes & ~not_starved) != 0) return false;
            break;
        case FairRuns::strongly_fair:
            if ((graph.processes & enabled & ~moved) != 0) return false;
            break;
    }
    return is_connected(part, set);
}

}  // namespace

std::optional<bool> has_fair_run(const FairGraph& graph, FairRuns runs, std::size_t most) {
    const std::vector<bool> reachable = reached(graph, graph.initial, false);
    std::vector<bool> done(graph.enabled.size());
    bool is_known = true;
    for (std::size_t first = 0; first < graph.enabled.size(); ++first) {
        if (!reachable[first] || done[first]) continue;
        const std::vector<bool> forward = reached(graph, {first}, false);
        const std::vector<bool> backward = reached(graph, {first}, true);
        std::vector<std::size_t> number(graph.enabled.size(), graph.enabled.size());
        Part part;
        for (std::size_t node = 0; node < graph.enabled.size(); ++node) {
            if (!forward[node] || !backward[node]) continue;
            done[node] = true;
            number[node] = part.size++;
            part.enabled.push_back(graph.enabled[node]);
        }
        for (const FairGraph::Edge& edge : graph.edges)
            if (number[edge.from] < part.size && number[edge.to] < part.size)
                part.edges.push_back({number[edge.from], number[edge.to], edge.marks, edge.moved});
        if (part.edges.empty()) continue;
        if (part.size > most) {
            is_known = false;
            continue;
        }
        for (std::uint64_t set = 1; set < std::uint64_t{1} << part.size; ++set)
            if (is_fair_set(part, set, graph, runs)) return true;
    }
    if (!is_known) return std::nullopt;
    return false;
}

}  // namespace tideline::reference
