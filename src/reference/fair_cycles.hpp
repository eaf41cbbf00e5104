// Whether a small graph has an infinite run that is accepting and fair, by the definition: the states that a run visits
// infinitely often are a set whose edges connect each of them with each other, and a run can take all these edges
// infinitely often. So there is such a run if and only if some reachable set, with the edges inside, is connected so,
// has an edge, and has every mark and every fairness that is asked for. All sets are tried.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tideline::reference {

struct FairGraph {
    struct Edge {
        std::size_t from = 0;
        std::size_t to = 0;
        std::uint64_t marks = 0;
        std::uint64_t moved = 0;  // bit i: process i moves
    };
    std::vector<std::uint64_t> enabled;  // by node; bit i: process i has a step
    std::vector<Edge> edges;
    std::vector<std::size_t> initial;
    std::uint64_t marks = 0;      // that must recur
    std::uint64_t processes = 0;  // a bit for each
};

enum class FairRuns : std::uint8_t { all, weakly_fair, strongly_fair };

// Nothing where a component has more than `most` states.
[[nodiscard]] std::optional<bool> has_fair_run(const FairGraph& graph, FairRuns runs, std::size_t most = 12);

}  // namespace tideline::reference
