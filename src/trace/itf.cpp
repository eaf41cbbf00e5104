// ITF has a list of variables and a list of states; other facts about a trace goes into the objects named #meta, of a
// state (the step that led there) or of the whole (the step that closes a cycle, the faulty step at the end).
//
// Arrays become sequences. A slot whose values are names in any state (a location) is a string in all of them, so that
// a variable has one type. Numbers that a JSON reader with floating-point numbers would change are written as
// {"#bigint": "..."}.
#include "trace/itf.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "support/json_text.hpp"
#include "trace/slot_groups.hpp"

namespace tideline::trace {
namespace {

using nlohmann::json;

constexpr model::Value kLargestExact = (model::Value{1} << 53) - 1;

bool is_exact(model::Value value) { return value >= -kLargestExact && value <= kLargestExact; }

std::string json_text(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

// `shift` more spaces begin each line but the first. Newlines inside texts are escaped.
std::string shifted(const json& value, std::size_t shift) {
    const std::string text = value.dump(2, ' ', false, json::error_handler_t::replace);
    std::string result;
    result.reserve(text.size() * 2);
    for (const char c : text) {
        result += c;
        if (c == '\n') result.append(shift, ' ');
    }
    return result;
}

bool is_same(const TraceStep& a, const TraceStep& b) {
    return a.label == b.label && a.events == b.events &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                      [](const successor::StepPart& x, const successor::StepPart& y) {
                          return x.line == y.line && x.from == y.from && x.to == y.to && x.process == y.process &&
                                 x.text == y.text;
                      });
}

// Adds the facts of a step: its action, the process that acts and its line, and all participants.
void describe(json& meta, const TraceStep& step) {
    if (!step.label.empty()) meta["action"] = step.label;
    if (step.parts.empty()) return;
    meta["process"] = step.parts[0].process;
    if (step.parts[0].line > 0) meta["line"] = step.parts[0].line;
    json& parts = meta["parts"] = json::array();
    for (const successor::StepPart& part : step.parts) {
        json entry{{"process", part.process}, {"from", part.from}, {"to", part.to}, {"text", part.text}};
        if (part.line > 0) entry["line"] = part.line;
        parts.push_back(std::move(entry));
    }
    for (const successor::StepEvent& event : step.events) {
        json& part = parts[event.part];
        if (event.kind == model::Event::Kind::print) part["printed"].push_back(event.text);
        else
            part["messages"].push_back({{"kind", event.kind == model::Event::Kind::send ? "send" : "receive"},
                                        {"channel", event.channel},
                                        {"values", event.values}});
    }
}

json description_of(const Trace& trace, const ItfOptions& options) {
    json meta{{"format", "ITF"},
              {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
              {"description", options.description}};
    if (!options.source.empty()) meta["source"] = options.source;
    if (const auto beginning = trace.beginning(); beginning && beginning->of > 1)
        meta["initial-state"] = {{"number", beginning->number}, {"of", beginning->of}};
    if (trace.loop) describe(meta["closing-step"] = json::object(), trace.step(trace.step_count() - 1));
    if (trace.violation && trace.violation->kind == ShownViolation::Kind::formula)
        meta["bad-prefix"] = {{"formula", trace.violation->formula}, {"state", trace.size() - 1}};
    if (trace.fault) {
        const TraceFault its = trace.fault_step();
        json& fault = meta["fault"] = json::object();
        describe(fault, its.step);
        fault["kind"] = model::to_string(its.kind);
        fault["text"] = its.text;
    }
    return meta;
}

// States are written without a tree of JSON values, of which a long run would make millions; the text is that of a tree
// with the members in the order of their names.
class ItfWriter {
public:
    ItfWriter(const Trace& trace, const ItfOptions& options, const support::TextSink& sink,
              const support::Budget& budget)
        : trace_(trace),
          options_(options),
          sink_(sink),
          poll_(budget, kStatesPerLook),
          groups_(slot_groups(trace.names(), trace.channels())) {
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (groups_[g].name != kMeta)
                members_.push_back({groups_[g].name, new_line(6) + json_text(groups_[g].name) + ": ", g});
        members_.push_back({kMeta, new_line(6) + json_text(kMeta) + ": ", kNoGroup});
        std::sort(members_.begin(), members_.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
    }

    support::StopReason write() {
        find_named_units();
        out_ = "{" + member("#meta") + shifted(description_of(trace_, options_), options_.indent + 2);
        if (trace_.loop) out_ += "," + member("loop") + std::to_string(*trace_.loop);
        out_ += "," + member("states") + "[";
        for (std::size_t i = 0; i < trace_.size() && !poll_.is_exhausted(); ++i) {
            out_ += (i == 0 ? "" : ",") + new_line(4);
            append_state(i);
            if (out_.size() >= kFlush) flush();
        }
        out_ += new_line(2) + "]," + member("vars");
        json variables = json::array();
        for (const SlotGroup& group : groups_) variables.push_back(group.name);
        out_ += shifted(variables, options_.indent + 2);
        if (poll_.reason() != support::StopReason::none)
            out_ += "," + member("incomplete") + json_text(std::string(support::to_string(poll_.reason())));
        out_ += new_line(0) + "}";
        flush();
        return poll_.reason();
    }

private:
    static constexpr std::uint32_t kStatesPerLook = 128;
    static constexpr std::size_t kFlush = std::size_t{1} << 16U;
    static constexpr const char* kMeta = "#meta";
    static constexpr std::size_t kNoGroup = ~std::size_t{0};

    // Of the object of a state.
    struct Member {
        std::string name;
        std::string begin;  // the line up to the value
        std::size_t group;  // kNoGroup: what is known beside the values
    };

    void flush() {
        sink_(out_);
        out_.clear();
    }

    [[nodiscard]] std::string new_line(std::size_t further) const {
        return "\n" + std::string(options_.indent + further, ' ');
    }
    [[nodiscard]] std::string member(const std::string& name) const { return new_line(2) + json_text(name) + ": "; }

    // Slots whose values have one type: those of a scalar, an array or a field of a channel's messages.
    struct Unit {
        std::size_t first;
        std::size_t count;
    };

    // Which units have a value that is shown by a name in some state.
    void find_named_units() {
        std::vector<Unit> units;
        for (const SlotGroup& group : groups_) {
            if (!group.channel) units.push_back({group.first, group.count});
            else
                for (const model::SlotId field : group.channel->contents)
                    units.push_back({field, group.channel->capacity});
        }
        named_.resize(trace_.slots);
        std::vector<model::Value> before;
        for (std::size_t i = 0; i < trace_.size() && !poll_.is_exhausted(); ++i) {
            std::vector<model::Value> values = trace_.values(i);
            for (const Unit& unit : units)
                for (std::size_t slot = unit.first; !named_[unit.first] && slot < unit.first + unit.count; ++slot)
                    if (before.empty() || before[slot] != values[slot])
                        named_[unit.first] = trace_.text(slot, values[slot]) != std::to_string(values[slot]);
            before = std::move(values);
        }
    }

    void append_value(model::Value value, std::size_t slot, bool named, std::size_t indent) {
        if (named) out_ += json_text(trace_.text(slot, value));
        else if (is_exact(value)) out_ += std::to_string(value);
        else out_ += shifted(json{{"#bigint", std::to_string(value)}}, options_.indent + indent);
    }

    // A sequence of messages: tuples, or values where a message has one field.
    void append_channel(const std::vector<model::Value>& values, const successor::ChannelSlots& channel) {
        const auto count = static_cast<std::size_t>(values[channel.length]);
        out_ += '[';
        for (std::size_t i = 0; i < count; ++i) {
            out_ += (i > 0 ? "," : "") + new_line(8);
            if (channel.contents.size() != 1) out_ += "{\"#tup\": [";
            for (std::size_t f = 0; f < channel.contents.size(); ++f) {
                if (f > 0) out_ += ", ";
                append_value(values[channel.contents[f] + i], channel.contents[f] + i, named_[channel.contents[f]], 8);
            }
            if (channel.contents.size() != 1) out_ += "]}";
        }
        if (count > 0) out_ += new_line(6);
        out_ += ']';
    }

    void append_group(const std::vector<model::Value>& values, std::size_t g) {
        const SlotGroup& group = groups_[g];
        if (group.channel) {
            append_channel(values, *group.channel);
            return;
        }
        if (!group.array) {
            append_value(values[group.first], group.first, named_[group.first], 6);
            return;
        }
        const std::string line = new_line(8);
        out_ += '[';
        for (std::size_t slot = group.first; slot < group.first + group.count; ++slot) {
            if (slot > group.first) out_ += ',';
            out_ += line;
            append_value(values[slot], slot, named_[group.first], 8);
        }
        out_ += new_line(6) + ']';
    }

    // The step that led to the state, and its number. Often one step follows another of the same kind.
    void append_meta(std::size_t i) {
        if (i == 0) {
            out_ += shifted(json{{"index", i}}, options_.indent + 6);
            return;
        }
        TraceStep step = trace_.step(i - 1);
        if (!step_ || !is_same(*step_, step)) {
            // Names that sort before "index" and those after it.
            json meta = json::object();
            describe(meta, step);
            meta["index"] = 0;
            const std::string text = shifted(meta, options_.indent + 6);
            const std::string index = new_line(8) + "\"index\": ";
            const std::size_t at = text.find(index) + index.size();
            before_index_ = text.substr(0, at);
            after_index_ = text.substr(at + 1);
            step_ = std::move(step);
        }
        out_ += before_index_;
        out_ += std::to_string(i);
        out_ += after_index_;
    }

    void append_state(std::size_t i) {
        const std::vector<model::Value> values = trace_.values(i);
        out_ += '{';
        for (std::size_t m = 0; m < members_.size(); ++m) {
            if (m > 0) out_ += ',';
            out_ += members_[m].begin;
            if (members_[m].group == kNoGroup) append_meta(i);
            else append_group(values, members_[m].group);
        }
        out_ += new_line(4) + '}';
    }

    const Trace& trace_;
    const ItfOptions& options_;
    const support::TextSink& sink_;
    support::BudgetPoll poll_;
    std::vector<SlotGroup> groups_;
    std::vector<Member> members_;
    std::vector<bool> named_;        // by the first slot of a unit
    std::optional<TraceStep> step_;  // the last one, and its text without the number of the state
    std::string before_index_;
    std::string after_index_;
    std::string out_;
};

}  // namespace

support::StopReason write_itf(const Trace& trace, const ItfOptions& options, const support::TextSink& sink,
                              const support::Budget& budget) {
    return ItfWriter(trace, options, sink, budget).write();
}

std::string to_itf_text(const Trace& trace, const ItfOptions& options) {
    std::string text;
    const support::Budget unlimited;
    (void)write_itf(trace, options, support::sink_into(text), unlimited);
    return text + '\n';
}

}  // namespace tideline::trace
