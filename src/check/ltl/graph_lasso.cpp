#include "check/ltl/graph_lasso.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace tideline::check::ltl {
namespace {

using graph::GraphPath;
using graph::MemoryGraph;
using graph::StateNumber;

class LassoSearch {
public:
    LassoSearch(const Contributions& contributions, const FairSet& set, const support::Budget& budget)
        : contributions_(contributions), set_(set), poll_(budget, 256), budget_(budget) {}

    // The cycle from a state of the set; it ends with that state. Empty: the budget is exhausted.
    GraphPath cycle(StateNumber entry) {
        GraphPath path{{entry}, {}};
        std::vector<std::uint64_t> missing = set_.wanted;
        const auto is_missing = [&] {
            return std::ranges::any_of(missing, [](std::uint64_t word) { return word != 0; });
        };
        while (is_missing()) {
            std::vector<std::uint64_t> bits(missing.size());
            const bool is_found = extend(path, [&](const MemoryGraph::Edge& edge, const std::uint64_t* enabled) {
                std::ranges::fill(bits, 0);
                contributions_.add(edge, enabled, bits.data());
                for (std::size_t w = 0; w < bits.size(); ++w)
                    if ((bits[w] & missing[w]) != 0) return true;
                return false;
            });
            if (!is_found) return {};
            // Whatever the whole path contributes is not missing any more; its last edge is a part of it.
            collect(path, missing);
        }
        if (path.states.back() != entry || path.edges.empty()) {
            const bool is_closed =
                extend(path, [&](const MemoryGraph::Edge& edge, const std::uint64_t*) { return edge.target == entry; });
            if (!is_closed) return {};
        }
        return path;
    }

private:
    struct Parent {
        StateNumber state;
        std::uint64_t position;  // of the edge in its row
    };

    [[nodiscard]] bool is_inside(StateNumber state) const { return std::ranges::binary_search(set_.states, state); }

    // What the last leg has contributed.
    void collect(const GraphPath& path, std::vector<std::uint64_t>& missing) {
        std::vector<std::uint64_t> enabled(contributions_.processes().words());
        std::vector<std::uint64_t> bits(missing.size());
        for (; collected_ < path.edges.size(); ++collected_) {
            const StateNumber state = path.states[collected_];
            contributions_.read_enabled_where_asked(state, enabled);
            contributions_.add(graph::edge_at(contributions_.graph(), state, path.edges[collected_]), enabled.data(),
                               bits.data());
        }
        for (std::size_t w = 0; w < bits.size(); ++w) missing[w] &= ~bits[w];
    }

    // Adds a path of fewest steps, inside the set, to the first edge that is wanted, and that edge.
    template <class Wanted>
    bool extend(GraphPath& path, const Wanted& is_wanted) {
        std::unordered_map<StateNumber, Parent> parents;
        std::vector<StateNumber> queue{path.states.back()};
        std::vector<std::uint64_t> enabled(contributions_.processes().words());
        for (std::size_t next = 0; next < queue.size(); ++next) {
            constexpr std::uint64_t kBytes = 64;  // of a state in the queue and the table
            if (poll_.is_exhausted() || (next % 65536 == 65535 && !budget_.allows(queue.size() * kBytes))) return false;
            const StateNumber state = queue[next];
            contributions_.read_enabled_where_asked(state, enabled);
            MemoryGraph::Cursor cursor = contributions_.graph().successors(state);
            std::uint64_t position = 0;
            for (MemoryGraph::Edge edge; contributions_.graph().next(cursor, edge); ++position) {
                if (!is_inside(edge.target)) continue;
                if (is_wanted(edge, enabled.data())) {
                    append(path, parents, queue.front(), state);
                    path.edges.push_back(position);
                    path.states.push_back(edge.target);
                    return true;
                }
                if (edge.target != queue.front() && parents.try_emplace(edge.target, Parent{state, position}).second)
                    queue.push_back(edge.target);
            }
        }
        assert(false && "the set is strongly connected and has what is wanted");
        return false;
    }

    static void append(GraphPath& path, const std::unordered_map<StateNumber, Parent>& parents, StateNumber root,
                       StateNumber state) {
        GraphPath leg;
        while (state != root) {
            const Parent& parent = parents.at(state);
            leg.states.push_back(state);
            leg.edges.push_back(parent.position);
            state = parent.state;
        }
        path.states.insert(path.states.end(), leg.states.rbegin(), leg.states.rend());
        path.edges.insert(path.edges.end(), leg.edges.rbegin(), leg.edges.rend());
    }

    const Contributions& contributions_;
    const FairSet& set_;
    support::BudgetPoll poll_;
    const support::Budget& budget_;
    std::size_t collected_ = 0;  // edges of the path
};

}  // namespace

std::optional<GraphLasso> shortest_lasso(const Contributions& contributions, const FairSet& set,
                                         const support::Budget& budget) {
    constexpr std::size_t kSmall = 512;     // states
    constexpr std::size_t kMostTries = 32;  // entries
    const std::size_t tries = set.states.size() <= kSmall ? std::min(kMostTries, set.states.size()) : 1;
    std::optional<GraphLasso> best;
    for (std::size_t i = 0; i < tries; ++i) {
        GraphPath stem = graph::path_to(contributions.graph(), set.states[i]);
        // States come in the order of their distances: a longer stem alone is no better.
        if (best && stem.states.size() >= best->path.states.size()) break;
        GraphPath cycle = LassoSearch(contributions, set, budget).cycle(set.states[i]);
        if (cycle.states.empty()) break;
        if (best && stem.edges.size() + cycle.edges.size() >= best->path.edges.size()) continue;
        GraphLasso& lasso = best.emplace();
        lasso.loop = stem.states.size() - 1;
        lasso.path = std::move(stem);
        lasso.path.states.insert(lasso.path.states.end(), cycle.states.begin() + 1, cycle.states.end());
        lasso.path.edges.insert(lasso.path.edges.end(), cycle.edges.begin(), cycle.edges.end());
    }
    return best;
}

}  // namespace tideline::check::ltl
