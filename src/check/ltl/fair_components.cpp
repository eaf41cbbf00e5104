#include "check/ltl/fair_components.hpp"

#include <algorithm>

namespace tideline::check::ltl {
using graph::MemoryGraph;
using graph::StateNumber;

void Contributions::read_enabled(StateNumber state, std::uint64_t* enabled) const {
    std::fill_n(enabled, processes_.words(), 0);
    MemoryGraph::Cursor cursor = graph_.successors(state);
    MemoryGraph::Edge edge;
    if (enabled_marks_) {
        if (graph_.next(cursor, edge) && processes_.words() > 0)
            enabled[0] = (edge.marks >> *enabled_marks_) & processes_.mask(0);
        return;
    }
    while (graph_.next(cursor, edge)) processes_.enable(edge.transition, enabled);
    const std::span<const MemoryGraph::FaultyStep> faulty = graph_.faulty_steps();
    for (auto step = std::ranges::lower_bound(faulty, state, {}, &MemoryGraph::FaultyStep::source);
         step != faulty.end() && step->source == state; ++step)
        processes_.enable(step->transition, enabled);
}

}  // namespace tideline::check::ltl
