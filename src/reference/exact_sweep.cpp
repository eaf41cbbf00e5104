#include "reference/exact_sweep.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace tideline::reference {
namespace {

using Layers = std::map<std::uint64_t, std::set<std::size_t>>;

std::uint64_t count(const Layers& layers) {
    std::uint64_t states = 0;
    for (const auto& [key, layer] : layers) states += layer.size();
    return states;
}

}  // namespace

ExactFigures exact_sweep(const std::vector<std::vector<std::size_t>>& edges, const std::vector<std::uint64_t>& progress,
                         const std::vector<std::size_t>& initial) {
    return nested_exact_sweep(edges, progress, std::vector<std::uint64_t>(edges.size(), 0), initial);
}

ExactFigures nested_exact_sweep(const std::vector<std::vector<std::size_t>>& edges,
                                const std::vector<std::uint64_t>& progress, const std::vector<std::uint64_t>& block_of,
                                const std::vector<std::size_t>& initial) {
    ExactFigures figures;
    figures.pass_of.assign(edges.size(), std::numeric_limits<std::uint64_t>::max());
    figures.passes.emplace_back();
    Layers written;  // V(k)
    Layers waiting;  // B(k) of this pass
    Layers later;    // of the next pass: the targets of regress edges
    for (const std::size_t root : initial) waiting[progress[root]].insert(root);
    while (!waiting.empty()) {
        const std::uint64_t key = waiting.begin()->first;
        const std::set<std::size_t> entered = std::move(waiting.begin()->second);
        waiting.erase(waiting.begin());
        const std::uint64_t block = block_of[*entered.begin()];
        std::set<std::size_t> layer = written[key];
        figures.reread += layer.size();
        std::vector<std::size_t> unexpanded;
        for (const std::size_t s : entered)
            if (layer.insert(s).second) unexpanded.push_back(s);
        while (!unexpanded.empty()) {
            const std::size_t s = unexpanded.back();
            unexpanded.pop_back();
            ++figures.expanded;
            ++figures.passes.back().expanded;
            figures.pass_of[s] = figures.passes.size() - 1;
            figures.transitions += edges[s].size();
            figures.deadlocks += edges[s].empty() ? 1 : 0;
            for (const std::size_t t : edges[s]) {
                if (progress[t] == key) {
                    if (layer.insert(t).second) unexpanded.push_back(t);
                } else if (progress[t] > key) {
                    waiting[progress[t]].insert(t);
                } else {
                    later[progress[t]].insert(t);
                    ++figures.regress_edges;
                }
            }
        }
        // While a layer is expanded nothing is deleted: the peak is at its end.
        const std::uint64_t in_memory = layer.size() + count(waiting) + count(later);
        figures.passes.back().peak = std::max(figures.passes.back().peak, in_memory);
        figures.peak = std::max(figures.peak, in_memory);
        figures.widest_layer = std::max<std::uint64_t>(figures.widest_layer, layer.size());
        written[key] = std::move(layer);
        // The sweep line goes back when no open state is ahead of it in the block.
        const bool is_block_passed = waiting.empty() || block_of[*waiting.begin()->second.begin()] != block;
        if (!is_block_passed || later.empty()) continue;
        figures.passes.emplace_back();
        waiting.merge(later);
        later.clear();
    }
    figures.layers = written.size();
    return figures;
}

}  // namespace tideline::reference
