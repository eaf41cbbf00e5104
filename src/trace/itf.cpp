// ITF has a list of variables and a list of states; what else is known about a trace goes into the objects named #meta, of a state (the
// step that led there) or of the whole (the step that closes a cycle, the faulty step at the end).
//
// Arrays become sequences. A slot whose values are names in any state (a location) is a string in all of them, so that a variable
// has one type. Numbers that a JSON reader with floating-point numbers would change are written as {"#bigint": "..."}.
#include "trace/itf.hpp"

#include <nlohmann/json.hpp>

#include "support/json_text.hpp"
#include "trace/slot_groups.hpp"

namespace tideline {
namespace {

using nlohmann::json;

constexpr Value kLargestExact = (Value{1} << 53) - 1;

json number(Value value) {
    if (value >= -kLargestExact && value <= kLargestExact) return value;
    return json{{"#bigint", std::to_string(value)}};
}

bool is_named(const Trace& trace, const SlotGroup& group) {
    for (const TraceState& state : trace.states)
        for (std::size_t slot = group.first; slot < group.first + group.count; ++slot)
            if (state.texts[slot] != std::to_string(state.values[slot])) return true;
    return false;
}

json value_of(const TraceState& state, std::size_t slot, bool named) {
    return named ? json(state.texts[slot]) : number(state.values[slot]);
}

json group_value(const TraceState& state, const SlotGroup& group, bool named) {
    if (!group.array) return value_of(state, group.first, named);
    json elements = json::array();
    for (std::size_t slot = group.first; slot < group.first + group.count; ++slot) elements.push_back(value_of(state, slot, named));
    return elements;
}

// Adds what is known of a step: its action, the process that acts and its line, and all participants.
void describe(json& meta, const TraceStep& step) {
    if (!step.label.empty()) meta["action"] = step.label;
    if (step.parts.empty()) return;
    meta["process"] = step.parts[0].process;
    if (step.parts[0].line > 0) meta["line"] = step.parts[0].line;
    json& parts = meta["parts"] = json::array();
    for (const StepPart& part : step.parts) {
        json entry{{"process", part.process}, {"from", part.from}, {"to", part.to}, {"text", part.text}};
        if (part.line > 0) entry["line"] = part.line;
        parts.push_back(std::move(entry));
    }
}

json description_of(const Trace& trace, const ItfOptions& options) {
    json meta{{"format", "ITF"},
              {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
              {"description", options.description}};
    if (!options.source.empty()) meta["source"] = options.source;
    if (trace.loop && trace.steps.size() == trace.states.size()) describe(meta["closing-step"] = json::object(), trace.steps.back());
    if (trace.fault) {
        json& fault = meta["fault"] = json::object();
        describe(fault, trace.fault->step);
        fault["kind"] = to_string(trace.fault->kind);
        fault["text"] = trace.fault->text;
    }
    return meta;
}

}  // namespace

json to_itf(const Trace& trace, const ItfOptions& options) {
    const std::vector<SlotGroup> groups = slot_groups(trace.names);
    std::vector<bool> named;
    json variables = json::array();
    for (const SlotGroup& group : groups) {
        named.push_back(is_named(trace, group));
        variables.push_back(group.name);
    }
    json states = json::array();
    for (std::size_t i = 0; i < trace.states.size(); ++i) {
        json state = json::object();
        for (std::size_t g = 0; g < groups.size(); ++g) state[groups[g].name] = group_value(trace.states[i], groups[g], named[g]);
        json& meta = state["#meta"] = json{{"index", i}};
        if (i > 0 && i <= trace.steps.size()) describe(meta, trace.steps[i - 1]);
        states.push_back(std::move(state));
    }
    json result{{"#meta", description_of(trace, options)}, {"vars", std::move(variables)}, {"states", std::move(states)}};
    if (trace.loop) result["loop"] = *trace.loop;
    return result;
}

std::string to_itf_text(const Trace& trace, const ItfOptions& options) {
    return to_json_text(to_itf(trace, options), 2) + '\n';
}

}  // namespace tideline
