#include "graph/graph_states.hpp"

#include <cassert>
#include <utility>
#include <vector>

namespace tideline::graph {

support::StopReason for_each_state(const MemoryGraph& graph, const successor::System& system,
                                   const support::Budget& budget,
                                   const std::function<bool(StateNumber, const successor::Word*)>& visit) {
    assert(graph.is_complete());
    constexpr std::size_t kBatch = 256;
    const std::size_t words = system.state_words();
    const std::unique_ptr<successor::Expander> expander = system.expander();
    successor::SuccessorBatch batch(words, kBatch);
    std::vector<successor::Word> level;
    std::vector<successor::Word> next_level;
    for (const std::vector<successor::Word>& state : system.initial_states())
        level.insert(level.end(), state.begin(), state.end());
    support::BudgetPoll poll(budget, 256);
    StateNumber number = 0;
    StateNumber next_new = graph.initial_states().size();
    while (!level.empty()) {
        for (std::size_t at = 0; at < level.size(); at += words, ++number) {
            if (poll.is_exhausted()) return poll.reason();
            const successor::Word* const state = level.data() + at;
            if (!visit(number, state)) return support::StopReason::violation;
            MemoryGraph::Cursor row = graph.successors(number);
            successor::Cursor cursor;
            for (successor::Expansion expansion = successor::Expansion::full;
                 expansion == successor::Expansion::full;) {
                batch.restart(0);
                expansion = expander->expand(state, 1, cursor, batch);
                assert(expansion != successor::Expansion::needs_repacking && "all states have been packed before");
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    if (batch.fault(i) != model::FaultKind::none) continue;
                    MemoryGraph::Edge edge;
                    [[maybe_unused]] const bool found = graph.next(row, edge);
                    assert(found && edge.transition == batch.transition(i) && "the system has the edges of its graph");
                    if (edge.target != next_new) continue;
                    ++next_new;
                    if (next_level.size() + words > next_level.capacity())
                        if (const support::StopReason reason =
                                budget.exhausted(2 * next_level.capacity() * sizeof(successor::Word));
                            reason != support::StopReason::none)
                            return reason;
                    next_level.insert(next_level.end(), batch.state(i), batch.state(i) + words);
                }
            }
        }
        std::swap(level, next_level);
        next_level.clear();
    }
    assert(number == graph.state_count());
    return support::StopReason::none;
}

}  // namespace tideline::graph
