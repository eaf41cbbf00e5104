#include "reference/sweep.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace tideline::reference {

SweepFigures sweep(const std::vector<std::vector<std::size_t>>& edges, const std::vector<std::uint64_t>& progress,
                   const std::vector<std::size_t>& initial) {
    return nested_sweep(edges, progress, std::vector<std::uint64_t>(edges.size(), 0), initial);
}

SweepFigures nested_sweep(const std::vector<std::vector<std::size_t>>& edges,
                          const std::vector<std::uint64_t>& progress, const std::vector<std::uint64_t>& block_of,
                          const std::vector<std::size_t>& initial) {
    SweepFigures figures;
    figures.visited.resize(edges.size());
    std::set<std::size_t> nodes(initial.begin(), initial.end());
    std::map<std::uint64_t, std::set<std::size_t>> entered;  // the states of later blocks that were met
    for (const std::size_t root : initial) entered[block_of[root]].insert(root);
    while (!entered.empty()) {
        const std::uint64_t block = entered.begin()->first;
        std::set<std::size_t> roots = std::move(entered.begin()->second);
        entered.erase(entered.begin());
        std::set<std::size_t> persistent;
        for (bool again = false; !roots.empty(); again = true) {
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
                    } else if (block_of[t] == block) {
                        unprocessed.insert({progress[t], t});
                    } else {
                        entered[block_of[t]].insert(t);
                    }
                    peak = std::max<std::uint64_t>(peak, nodes.size());
                }
            }
            delete_layer();
            // The line goes on into the next block, and back only inside one.
            if (again || figures.sweep_peaks.empty()) {
                figures.sweep_peaks.push_back(0);
                figures.sweep_expanded.push_back(0);
            }
            figures.sweep_peaks.back() = std::max(figures.sweep_peaks.back(), peak);
            figures.sweep_expanded.back() += expanded;
            figures.expanded += expanded;
            figures.peak = std::max(figures.peak, peak);
        }
        figures.persistent = std::max<std::uint64_t>(figures.persistent, persistent.size());
        for (const std::size_t s : persistent) nodes.erase(s);
    }
    return figures;
}

SweepFigures product_sweep(const std::vector<std::vector<std::size_t>>& edges,
                           const std::vector<std::vector<std::uint64_t>>& progress,
                           const std::vector<std::size_t>& initial) {
    using Vector = std::vector<std::uint64_t>;
    const auto is_below = [](const Vector& a, const Vector& b) {
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] > b[i]) return false;
        return true;
    };
    const auto place = [&](std::size_t s) {
        return std::tuple(std::accumulate(progress[s].begin(), progress[s].end(), std::uint64_t{0}), progress[s], s);
    };
    SweepFigures figures;
    figures.visited.resize(edges.size());
    std::set<std::size_t> nodes(initial.begin(), initial.end());
    std::set<std::size_t> persistent;
    std::set<std::size_t> roots = nodes;
    while (!roots.empty()) {
        std::set<std::tuple<std::uint64_t, Vector, std::size_t>> unprocessed;
        for (const std::size_t root : roots) unprocessed.insert(place(root));
        roots.clear();
        std::set<std::size_t> processed;  // and in memory, but for those that persist
        Vector line = std::get<1>(*unprocessed.begin());
        std::uint64_t peak = nodes.size();
        std::uint64_t expanded = 0;
        const auto delete_what_is_passed = [&] {
            for (auto s = processed.begin(); s != processed.end();) {
                const bool may_come_again =
                    std::any_of(unprocessed.begin(), unprocessed.end(),
                                [&](const auto& waiting) { return is_below(std::get<1>(waiting), progress[*s]); });
                if (!may_come_again) nodes.erase(*s);
                s = may_come_again ? std::next(s) : processed.erase(s);
            }
        };
        while (!unprocessed.empty()) {
            const std::size_t s = std::get<2>(*unprocessed.begin());
            if (progress[s] != line) delete_what_is_passed();
            line = progress[s];
            unprocessed.erase(unprocessed.begin());
            if (persistent.count(s) == 0) processed.insert(s);
            ++expanded;
            figures.visited[s] = true;
            for (const std::size_t t : edges[s]) {
                const bool is_regress = !is_below(progress[s], progress[t]);
                if (is_regress) ++figures.regress_edges;
                if (!nodes.insert(t).second) continue;
                if (is_regress) {
                    persistent.insert(t);
                    roots.insert(t);
                } else {
                    unprocessed.insert(place(t));
                }
                peak = std::max<std::uint64_t>(peak, nodes.size());
            }
        }
        delete_what_is_passed();
        figures.sweep_peaks.push_back(peak);
        figures.sweep_expanded.push_back(expanded);
        figures.expanded += expanded;
        figures.peak = std::max(figures.peak, peak);
    }
    figures.persistent = persistent.size();
    return figures;
}

std::vector<std::uint64_t> regress_distance(const std::vector<std::vector<std::size_t>>& edges,
                                            const std::vector<std::uint64_t>& progress,
                                            const std::vector<std::size_t>& initial) {
    std::vector<std::uint64_t> distance(edges.size(), std::numeric_limits<std::uint64_t>::max());
    std::deque<std::size_t> queue(initial.begin(), initial.end());
    for (const std::size_t root : initial) distance[root] = 0;
    while (!queue.empty()) {
        const std::size_t s = queue.front();
        queue.pop_front();
        for (const std::size_t t : edges[s]) {
            const bool regress = progress[t] < progress[s];
            const std::uint64_t through = distance[s] + (regress ? 1 : 0);
            if (through >= distance[t]) continue;
            distance[t] = through;
            if (regress) queue.push_back(t);
            else queue.push_front(t);
        }
    }
    return distance;
}

}  // namespace tideline::reference
