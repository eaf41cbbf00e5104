// The whole command line for a system written in C++: return tideline::main(argc, argv, System{});
// successor/cpp/cpp_system.hpp says what such a class must offer. It may also have `void
// options(tideline::CppOptions&)`.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run/confirm.hpp"
#include "run/loaded_system.hpp"
#include "successor/cpp/cpp_system.hpp"

namespace tideline::cli {

// The system's own options.
class CppOptions {
public:
    struct Number {
        std::string name;
        int* value;
        int low;
        int high;
        std::string help;
    };
    struct Flag {
        std::string name;
        bool* value;
        std::string help;
    };

    void number(std::string name, int& value, int low, int high, std::string help) {
        numbers_.push_back({std::move(name), &value, low, high, std::move(help)});
    }
    void flag(std::string name, bool& value, std::string help) {
        flags_.push_back({std::move(name), &value, std::move(help)});
    }

    // All values, by the names of their options.
    [[nodiscard]] std::map<std::string, std::string> values() const;
    // Sets the options to these values; false where a value is invalid or missing.
    [[nodiscard]] bool set(const std::map<std::string, std::string>& values) const;

    [[nodiscard]] const std::vector<Number>& numbers() const { return numbers_; }
    [[nodiscard]] const std::vector<Flag>& flags() const { return flags_; }

private:
    std::vector<Number> numbers_;
    std::vector<Flag> flags_;
};

// A system without its type, for the part of the program that is compiled once.
struct CppProgram {
    CppOptions options;
    std::function<run::LoadedSystem()> make_system;  // to be called when the options are set
};

int run_program(int argc, char** argv, const CppProgram* program);

namespace cpp {

// Replays a trace with the class itself: the states that are possible so far, by names and values. Nothing is packed or
// hashed here. What the last state is to violate is looked at too.
template <successor::CppModel S>
trace::Confirmation confirm_run(const S& system, audit::Formulas& formulas, const trace::Trace& trace,
                                const support::Budget& budget) {
    using State = typename S::State;
    successor::Description description;
    const auto refuted = [](std::string what) {
        return trace::Confirmation{support::StopReason::none, std::move(what)};
    };
    const auto shows = [&](const State& state, const std::vector<model::Value>& values) {
        return successor::cpp::described(system, state, description, values.size()) == values;
    };
    const auto holds = [](const std::vector<State>& states, const State& state) {
        return std::any_of(states.begin(), states.end(),
                           [&](const State& s) { return std::memcmp(&s, &state, sizeof(State)) == 0; });
    };
    // The targets of a step from any of these states.
    const auto after = [&](const std::vector<State>& states, std::size_t step) {
        const std::vector<model::Value> values = trace.values(trace.target(step));
        const std::string label = trace.step(step).label;
        std::vector<State> next;
        for (const State& state : states)
            system.successors(state, [&](const State& successor, const char* name) {
                if (label == name && shows(successor, values) && !holds(next, successor)) next.push_back(successor);
            });
        return next;
    };
    if (trace.empty()) return refuted("the trace is empty");
    std::vector<State> possible;
    for (const State& state : successor::cpp::initial_states(system))
        if (shows(state, trace.values(0))) possible.push_back(state);
    if (possible.empty()) return refuted("the first state is no initial one");
    std::vector<State> at_loop;
    support::BudgetPoll poll(budget, 256);
    for (std::size_t i = 0;; ++i) {
        if (trace.loop == i) at_loop = possible;
        if (i + 1 >= trace.size()) break;
        if (poll.is_exhausted()) return {poll.reason(), {}};
        possible = after(possible, i);
        if (possible.empty()) return refuted("step " + std::to_string(i + 1) + ": no such step");
    }
    const auto is_stuck = [&](const State& state) {
        bool any = false;
        system.successors(state, [&](const State& /*successor*/, const char* /*name*/) { any = true; });
        return !any;
    };
    if (!trace.loop) {
        const bool can_be_stuck = std::any_of(possible.begin(), possible.end(), is_stuck);
        return {support::StopReason::none, run::refute_last_state(formulas, trace, can_be_stuck)};
    }
    // A run that stays in a deadlock for ever has a last step without a name.
    if (*trace.loop + 1 == trace.size() && trace.step(trace.step_count() - 1).is_empty() &&
        std::any_of(possible.begin(), possible.end(), is_stuck))
        return {};
    // States that look alike may differ: the cycle must lead from a state to itself.
    for (const State& start : at_loop) {
        std::vector<State> round{start};
        for (std::size_t i = *trace.loop; i < trace.step_count(); ++i) {
            if (poll.is_exhausted()) return {poll.reason(), {}};
            round = after(round, i);
        }
        if (holds(round, start)) return {};
    }
    return refuted("the cycle is not closed");
}

// The class itself, as used by an audit: states are the bytes of its objects.
template <successor::CppModel S>
audit::AuditedProgram audited_program(const S& system, const std::string& path,
                                      const std::shared_ptr<const model::Model>& names) {
    using State = typename S::State;
    const auto load = [](std::span<const std::uint8_t> bytes) {
        State state;
        std::memcpy(static_cast<void*>(&state), bytes.data(), sizeof(State));
        return state;
    };
    const auto bytes_of = [](const State& state) {
        return std::span(reinterpret_cast<const std::uint8_t*>(&state), sizeof(State));
    };
    audit::AuditedProgram audited;
    audited.path = path;
    audited.hash = run::hash_of_program();
    audited.state_bytes = sizeof(State);
    audited.names = names;
    audited.initial_states = [=] {
        std::vector<std::vector<std::uint8_t>> result;
        for (const State& state : successor::cpp::initial_states(system))
            result.emplace_back(bytes_of(state).begin(), bytes_of(state).end());
        return result;
    };
    audited.successors = [=](std::span<const std::uint8_t> bytes, const audit::AuditedProgram::Emit& emit) {
        system.successors(load(bytes), [&](const State& next, const char* /*name*/) { emit(bytes_of(next)); });
    };
    audited.values = [=](std::span<const std::uint8_t> bytes) {
        successor::Description description;
        return successor::cpp::described(system, load(bytes), description, names->slot_count());
    };
    return audited;
}

template <successor::CppModel S>
run::LoadedSystem make_loaded_system(const S& system, const std::string& name) {
    successor::Description first;
    first.restart(true);
    system.describe(successor::cpp::initial_states(system).front(), first);
    const std::shared_ptr<const model::Model> names = successor::Description::names_as_model(first);
    run::LoadedSystem loaded;
    loaded.path = name;
    loaded.kind = run::InputKind::program;
    loaded.hash = run::hash_of_program();
    loaded.names = names;
    if constexpr (successor::HasProgress<S>) {
        loaded.own_measure = progress::Measure{};
        const std::size_t count = system.progress(successor::cpp::initial_states(system).front()).size();
        for (std::size_t i = 0; i < count; ++i)
            loaded.own_measure->components.push_back("progress[" + std::to_string(i) + "]");
    }
    const auto maker = [system, names](bool is_canonical) {
        return
            [=](std::vector<model::Expression> labels, const progress::Measure* measure,
                successor::Successors /*compiled already*/, std::optional<successor::Layout> /*packed in one way only*/,
                const support::Budget& /*nothing takes long*/, std::string& /*notice*/) {
                auto shared = std::make_shared<successor::CppShared<S>>(
                    successor::CppShared<S>{system, names, std::move(labels), {}, false, is_canonical});
                if (measure != nullptr) {
                    shared->key = measure->program;
                    if (!measure->tables.empty())
                        shared->names = std::make_shared<const model::Model>(progress::with_tables(*names, *measure));
                }
                shared->own_progress = measure == nullptr;
                return std::make_shared<const successor::CppSystem<S>>(std::move(shared));
            };
    };
    loaded.make_system = maker(false);
    if constexpr (successor::HasCanonical<S>) loaded.make_canonical = maker(true);
    const auto formulas = std::make_shared<audit::Formulas>(audit::Vocabulary(*names));
    loaded.confirm = [system, formulas](const trace::Trace& trace, const support::Budget& budget) {
        return cpp::confirm_run(system, *formulas, trace, budget);
    };
    loaded.evaluate = [formulas](const std::string& atom, const trace::Trace& trace, std::size_t i) {
        return run::truth_of(*formulas, atom, trace.values(i));
    };
    loaded.audited = cpp::audited_program(system, name, names);
    return loaded;
}

}  // namespace cpp

template <successor::CppModel S>
int main(int argc, char** argv, S system) {
    CppProgram program;
    if constexpr (requires { system.options(program.options); }) system.options(program.options);
    program.make_system = [&] { return cpp::make_loaded_system(system, argv[0]); };
    return run_program(argc, argv, &program);
}

}  // namespace tideline::cli

// What a system written in C++ uses, by short names.
namespace tideline {
using cli::CppOptions;
using cli::main;
using successor::Description;
}  // namespace tideline
