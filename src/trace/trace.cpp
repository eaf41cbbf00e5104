#include "trace/trace.hpp"

#include <algorithm>

namespace tideline {

std::vector<std::string> Trace::names() const {
    if (empty()) return {};
    const std::vector<std::string>& all = system->slot_names();
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(slots)};
}

std::vector<Value> Trace::values(std::size_t i) const {
    std::vector<Value> values = system->decode(state(i));
    values.resize(slots);
    return values;
}

TraceStep Trace::step(std::size_t i) const {
    if (stays && i + 1 == size()) return {};
    const Word* next = state(target(i));
    for (StepDetail& step : system->steps(state(i)))
        if (step.fault == FaultKind::none && std::equal(step.next.begin(), step.next.end(), next, next + system->state_words()))
            return {std::move(step.parts), std::move(step.label)};
    assert(false && "every state of a trace has a step to the next one");
    return {};
}

TraceFault Trace::fault_step() const {
    StepDetail step = faulty_step(*system, state(size() - 1), fault->transition, fault->kind);
    return {{std::move(step.parts), std::move(step.label)}, fault->kind, std::move(step.fault_text)};
}

Trace make_trace(std::shared_ptr<const System> system, std::vector<Word> words, std::size_t hidden) {
    assert(!words.empty() && words.size() % system->state_words() == 0);
    Trace trace;
    trace.slots = system->slot_names().size() - hidden;
    trace.system = std::move(system);
    trace.words = std::move(words);
    return trace;
}

StepDetail faulty_step(const System& system, const Word* state, TransitionId transition, FaultKind kind) {
    for (StepDetail& step : system.steps(state))
        if (step.fault == kind && step.transition == transition) return std::move(step);
    assert(false && "the faulty step is among the steps of its state");
    return {};
}

}  // namespace tideline
