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

// An object is dumped state by state; `shift` more spaces begin each of its lines but the first. Newlines inside texts are escaped.
void write_shifted(const TextSink& sink, const json& value, std::size_t shift) {
    const std::string text = value.dump(2, ' ', false, json::error_handler_t::replace);
    std::string shifted;
    shifted.reserve(text.size() * 2);
    for (const char c : text) {
        shifted += c;
        if (c == '\n') shifted.append(shift, ' ');
    }
    sink(shifted);
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
    if (trace.loop) describe(meta["closing-step"] = json::object(), trace.step(trace.step_count() - 1));
    if (trace.fault) {
        const TraceFault its = trace.fault_step();
        json& fault = meta["fault"] = json::object();
        describe(fault, its.step);
        fault["kind"] = to_string(its.kind);
        fault["text"] = its.text;
    }
    return meta;
}

class ItfWriter {
public:
    ItfWriter(const Trace& trace, const ItfOptions& options, const TextSink& sink, const Budget& budget)
        : trace_(trace), options_(options), sink_(sink), poll_(budget, kStatesPerLook), groups_(slot_groups(trace.names())) {}

    StopReason write() {
        find_named_groups();
        sink_("{" + member("#meta"));
        write_shifted(sink_, description_of(trace_, options_), options_.indent + 2);
        if (trace_.loop) sink_("," + member("loop") + std::to_string(*trace_.loop));
        sink_("," + member("states") + "[");
        for (std::size_t i = 0; i < trace_.size() && !poll_.is_exhausted(); ++i) {
            sink_((i == 0 ? "" : ",") + new_line(4));
            write_shifted(sink_, state(i), options_.indent + 4);
        }
        sink_(new_line(2) + "]," + member("vars"));
        json variables = json::array();
        for (const SlotGroup& group : groups_) variables.push_back(group.name);
        write_shifted(sink_, variables, options_.indent + 2);
        if (poll_.reason() != StopReason::none) {
            sink_("," + member("incomplete"));
            write_shifted(sink_, json(to_string(poll_.reason())), 0);
        }
        sink_(new_line(0) + "}");
        return poll_.reason();
    }

private:
    static constexpr std::uint32_t kStatesPerLook = 128;

    [[nodiscard]] std::string new_line(std::size_t further) const { return "\n" + std::string(options_.indent + further, ' '); }
    [[nodiscard]] std::string member(const std::string& name) const { return new_line(2) + '"' + name + "\": "; }

    // Which groups have a value that is shown by a name in some state.
    void find_named_groups() {
        named_.resize(groups_.size());
        std::vector<Value> before;
        for (std::size_t i = 0; i < trace_.size() && !poll_.is_exhausted(); ++i) {
            std::vector<Value> values = trace_.values(i);
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                const SlotGroup& group = groups_[g];
                for (std::size_t slot = group.first; !named_[g] && slot < group.first + group.count; ++slot)
                    if (before.empty() || before[slot] != values[slot])
                        named_[g] = trace_.text(slot, values[slot]) != std::to_string(values[slot]);
            }
            before = std::move(values);
        }
    }

    [[nodiscard]] json value_of(const std::vector<Value>& values, std::size_t slot, bool named) const {
        return named ? json(trace_.text(slot, values[slot])) : number(values[slot]);
    }

    [[nodiscard]] json group_value(const std::vector<Value>& values, std::size_t g) const {
        const SlotGroup& group = groups_[g];
        if (!group.array) return value_of(values, group.first, named_[g]);
        json elements = json::array();
        for (std::size_t slot = group.first; slot < group.first + group.count; ++slot) elements.push_back(value_of(values, slot, named_[g]));
        return elements;
    }

    [[nodiscard]] json state(std::size_t i) const {
        const std::vector<Value> values = trace_.values(i);
        json state = json::object();
        for (std::size_t g = 0; g < groups_.size(); ++g) state[groups_[g].name] = group_value(values, g);
        json& meta = state["#meta"] = json{{"index", i}};
        if (i > 0) describe(meta, trace_.step(i - 1));
        return state;
    }

    const Trace& trace_;
    const ItfOptions& options_;
    const TextSink& sink_;
    BudgetPoll poll_;
    std::vector<SlotGroup> groups_;
    std::vector<bool> named_;
};

}  // namespace

StopReason write_itf(const Trace& trace, const ItfOptions& options, const TextSink& sink, const Budget& budget) {
    return ItfWriter(trace, options, sink, budget).write();
}

std::string to_itf_text(const Trace& trace, const ItfOptions& options) {
    std::string text;
    const Budget unlimited;
    (void)write_itf(trace, options, sink_into(text), unlimited);
    return text + '\n';
}

}  // namespace tideline
