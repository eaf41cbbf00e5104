// A recorded run claims these states and these participants. It is confirmed by asking the machine, in each state, for
// all its steps and looking for one with the same participants and the same outcome. States are compared on all names,
// so that a run which leaves something out is rejected as well. Two states are in memory at a time.
#include "reference/replay.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace tideline::reference {

namespace {

std::string described(const std::vector<Participant>& participants) {
    if (participants.empty()) return "nobody";
    std::string text;
    for (const Participant& participant : participants) {
        text += fmt::format("{}{} (line {})", text.empty() ? "" : " with ", participant.process, participant.line);
    }
    return text;
}

// The recorded values as a state of the machine, or what is wrong with them.
std::optional<std::string> read_state(const Machine& machine, const NamedValues& recorded, State& state) {
    std::map<std::string, std::int64_t> values;
    for (const auto& [name, value] : recorded) {
        if (!values.emplace(name, value).second) return fmt::format("'{}' is recorded twice", name);
    }
    state.clear();
    for (const std::string& name : machine.names()) {
        const auto found = values.find(name);
        if (found == values.end()) return fmt::format("no value is recorded for '{}'", name);
        state.push_back(found->second);
        values.erase(found);
    }
    if (!values.empty()) return fmt::format("the model has no '{}'", values.begin()->first);
    return std::nullopt;
}

std::optional<std::string> difference(const Machine& machine, const State& recorded, const State& actual) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (recorded[i] == actual[i]) continue;
        return fmt::format("'{}' is recorded as {} but is {}", machine.names()[i], recorded[i], actual[i]);
    }
    return std::nullopt;
}

std::optional<std::string> wrong_shape(const Run& run) {
    if (run.states() == 0) return "the run has no state";
    if (run.fault() != model::FaultKind::none && run.loop()) return "the run has both a fault and a loop";
    const bool open = run.fault() == model::FaultKind::none && !run.loop();
    const std::size_t steps = open ? run.states() - 1 : run.states();
    if (run.steps() != steps)
        return fmt::format("the run has {} states, so {} steps are needed, but {} are recorded", run.states(), steps,
                           run.steps());
    if (run.loop() && *run.loop() >= run.states())
        return fmt::format("the loop goes back to state {}, which is not there", *run.loop());
    return std::nullopt;
}

std::optional<std::string> confirm_initial(const Machine& machine, const State& recorded) {
    const std::vector<State> initial = machine.initial_states();
    if (std::find(initial.begin(), initial.end(), recorded) != initial.end()) return std::nullopt;
    if (initial.size() > 1) return fmt::format("state 0 is none of the {} initial states", initial.size());
    return fmt::format("initial state: {}", difference(machine, recorded, initial[0]).value());
}

std::optional<std::string> confirm_fault(const Machine& machine, const State& from,
                                         const std::vector<Participant>& participants, model::FaultKind kind) {
    const std::vector<Step> steps = machine.steps(from);
    const bool found = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
        return step.participants == participants && step.fault == kind;
    });
    if (found) return std::nullopt;
    return fmt::format("{} has no step with the fault '{}' here", described(participants), model::to_string(kind));
}

std::optional<std::string> confirm_step(const Machine& machine, const State& from,
                                        const std::vector<Participant>& participants, const State& to) {
    std::optional<std::string> reason;
    for (const Step& step : machine.steps(from)) {
        if (step.participants != participants) continue;
        if (step.fault != model::FaultKind::none) {
            if (!reason)
                reason =
                    fmt::format("the step of {} is faulty ({})", described(participants), model::to_string(step.fault));
            continue;
        }
        const std::optional<std::string> differs = difference(machine, to, step.next);
        if (!differs) return std::nullopt;
        if (!reason) reason = fmt::format("after {}: {}", described(participants), *differs);
    }
    return reason ? reason : fmt::format("{} has no step here", described(participants));
}

std::optional<std::string> confirm_stutter(const Machine& machine, const State& from, const State& to) {
    if (from != to) return "a step without participants must stay in its state";
    if (!machine.steps(from).empty()) return "a step without participants is recorded where the system can go on";
    return std::nullopt;
}

class RecordedRun final : public Run {
public:
    RecordedRun(const Machine& machine, const RecordedTrace& trace) : machine_(machine), trace_(trace) {}

    [[nodiscard]] std::size_t states() const override { return trace_.states.size(); }
    [[nodiscard]] std::size_t steps() const override { return trace_.steps.size(); }
    [[nodiscard]] model::FaultKind fault() const override { return trace_.fault; }
    [[nodiscard]] std::optional<std::size_t> loop() const override { return trace_.loop; }
    [[nodiscard]] std::optional<std::string> read_state(std::size_t i, State& state) const override {
        return tideline::reference::read_state(machine_, trace_.states[i], state);
    }
    [[nodiscard]] std::vector<Participant> participants_of(std::size_t i) const override { return trace_.steps[i]; }

private:
    const Machine& machine_;
    const RecordedTrace& trace_;
};

}  // namespace

NamedValues named_values(const Machine& machine, const State& state) {
    NamedValues values;
    for (std::size_t i = 0; i < state.size(); ++i) values.emplace_back(machine.names()[i], state[i]);
    return values;
}

Replayed replay(const Machine& machine, const Run& run, const support::Budget& budget) {
    constexpr std::uint32_t kStepsPerLook = 128;
    const auto disagree = [](std::string text) { return Replayed{support::StopReason::none, std::move(text)}; };
    support::BudgetPoll poll(budget, kStepsPerLook);
    if (std::optional<std::string> wrong = wrong_shape(run)) return disagree(*std::move(wrong));
    State state;
    State next;
    if (const auto wrong = run.read_state(0, state)) return disagree(fmt::format("state 0: {}", *wrong));
    if (const auto wrong = confirm_initial(machine, state)) return disagree(*wrong);
    for (std::size_t i = 0; i < run.steps(); ++i) {
        if (poll.is_exhausted()) return {poll.reason(), std::nullopt};
        const bool last = i + 1 == run.states();
        const std::vector<Participant> participants = run.participants_of(i);
        std::optional<std::string> wrong;
        if (last && run.fault() != model::FaultKind::none) {
            wrong = confirm_fault(machine, state, participants, run.fault());
        } else {
            const std::size_t target = last ? *run.loop() : i + 1;
            if (const auto unread = run.read_state(target, next))
                return disagree(fmt::format("state {}: {}", target, *unread));
            wrong = last && participants.empty() ? confirm_stutter(machine, state, next)
                                                 : confirm_step(machine, state, participants, next);
        }
        if (wrong) return disagree(fmt::format("step {}: {}", i + 1, *wrong));
        std::swap(state, next);
    }
    return {};
}

std::optional<std::string> replay(const Machine& machine, const RecordedTrace& trace) {
    const support::Budget unlimited;
    return replay(machine, RecordedRun(machine, trace), unlimited).disagreement;
}

}  // namespace tideline::reference
