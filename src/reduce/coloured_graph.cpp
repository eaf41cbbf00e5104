// What calls nauty. Its search reports generators to a function without an argument of the caller's, and keeps work
// space of its own: one search at a time.
#include <algorithm>
#include <mutex>
#include <numeric>

#include "reduce/model_graph.hpp"

// The library's headers are C, with names of their own taste.
#include <nausparse.h>

namespace tideline::reduce {
namespace {

std::vector<std::vector<ColouredGraph::Node>>* reported = nullptr;
const ColouredGraph::Stops* stopped = nullptr;

void report(int /*count*/, int* image, int* /*orbits*/, int /*orbit_count*/, int /*stabilised*/, int nodes) {
    if (nauty_kill_request == 0) reported->emplace_back(image, image + nodes);
}

// Called for every node of the search tree.
void look(graph* /*graph*/, int* /*lab*/, int* /*ptn*/, int /*level*/, int /*cells*/, int /*cell*/, int /*code*/,
          int /*words*/, int /*nodes*/) {
    if ((*stopped)()) nauty_kill_request = 1;
}

}  // namespace

ColouredGraph::Node ColouredGraph::add(const std::string& colour) {
    colours_.push_back(known_.try_emplace(colour, static_cast<unsigned>(known_.size())).first->second);
    return static_cast<Node>(colours_.size() - 1);
}

std::vector<std::vector<ColouredGraph::Node>> ColouredGraph::automorphisms(
    const std::vector<std::pair<Node, unsigned>>& marked, const Stops& stops) const {
    if (colours_.empty()) return {};
    const std::size_t n = colours_.size();
    std::vector<std::pair<unsigned, unsigned>> colours(n);
    for (std::size_t i = 0; i < n; ++i) colours[i] = {colours_[i], 0};
    for (const auto& [node, mark] : marked) colours[node].second = mark + 1;
    std::vector<int> lab(n);
    std::vector<int> ptn(n);
    std::vector<int> orbits(n);
    std::iota(lab.begin(), lab.end(), 0);
    std::stable_sort(lab.begin(), lab.end(), [&](int a, int b) {
        return colours[static_cast<std::size_t>(a)] < colours[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < n; ++i)
        ptn[i] = i + 1 < n && colours[static_cast<std::size_t>(lab[i])] == colours[static_cast<std::size_t>(lab[i + 1])]
                     ? 1
                     : 0;
    std::vector<std::pair<Node, Node>> arcs;
    for (const auto& [a, b] : edges_) {
        arcs.emplace_back(a, b);
        arcs.emplace_back(b, a);
    }
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    std::vector<std::size_t> begins(n, 0);
    std::vector<int> degrees(n, 0);
    std::vector<int> targets;
    for (const auto& [from, to] : arcs) {
        if (degrees[from]++ == 0) begins[from] = targets.size();
        targets.push_back(static_cast<int>(to));
    }
    if (targets.empty()) targets.push_back(0);

    std::vector<std::vector<Node>> generators;
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    reported = &generators;
    stopped = &stops;
    sparsegraph graph{};
    graph.nv = static_cast<int>(n);
    graph.nde = arcs.size();
    graph.v = begins.data();
    graph.d = degrees.data();
    graph.e = targets.data();
    graph.vlen = begins.size();
    graph.dlen = degrees.size();
    graph.elen = targets.size();
    static DEFAULTOPTIONS_SPARSEGRAPH(options);
    options.defaultptn = FALSE;
    options.userautomproc = report;
    options.usernodeproc = look;
    nauty_kill_request = 0;
    statsblk stats;
    sparsenauty(&graph, lab.data(), ptn.data(), orbits.data(), &options, &stats, nullptr);
    reported = nullptr;
    return generators;
}

}  // namespace tideline::reduce
