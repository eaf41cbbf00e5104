#include "trace/confirm.hpp"

#include <cassert>
#include <map>

#include "reference/replay.hpp"

namespace tideline::trace {
namespace {

std::vector<reference::Participant> participants(TraceStep step) {
    std::vector<reference::Participant> result;
    for (successor::StepPart& part : step.parts) result.push_back({std::move(part.process), part.line});
    return result;
}

// A trace as the machine reads it: values by the machine's names, resolved once.
class TracedRun final : public reference::Run {
public:
    TracedRun(const Trace& trace, const reference::Machine& machine) : trace_(trace) {
        if (trace.fault)
            if (TraceFault fault = trace.fault_step(); !fault.step.is_empty()) fault_ = std::move(fault);
        std::map<std::string, std::size_t> slots;
        const std::vector<std::string> names = trace.names();
        for (std::size_t slot = 0; slot < names.size(); ++slot)
            if (!slots.emplace(names[slot], slot).second) wrong_name_ = "'" + names[slot] + "' is recorded twice";
        for (const std::string& name : machine.names()) {
            const auto found = slots.find(name);
            if (found == slots.end()) {
                wrong_name_ = "no value is recorded for '" + name + "'";
                return;
            }
            slot_of_.push_back(found->second);
            slots.erase(found);
        }
        if (!slots.empty()) wrong_name_ = "the model has no '" + slots.begin()->first + "'";
    }

    [[nodiscard]] std::size_t states() const override { return trace_.size(); }
    [[nodiscard]] std::size_t steps() const override { return trace_.step_count() + (fault_ ? 1 : 0); }
    [[nodiscard]] model::FaultKind fault() const override { return fault_ ? fault_->kind : model::FaultKind::none; }
    [[nodiscard]] std::optional<std::size_t> loop() const override { return trace_.loop; }
    [[nodiscard]] std::optional<std::string> read_state(std::size_t i, reference::State& state) const override {
        if (wrong_name_) return wrong_name_;
        const std::vector<model::Value> values = trace_.values(i);
        state.resize(slot_of_.size());
        for (std::size_t n = 0; n < slot_of_.size(); ++n) state[n] = values[slot_of_[n]];
        return std::nullopt;
    }
    [[nodiscard]] std::vector<reference::Participant> participants_of(std::size_t i) const override {
        return participants(i < trace_.step_count() ? trace_.step(i) : fault_->step);
    }

private:
    const Trace& trace_;
    std::optional<TraceFault> fault_;
    std::vector<std::size_t> slot_of_;  // by the index of the machine's name
    std::optional<std::string> wrong_name_;
};

}  // namespace

Confirmation confirm(const Trace& trace, const reference::Machine& machine, const support::Budget& budget) {
    reference::Replayed replayed = reference::replay(machine, TracedRun(trace, machine), budget);
    return {replayed.stopped, std::move(replayed.disagreement)};
}

reference::State last_state(const Trace& trace, const reference::Machine& machine) {
    reference::State state;
    const std::optional<std::string> wrong = TracedRun(trace, machine).read_state(trace.size() - 1, state);
    assert(!wrong && "the trace was confirmed");
    (void)wrong;
    return state;
}

std::optional<reference::State> state_of(const Trace& trace, std::size_t i, const reference::Machine& machine) {
    reference::State state;
    if (TracedRun(trace, machine).read_state(i, state)) return std::nullopt;
    return state;
}

std::optional<bool> evaluate(const std::string& expression, const Trace& trace, std::size_t i,
                             const reference::Machine& machine) {
    const std::optional<reference::State> state = state_of(trace, i, machine);
    if (!state) return std::nullopt;
    const support::Result<reference::Answer> answer = machine.evaluate(expression, *state);
    if (!answer || answer->fault != model::FaultKind::none) return std::nullopt;
    return answer->value != 0;
}

}  // namespace tideline::trace
