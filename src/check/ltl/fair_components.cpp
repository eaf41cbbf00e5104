#include "check/ltl/fair_components.hpp"

#include <algorithm>

#include "support/components.hpp"

namespace tideline::check::ltl {
using graph::MemoryGraph;
using graph::StateNumber;

void Contributions::read_enabled(StateNumber state, std::uint64_t* enabled) const {
    std::fill_n(enabled, process_words_, 0);
    MemoryGraph::Cursor cursor = graph_.successors(state);
    MemoryGraph::Edge edge;
    if (fairness_.enabled_marks) {
        if (graph_.next(cursor, edge) && process_words_ > 0)
            enabled[0] = (edge.marks >> *fairness_.enabled_marks) & mask(0);
        return;
    }
    const auto enable = [&](model::TransitionId transition) {
        if (const std::uint64_t* const set = fairness_.processes->of(transition))
            for (std::size_t w = 0; w < process_words_; ++w) enabled[w] |= set[w];
    };
    while (graph_.next(cursor, edge)) enable(edge.transition);
    const std::span<const MemoryGraph::FaultyStep> faulty = graph_.faulty_steps();
    for (auto step = std::ranges::lower_bound(faulty, state, {}, &MemoryGraph::FaultyStep::source);
         step != faulty.end() && step->source == state; ++step)
        enable(step->transition);
}

bool FairSetSearch::is_fair(bool has_edge, const std::vector<std::uint64_t>& found,
                            const std::vector<std::uint64_t>& enabled) {
    if (!has_edge || found[0] != contributions_.marks()) return false;
    const bool is_strong = contributions_.fairness().kind == Fairness::strong;
    wanted_.assign(contributions_.words(), 0);
    wanted_[0] = contributions_.marks();
    bool is_fair = true;
    for (std::size_t w = 0; w < enabled.size(); ++w) {
        wanted_[1 + w] = is_strong ? enabled[w] : contributions_.mask(w);
        starved_[w] = wanted_[1 + w] & ~found[1 + w];
        is_fair = is_fair && starved_[w] == 0;
    }
    return is_fair;
}

void FairSetSearch::split(const std::vector<StateNumber>& states, std::vector<std::vector<StateNumber>>& open) const {
    std::vector<std::uint64_t> enabled(contributions_.process_words());
    std::vector<StateNumber> rest;
    for (const StateNumber state : states) {
        contributions_.read_enabled(state, enabled.data());
        bool is_kept = true;
        for (std::size_t w = 0; w < enabled.size(); ++w) is_kept = is_kept && (enabled[w] & starved_[w]) == 0;
        if (is_kept) rest.push_back(state);
    }
    // The graph of what is left, by positions.
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> targets;
    for (const StateNumber state : rest) {
        MemoryGraph::Cursor cursor = contributions_.graph().successors(state);
        for (MemoryGraph::Edge edge; contributions_.graph().next(cursor, edge);) {
            const auto place = std::ranges::lower_bound(rest, edge.target);
            if (place != rest.end() && *place == edge.target)
                targets.push_back(static_cast<std::uint32_t>(place - rest.begin()));
        }
        offsets.push_back(targets.size());
    }
    const support::ArrayGraph<std::uint32_t> inner(offsets, targets);
    support::for_each_component(inner, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        if (members.size() == 1) {
            const std::uint32_t only = members.front();
            const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(offsets[only]);
            const auto end = targets.begin() + static_cast<std::ptrdiff_t>(offsets[only + 1]);
            if (std::find(begin, end, only) == end) return;
        }
        std::vector<StateNumber>& component = open.emplace_back();
        for (const std::uint32_t member : members) component.push_back(rest[member]);
        std::ranges::sort(component);
    });
}

}  // namespace tideline::check::ltl
