#include "trace/rebuild.hpp"

#include <algorithm>
#include <cassert>

namespace tideline {
namespace {

TraceState trace_state(const System& system, const std::vector<Word>& state) {
    TraceState result;
    result.values = system.decode(state.data());
    for (SlotId slot = 0; slot < result.values.size(); ++slot)
        result.texts.push_back(system.value_text(slot, result.values[slot]));
    return result;
}

}  // namespace

Trace rebuild_trace(const System& system, const std::vector<std::vector<Word>>& path) {
    assert(!path.empty());
    Trace trace;
    trace.names = system.slot_names();
    trace.states.push_back(trace_state(system, path.front()));
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        std::vector<StepDetail> steps = system.steps(path[i].data());
        const auto found = std::find_if(steps.begin(), steps.end(), [&](const StepDetail& s) { return s.next == path[i + 1]; });
        assert(found != steps.end());
        trace.steps.push_back({std::move(found->parts), std::move(found->label)});
        trace.states.push_back(trace_state(system, path[i + 1]));
    }
    return trace;
}

Trace rebuild_lasso(const System& system, std::vector<std::vector<Word>> path, std::size_t loop) {
    assert(loop < path.size());
    path.push_back(path[loop]);
    Trace trace = rebuild_trace(system, path);
    trace.states.pop_back();
    trace.loop = loop;
    return trace;
}

namespace {

StepDetail faulty_step(const System& system, const std::vector<Word>& state, TransitionId transition, FaultKind kind) {
    for (StepDetail& step : system.steps(state.data()))
        if (step.fault == kind && step.transition == transition) return std::move(step);
    assert(false && "the faulty step is among the steps of its state");
    return {};
}

}  // namespace

std::string fault_text(const System& system, const std::vector<Word>& state, TransitionId transition, FaultKind kind) {
    return faulty_step(system, state, transition, kind).fault_text;
}

void append_fault(Trace& trace, const System& system, const std::vector<Word>& last, TransitionId transition, FaultKind kind) {
    StepDetail step = faulty_step(system, last, transition, kind);
    trace.fault = TraceFault{{std::move(step.parts), std::move(step.label)}, kind, std::move(step.fault_text)};
}

}  // namespace tideline
