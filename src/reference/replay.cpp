// A recorded run is a claim: these states, by these participants. It is confirmed by asking the machine, in each state, for
// all its steps and looking for one with the same participants and the same outcome. States are compared on all names, so
// that a run which leaves something out is rejected as well.
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

std::optional<std::string> wrong_shape(const RecordedTrace& trace) {
    if (trace.states.empty()) return "the run has no state";
    if (trace.fault != FaultKind::none && trace.loop) return "the run has both a fault and a loop";
    const bool open = trace.fault == FaultKind::none && !trace.loop;
    const std::size_t steps = open ? trace.states.size() - 1 : trace.states.size();
    if (trace.steps.size() != steps) {
        return fmt::format("the run has {} states, so {} steps are needed, but {} are recorded", trace.states.size(), steps,
                           trace.steps.size());
    }
    if (trace.loop && *trace.loop >= trace.states.size()) return fmt::format("the loop goes back to state {}, which is not there", *trace.loop);
    return std::nullopt;
}

std::optional<std::string> confirm_fault(const Machine& machine, const State& from, const std::vector<Participant>& participants,
                                         FaultKind kind) {
    const std::vector<Step> steps = machine.steps(from);
    const bool found = std::any_of(steps.begin(), steps.end(),
                                   [&](const Step& step) { return step.participants == participants && step.fault == kind; });
    if (found) return std::nullopt;
    return fmt::format("{} has no step with the fault '{}' here", described(participants), to_string(kind));
}

std::optional<std::string> confirm_step(const Machine& machine, const State& from, const std::vector<Participant>& participants,
                                        const State& to) {
    std::optional<std::string> reason;
    for (const Step& step : machine.steps(from)) {
        if (step.participants != participants) continue;
        if (step.fault != FaultKind::none) {
            if (!reason) reason = fmt::format("the step of {} is faulty ({})", described(participants), to_string(step.fault));
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

}  // namespace

NamedValues named_values(const Machine& machine, const State& state) {
    NamedValues values;
    for (std::size_t i = 0; i < state.size(); ++i) values.emplace_back(machine.names()[i], state[i]);
    return values;
}

std::optional<std::string> replay(const Machine& machine, const RecordedTrace& trace) {
    if (std::optional<std::string> wrong = wrong_shape(trace)) return wrong;
    std::vector<State> states(trace.states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (const auto wrong = read_state(machine, trace.states[i], states[i])) return fmt::format("state {}: {}", i, *wrong);
    }
    if (const auto differs = difference(machine, states[0], machine.initial())) {
        return fmt::format("initial state: {}", *differs);
    }
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const bool last = i + 1 == states.size();
        std::optional<std::string> wrong;
        if (last && trace.fault != FaultKind::none) {
            wrong = confirm_fault(machine, states[i], trace.steps[i], trace.fault);
        } else if (last && trace.steps[i].empty()) {
            wrong = confirm_stutter(machine, states[i], states[*trace.loop]);
        } else {
            wrong = confirm_step(machine, states[i], trace.steps[i], last ? states[*trace.loop] : states[i + 1]);
        }
        if (wrong) return fmt::format("step {}: {}", i + 1, *wrong);
    }
    return std::nullopt;
}

}  // namespace tideline::reference
