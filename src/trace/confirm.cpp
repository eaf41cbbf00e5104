#include "trace/confirm.hpp"

#include "reference/replay.hpp"

namespace tideline {
namespace {

std::vector<reference::Participant> participants(const TraceStep& step) {
    std::vector<reference::Participant> result;
    for (const StepPart& part : step.parts) result.push_back({part.process, part.line});
    return result;
}

}  // namespace

std::optional<std::string> confirm(const Trace& trace, const reference::Machine& machine) {
    reference::RecordedTrace recorded;
    for (const TraceState& state : trace.states) {
        reference::NamedValues& values = recorded.states.emplace_back();
        for (std::size_t slot = 0; slot < trace.names.size(); ++slot) values.emplace_back(trace.names[slot], state.values[slot]);
    }
    for (const TraceStep& step : trace.steps) recorded.steps.push_back(participants(step));
    if (trace.fault) {
        recorded.steps.push_back(participants(trace.fault->step));
        recorded.fault = trace.fault->kind;
    }
    recorded.loop = trace.loop;
    return reference::replay(machine, recorded);
}

}  // namespace tideline
