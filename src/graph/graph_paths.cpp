#include "graph/graph_paths.hpp"

#include <algorithm>
#include <cassert>

namespace tideline::graph {
namespace {

// Follows edges on a system, one state at a time.
class Follower {
public:
    explicit Follower(const successor::System& system)
        : words_(system.state_words()), expander_(system.expander()), batch_(words_, kBatch) {}

    // The state behind the edge at this position of a state's row; faulty steps are no edges.
    bool follow(const successor::Word* state, std::uint64_t position, successor::Word* next,
                model::TransitionId& transition) {
        successor::Cursor cursor;
        for (std::uint64_t edges = 0;;) {
            batch_.restart(0);
            const successor::Expansion expansion = expander_->expand(state, 1, cursor, batch_);
            for (std::size_t i = 0; i < batch_.size(); ++i) {
                if (batch_.fault(i) != model::FaultKind::none || edges++ != position) continue;
                std::copy_n(batch_.state(i), words_, next);
                transition = batch_.transition(i);
                return true;
            }
            if (expansion != successor::Expansion::full) return false;
        }
    }

private:
    static constexpr std::size_t kBatch = 64;
    std::size_t words_;
    std::unique_ptr<successor::Expander> expander_;
    successor::SuccessorBatch batch_;
};

}  // namespace

GraphPath path_to(const MemoryGraph& graph, StateNumber state) {
    assert(state < graph.state_count());
    GraphPath path;
    path.states.push_back(state);
    while (const std::optional<MemoryGraph::Discovery> found = graph.discovery(path.states.back())) {
        path.states.push_back(found->source);
        path.edges.push_back(found->position);
    }
    std::ranges::reverse(path.states);
    std::ranges::reverse(path.edges);
    return path;
}

MemoryGraph::Edge edge_at(const MemoryGraph& graph, StateNumber state, std::uint64_t position) {
    MemoryGraph::Cursor cursor = graph.successors(state);
    MemoryGraph::Edge edge;
    for (std::uint64_t i = 0; i <= position; ++i) {
        [[maybe_unused]] const bool found = graph.next(cursor, edge);
        assert(found && "the row has that many edges");
    }
    return edge;
}

std::optional<explore::PackedPath> replay(const GraphPath& path, const MemoryGraph& graph,
                                          const std::shared_ptr<const successor::System>& system,
                                          const support::Budget& budget) {
    assert(!path.states.empty() && path.edges.size() + 1 == path.states.size());
    const auto initial = std::ranges::find(graph.initial_states(), path.states.front());
    assert(initial != graph.initial_states().end() && "a replay begins in an initial state");
    const auto index = static_cast<std::size_t>(initial - graph.initial_states().begin());
    const std::size_t words = system->state_words();
    if (!budget.allows(path.states.size() * words * sizeof(successor::Word))) return std::nullopt;
    explore::PackedPath packed;
    packed.system = system;
    packed.states.resize(path.states.size() * words);
    packed.transitions.resize(path.edges.size());
    std::ranges::copy(system->initial_states().at(index), packed.states.begin());
    Follower follower(*system);
    support::BudgetPoll poll(budget, 256);
    for (std::size_t i = 0; i < path.edges.size(); ++i) {
        if (poll.is_exhausted()) return std::nullopt;
        successor::Word* const next = packed.states.data() + (i + 1) * words;
        [[maybe_unused]] const bool found =
            follower.follow(packed.state(i), path.edges[i], next, packed.transitions[i]);
        assert(found && "the system has the edges of its graph");
        assert(edge_at(graph, path.states[i], path.edges[i]).target == path.states[i + 1]);
        assert(edge_at(graph, path.states[i], path.edges[i]).transition == packed.transitions[i]);
    }
    return packed;
}

}  // namespace tideline::graph
