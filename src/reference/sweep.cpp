#include "reference/sweep.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <set>
#include <utility>

namespace tideline::reference {

SweepFigures sweep(const std::vector<std::vector<std::size_t>>& edges, const std::vector<std::uint64_t>& progress) {
    SweepFigures figures;
    figures.visited.resize(edges.size());
    std::set<std::size_t> nodes{0};
    std::set<std::size_t> persistent;
    std::set<std::size_t> roots{0};
    while (!roots.empty()) {
        std::set<std::pair<std::uint64_t, std::size_t>> unprocessed;
        for (const std::size_t root : roots) unprocessed.insert({progress[root], root});
        roots.clear();
        std::set<std::size_t> layer;
        std::uint64_t line = unprocessed.begin()->first;
        std::uint64_t peak = nodes.size();
        std::uint64_t expanded = 0;
        const auto delete_layer = [&] {
            for (const std::size_t s : layer)
                if (persistent.count(s) == 0) nodes.erase(s);
            layer.clear();
        };
        while (!unprocessed.empty()) {
            const auto [key, s] = *unprocessed.begin();
            unprocessed.erase(unprocessed.begin());
            if (line < key) {
                delete_layer();
                line = key;
            }
            layer.insert(s);
            ++expanded;
            figures.visited[s] = true;
            for (const std::size_t t : edges[s]) {
                if (progress[t] < key) ++figures.regress_edges;
                if (!nodes.insert(t).second) continue;
                if (progress[t] < key) {
                    persistent.insert(t);
                    roots.insert(t);
                } else {
                    unprocessed.insert({progress[t], t});
                }
                peak = std::max<std::uint64_t>(peak, nodes.size());
            }
        }
        delete_layer();
        figures.sweep_peaks.push_back(peak);
        figures.sweep_expanded.push_back(expanded);
        figures.expanded += expanded;
        figures.peak = std::max(figures.peak, peak);
    }
    figures.persistent = persistent.size();
    return figures;
}

std::vector<std::uint64_t> regress_distance(const std::vector<std::vector<std::size_t>>& edges,
                                            const std::vector<std::uint64_t>& progress) {
    std::vector<std::uint64_t> distance(edges.size(), std::numeric_limits<std::uint64_t>::max());
    std::deque<std::size_t> queue{0};
    distance[0] = 0;
    while (!queue.empty()) {
        const std::size_t s = queue.front();
        queue.pop_front();
        for (const std::size_t t : edges[s]) {
            const bool regress = progress[t] < progress[s];
            const std::uint64_t through = distance[s] + (regress ? 1 : 0);
            if (through >= distance[t]) continue;
            distance[t] = through;
            if (regress)
                queue.push_back(t);
            else
                queue.push_front(t);
        }
    }
    return distance;
}

}  // namespace tideline::reference
