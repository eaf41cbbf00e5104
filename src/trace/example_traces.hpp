// Small traces, made by hand, for the tests of what shows traces.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/trace.hpp"

namespace tideline::examples {

// Slots: x, the array a of three, and the locations of P (idle, busy) and Q (wait, done).
inline TraceState state(Value x, std::vector<Value> a, Value p, Value q) {
    TraceState result;
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
    return {{{"P", "busy", "idle", 16, "busy -> idle { sync c!x; }"}, {"Q", "wait", "done", 23, "wait -> done { sync c?x; }"}}, "c"};
}

inline Trace start() {
    return {{"x", "a[0]", "a[1]", "a[2]", "P", "Q"}, {state(0, {0, 1, 2}, 0, 0)}, {}, {}, {}};
}

// One process works, then both meet.
inline Trace two_steps() {
    Trace trace = start();
    trace.states.push_back(state(1, {0, 7, 2}, 1, 0));
    trace.states.push_back(state(4, {0, 7, 2}, 0, 1));
    trace.steps = {work(), meet()};
    return trace;
}

// A cycle from state 1 through state 2.
inline Trace lasso() {
    Trace trace = two_steps();
    trace.loop = 1;
    trace.steps.push_back({{{"Q", "done", "wait", 30, "done -> wait { effect x = 1; }"}, {"P", "idle", "busy", 31, ""}}, ""});
    return trace;
}

// The second step is faulty.
inline Trace faulty() {
    Trace trace = start();
    trace.states.push_back(state(1, {0, 7, 2}, 1, 0));
    trace.steps = {work()};
    trace.fault = TraceFault{{{{"P", "busy", "idle", 40, "busy -> idle { effect a[x] = 0; }"}}, ""}, FaultKind::index, "index 5 of a[3]"};
    return trace;
}

}  // namespace tideline::examples
