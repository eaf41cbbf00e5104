// A run of a system as evidence: states and the steps between them, by names and values. It owns copies of all it shows, so that
// it outlives the search that found it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/expression.hpp"
#include "model/fault.hpp"
#include "successor/system.hpp"

namespace tideline {

struct TraceState {
    std::vector<Value> values;       // by slot
    std::vector<std::string> texts;  // the values as people read them, by slot
};

struct TraceStep {
    std::vector<StepPart> parts;
    std::string label;
};

// A faulty step after the last state.
struct TraceFault {
    TraceStep step;
    FaultKind kind = FaultKind::none;
    std::string text;
};

struct Trace {
    std::vector<std::string> names;   // of the slots
    std::vector<TraceState> states;   // at least the initial one
    std::vector<TraceStep> steps;     // steps[i] leads from states[i] to states[i + 1] (the last one of a lasso to states[*loop])
    std::optional<std::size_t> loop;
    std::optional<TraceFault> fault;
};

}  // namespace tideline
