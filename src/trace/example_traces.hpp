// Small hand-made traces for tests.
#pragma once

#include <cassert>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace tideline::trace::examples {

struct WrittenState {
    std::vector<model::Value> values;  // by slot
    std::vector<std::string> texts;    // of the values, by slot
};

// A trace with everything written out.
struct WrittenTrace {
    std::vector<std::string> names;  // of the slots
    std::vector<examples::WrittenState> states;
    std::vector<TraceStep>
        steps;  // steps[i] leads from states[i] to states[i + 1] (the last one of a lasso to states[*loop])
    std::optional<std::size_t> loop;
    std::optional<TraceFault> fault;

    operator Trace() const;  // NOLINT(google-explicit-constructor): tests write one and show the other
};

// A system with the states and steps of such a trace and no others. A packed state is its number.
class WrittenSystem final : public successor::System {
public:
    explicit WrittenSystem(examples::WrittenTrace trace) : trace_(std::move(trace)) {}

    [[nodiscard]] std::size_t state_words() const override { return 1; }
    [[nodiscard]] std::size_t state_bytes() const override { return sizeof(successor::Word); }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override { return {{0}}; }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override { return nullptr; }
    [[nodiscard]] std::size_t label_count() const override { return 0; }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key /*key*/) const override { return {}; }
    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& /*stopped*/) const override {
        return nullptr;
    }
    [[nodiscard]] successor::Repacking repacking(const successor::System& /*older*/) const override { return {}; }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return trace_.names; }
    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        return trace_.states.at(*state).values;
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        for (const examples::WrittenState& state : trace_.states)
            if (state.values.at(slot) == value) return state.texts.at(slot);
        return std::to_string(value);
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        std::vector<successor::StepDetail> result;
        if (*state < trace_.steps.size()) {
            successor::StepDetail& step = result.emplace_back();
            step.parts = trace_.steps[*state].parts;
            step.label = trace_.steps[*state].label;
            step.next = {*state + 1 < trace_.states.size() ? *state + 1 : trace_.loop.value()};
        }
        if (*state + 1 == trace_.states.size() && trace_.fault) {
            successor::StepDetail& step = result.emplace_back();
            step.parts = trace_.fault->step.parts;
            step.label = trace_.fault->step.label;
            step.fault = trace_.fault->kind;
            step.fault_text = trace_.fault->text;
        }
        return result;
    }

private:
    examples::WrittenTrace trace_;
};

inline examples::WrittenTrace::operator Trace() const {
    Trace trace;
    for (std::size_t i = 0; i < states.size(); ++i) trace.words.push_back(i);
    trace.system = std::make_shared<const examples::WrittenSystem>(*this);
    trace.slots = names.size();
    trace.loop = loop;
    if (fault) trace.fault = Trace::FaultyStep{0, fault->kind};
    return trace;
}

// A trace of a system, written out, for tests that change something in it.
inline examples::WrittenTrace written(const Trace& trace) {
    examples::WrittenTrace result;
    result.names = trace.names();
    for (std::size_t i = 0; i < trace.size(); ++i) {
        examples::WrittenState& state = result.states.emplace_back();
        state.values = trace.values(i);
        for (std::size_t slot = 0; slot < state.values.size(); ++slot)
            state.texts.push_back(trace.text(slot, state.values[slot]));
    }
    for (std::size_t i = 0; i < trace.step_count(); ++i) result.steps.push_back(trace.step(i));
    result.loop = trace.loop;
    if (trace.fault) result.fault = trace.fault_step();
    return result;
}

// Slots: x, the array a of three, and the locations of P (idle, busy) and Q (wait, done).
inline examples::WrittenState state(model::Value x, std::vector<model::Value> a, model::Value p, model::Value q) {
    examples::WrittenState result;
    result.values = {x, a.at(0), a.at(1), a.at(2), p, q};
    for (std::size_t i = 0; i < 4; ++i) result.texts.push_back(std::to_string(result.values[i]));
    result.texts.push_back(p == 0 ? "idle" : "busy");
    result.texts.push_back(q == 0 ? "wait" : "done");
    return result;
}

inline TraceStep work() {
    return {{{"P", "idle", "busy", 12, "idle -> busy {\n\tguard x == 0;\n\teffect x = 1, a[1] = 7;\n}"}}, ""};
}

inline TraceStep meet() {
    return {{{"P", "busy", "idle", 16, "busy -> idle { sync c!x; }"},
             {"Q", "wait", "done", 23, "wait -> done { sync c?x; }"}},
            "c"};
}

inline examples::WrittenTrace start() {
    return {{"x", "a[0]", "a[1]", "a[2]", "P", "Q"}, {examples::state(0, {0, 1, 2}, 0, 0)}, {}, {}, {}};
}

// One process works, then both synchronise.
inline examples::WrittenTrace two_steps() {
    examples::WrittenTrace trace = examples::start();
    trace.states.push_back(examples::state(1, {0, 7, 2}, 1, 0));
    trace.states.push_back(examples::state(4, {0, 7, 2}, 0, 1));
    trace.steps = {examples::work(), examples::meet()};
    return trace;
}

// A cycle from state 1 through state 2.
inline examples::WrittenTrace lasso() {
    examples::WrittenTrace trace = examples::two_steps();
    trace.loop = 1;
    trace.steps.push_back(
        {{{"Q", "done", "wait", 30, "done -> wait { effect x = 1; }"}, {"P", "idle", "busy", 31, ""}}, ""});
    return trace;
}

// The second step is faulty.
inline examples::WrittenTrace faulty() {
    examples::WrittenTrace trace = examples::start();
    trace.states.push_back(examples::state(1, {0, 7, 2}, 1, 0));
    trace.steps = {examples::work()};
    trace.fault = TraceFault{{{{"P", "busy", "idle", 40, "busy -> idle { effect a[x] = 0; }"}}, ""},
                             model::FaultKind::index,
                             "index 5 of a[3]"};
    return trace;
}

}  // namespace tideline::trace::examples
