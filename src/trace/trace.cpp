#include "trace/trace.hpp"

#include <algorithm>

namespace tideline::trace {

std::optional<Trace::Beginning> Trace::beginning() const {
    if (empty()) return std::nullopt;
    const std::vector<std::vector<successor::Word>> initial = system->initial_states();
    const auto found =
        std::find(initial.begin(), initial.end(), std::vector(state(0), state(0) + system->state_words()));
    if (found == initial.end()) return std::nullopt;
    return Beginning{static_cast<std::size_t>(found - initial.begin()), initial.size()};
}

std::vector<std::string> Trace::names() const {
    if (empty()) return {};
    const std::vector<std::string>& all = system->slot_names();
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(slots)};
}

std::vector<successor::ChannelSlots> Trace::channels() const {
    if (empty()) return {};
    std::vector<successor::ChannelSlots> result = system->channels();
    std::erase_if(result, [&](const successor::ChannelSlots& c) { return c.length + c.slot_count() > slots; });
    return result;
}

std::vector<model::Value> Trace::values(std::size_t i) const {
    std::vector<model::Value> values = system->decode(state(i));
    values.resize(slots);
    return values;
}

TraceStep Trace::step(std::size_t i) const {
    if (stays && i + 1 == size()) return {};
    const successor::Word* next = state(target(i));
    for (successor::StepDetail& step : system->steps(state(i)))
        if (step.fault == model::FaultKind::none && (transitions.empty() || step.transition == transitions[i]) &&
            std::equal(step.next.begin(), step.next.end(), next, next + system->state_words()))
            return {std::move(step.parts), std::move(step.label), std::move(step.events)};
    assert(false && "every state of a trace has a step to the next one");
    return {};
}

TraceFault Trace::fault_step() const {
    successor::StepDetail step = faulty_step(*system, state(size() - 1), fault->transition, fault->kind);
    return {{std::move(step.parts), std::move(step.label), std::move(step.events)},
            fault->kind,
            std::move(step.fault_text)};
}

Trace make_trace(std::shared_ptr<const successor::System> system, std::vector<successor::Word> words,
                 std::size_t hidden) {
    assert(!words.empty() && words.size() % system->state_words() == 0);
    Trace trace;
    trace.slots = system->slot_names().size() - hidden;
    trace.system = std::move(system);
    trace.words = std::move(words);
    return trace;
}

successor::StepDetail faulty_step(const successor::System& system, const successor::Word* state,
                                  model::TransitionId transition, model::FaultKind kind) {
    for (successor::StepDetail& step : system.steps(state))
        if (step.fault == kind && step.transition == transition) return std::move(step);
    assert(false && "the faulty step is among the steps of its state");
    return {};
}

}  // namespace tideline::trace
