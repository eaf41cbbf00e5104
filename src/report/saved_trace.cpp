#include "report/saved_trace.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace tideline::report {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<std::string_view, TraceForm>, 5> kForms{{{"text", TraceForm::text},
                                                                        {"mermaid", TraceForm::mermaid},
                                                                        {"plantuml", TraceForm::plantuml},
                                                                        {"dot", TraceForm::dot},
                                                                        {"html", TraceForm::html}}};

// ---- reading ----

std::string text_member(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string value_text(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("#bigint")) return value_text(value["#bigint"]);
    if (value.is_object() && value.contains("#tup")) {
        std::vector<std::string> parts;
        for (const json& part : value["#tup"]) parts.push_back(value_text(part));
        return fmt::format("({})", fmt::join(parts, ", "));
    }
    if (!value.is_array()) return value.dump();
    std::vector<std::string> parts;
    for (const json& part : value) parts.push_back(value_text(part));
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

SavedTrace::Part part_of(const json& object) {
    SavedTrace::Part part{
        text_member(object, "process"), text_member(object, "from"), text_member(object, "to"), 0, {}};
    if (object.contains("line") && object["line"].is_number_unsigned()) part.line = object["line"].get<std::uint64_t>();
    if (!object.contains("messages") || !object["messages"].is_array()) return part;
    for (const json& message : object["messages"]) {
        std::vector<std::string> values;
        if (message.contains("values"))
            for (const json& value : message["values"]) values.push_back(value_text(value));
        part.messages.push_back(fmt::format("{}{}{}", text_member(message, "channel"),
                                            text_member(message, "kind") == "receive" ? '?' : '!',
                                            fmt::join(values, ", ")));
    }
    return part;
}

SavedTrace::Step step_of(const json& meta) {
    SavedTrace::Step step{text_member(meta, "action"), {}};
    if (meta.contains("parts") && meta["parts"].is_array())
        for (const json& part : meta["parts"])
            if (part.is_object()) step.parts.push_back(part_of(part));
    return step;
}

// ---- writing ----

std::string escaped(const std::string& text, std::string_view special, std::string_view by) {
    std::string result;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) result += by;
        result += c;
    }
    return result;
}

std::string html(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return result;
}

std::string moved(const SavedTrace::Part& part) {
    std::string text = part.from.empty() && part.to.empty() ? "" : part.from + " -> " + part.to;
    for (const std::string& message : part.messages) text += (text.empty() ? "" : "  ") + message;
    return text;
}

std::string line_of(const SavedTrace::Step& step) {
    if (step.is_empty()) return "nothing moves";
    std::string text;
    for (const SavedTrace::Part& part : step.parts) {
        const std::string what = moved(part);
        text += (text.empty() ? "" : "; ") + part.process + (what.empty() ? "" : ": " + what) +
                (part.line > 0 ? fmt::format(" (line {})", part.line) : "");
    }
    return step.action.empty() ? text : text + " [" + step.action + ']';
}

std::vector<std::string> changes(const SavedTrace& trace, std::size_t from, std::size_t to) {
    std::vector<std::string> result;
    for (std::size_t v = 0; v < trace.names.size(); ++v)
        if (trace.states[from][v] != trace.states[to][v])
            result.push_back(fmt::format("{}: {} -> {}", trace.names[v], trace.states[from][v], trace.states[to][v]));
    return result;
}

std::size_t target(const SavedTrace& trace, std::size_t step) {
    return step + 1 < trace.states.size() ? step + 1 : trace.loop.value_or(step);
}

std::string plain_text(const SavedTrace& trace) {
    std::string out = trace.description.empty() ? "" : trace.description + '\n';
    out += " 0  initial state\n";
    for (std::size_t v = 0; v < trace.names.size(); ++v)
        out += fmt::format("      {} = {}\n", trace.names[v], trace.states[0][v]);
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        if (trace.loop == i) out += fmt::format("      the cycle begins here, in state {}\n", i);
        out += fmt::format("{:>2}  {}\n", i + 1, line_of(trace.steps[i]));
        for (const std::string& change : changes(trace, i, target(trace, i))) out += "      " + change + '\n';
    }
    if (trace.loop) out += fmt::format("      back to state {}: the cycle is closed\n", *trace.loop);
    if (trace.fault) {
        out += fmt::format("{:>2}  {}\n", trace.steps.size() + 1, line_of(*trace.fault));
        out += "      this step is faulty: " + trace.fault_text + '\n';
    }
    return out;
}

// Processes by names that every diagram language accepts.
std::vector<std::string> processes_of(const SavedTrace& trace) {
    std::vector<std::string> result;
    const auto add = [&](const SavedTrace::Step& step) {
        for (const SavedTrace::Part& part : step.parts)
            if (std::find(result.begin(), result.end(), part.process) == result.end()) result.push_back(part.process);
    };
    for (const SavedTrace::Step& step : trace.steps) add(step);
    if (trace.fault) add(*trace.fault);
    return result;
}

class SequenceDiagram {
public:
    SequenceDiagram(const SavedTrace& trace, bool is_mermaid)
        : trace_(trace), is_mermaid_(is_mermaid), processes_(processes_of(trace)) {}

    std::string make() {
        out_ = is_mermaid_ ? "sequenceDiagram\n" : "@startuml\n";
        for (std::size_t p = 0; p < processes_.size(); ++p)
            out_ += is_mermaid_ ? fmt::format("    participant p{} as {}\n", p, words(processes_[p]))
                                : fmt::format("participant \"{}\" as p{}\n", words(processes_[p]), p);
        for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
            if (trace_.loop == i) out_ += is_mermaid_ ? "    loop for ever\n" : "loop for ever\n";
            step(trace_.steps[i]);
        }
        if (trace_.loop) out_ += is_mermaid_ ? "    end\n" : "end\n";
        if (trace_.fault) {
            step(*trace_.fault);
            if (!trace_.fault->parts.empty()) note(trace_.fault->parts[0].process, "fault: " + trace_.fault_text);
        }
        if (!is_mermaid_) out_ += "@enduml\n";
        return out_;
    }

private:
    // What is a sign of the language, or ends a line, is left out.
    static std::string words(const std::string& text) {
        std::string result;
        for (const char c : text) result += c == '\n' || c == ';' || c == '#' || c == '"' ? ' ' : c;
        return result;
    }
    [[nodiscard]] std::string name(const std::string& process) const {
        return fmt::format("p{}", std::find(processes_.begin(), processes_.end(), process) - processes_.begin());
    }
    void note(const std::string& process, const std::string& text) {
        out_ += is_mermaid_ ? fmt::format("    Note over {}: {}\n", name(process), words(text))
                            : fmt::format("note over {}: {}\n", name(process), words(text));
    }
    void step(const SavedTrace::Step& step) {
        const bool is_rendezvous = step.parts.size() >= 2 && !step.action.empty();
        if (is_rendezvous) {
            const std::string message = step.parts[0].messages.empty() ? step.action : step.parts[0].messages[0];
            out_ += fmt::format("{}{}{}{}: {}\n", is_mermaid_ ? "    " : "", name(step.parts[0].process),
                                is_mermaid_ ? "->>" : " -> ", name(step.parts[1].process), words(message));
        }
        for (const SavedTrace::Part& part : step.parts) {
            std::string text = is_rendezvous ? part.from + " -> " + part.to : moved(part);
            if (!is_rendezvous && !step.action.empty()) text += (text.empty() ? "" : " ") + step.action;
            if (!text.empty()) note(part.process, text);
        }
    }

    const SavedTrace& trace_;
    bool is_mermaid_;
    std::vector<std::string> processes_;
    std::string out_;
};

std::string graph(const SavedTrace& trace) {
    std::string out = "digraph trace {\n  rankdir=LR;\n  node [shape=box];\n";
    const auto quoted = [](const std::string& text) { return '"' + escaped(text, "\"\\", "\\") + '"'; };
    for (std::size_t i = 0; i < trace.states.size(); ++i) {
        std::vector<std::string> parts = i > 0 ? changes(trace, i - 1, i) : std::vector<std::string>{"initial state"};
        std::string label = fmt::format("{}", i);
        for (const std::string& part : parts) label += '\n' + part;
        std::string text = quoted(label);
        for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
            text.replace(at, 1, "\\n");
        out += fmt::format("  s{} [label={}];\n", i, text);
    }
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
        out += fmt::format("  s{} -> s{} [label={}];\n", i, target(trace, i), quoted(line_of(trace.steps[i])));
    return out + "}\n";
}

// Rows are steps, columns variables; what a step changes is marked.
std::string page(const SavedTrace& trace) {
    std::string out =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html(trace.description) +
        "</title>\n<style>body{font-family:sans-serif;color-scheme:light dark}table{border-collapse:collapse}"
        "td,th{padding:.2em .6em;border:1px solid #8884;text-align:left}td.changed{background:#fa04;font-weight:bold}"
        "tr.loop td{border-top:3px solid #08f}th{position:sticky;top:0;background:Canvas}</style></head><body>\n<h1>" +
        html(trace.description) + "</h1>\n<table>\n<tr><th>state</th><th>step</th>";
    for (const std::string& name : trace.names) out += "<th>" + html(name) + "</th>";
    out += "</tr>\n";
    for (std::size_t i = 0; i < trace.states.size(); ++i) {
        out += fmt::format("<tr{}><td>{}</td><td>{}</td>", trace.loop == i ? " class=\"loop\"" : "", i,
                           i == 0 ? "initial state" : html(line_of(trace.steps[i - 1])));
        for (std::size_t v = 0; v < trace.names.size(); ++v)
            out += fmt::format("<td{}>{}</td>",
                               i > 0 && trace.states[i][v] != trace.states[i - 1][v] ? " class=\"changed\"" : "",
                               html(trace.states[i][v]));
        out += "</tr>\n";
    }
    out += "</table>\n";
    if (trace.loop)
        out += fmt::format("<p>The last step, {}, leads back to state {}: the run goes round for ever.</p>\n",
                           html(line_of(trace.steps.back())), *trace.loop);
    if (trace.fault)
        out += fmt::format("<p>Then a faulty step: {}: {}</p>\n", html(line_of(*trace.fault)), html(trace.fault_text));
    return out + "</body></html>\n";
}

}  // namespace

std::optional<TraceForm> trace_form(std::string_view name) {
    const auto found = std::find_if(kForms.begin(), kForms.end(), [&](const auto& form) { return form.first == name; });
    return found == kForms.end() ? std::nullopt : std::optional(found->second);
}

support::Result<SavedTrace> parse_saved_trace(const std::string& path, const std::string& text) {
    const auto refuse = [&](const std::string& what) {
        return support::diagnostic_about(path, what, "expected the Informal Trace Format, as --itf FILE writes it");
    };
    const json object = json::parse(text, nullptr, false);
    if (object.is_discarded()) return refuse("this is no JSON");
    if (!object.is_object() || !object.contains("states") || !object["states"].is_array() || object["states"].empty() ||
        !object.contains("vars") || !object["vars"].is_array())
        return refuse("this is no trace");
    SavedTrace trace;
    const json meta = object.value("#meta", json::object());
    trace.description = text_member(meta, "description");
    trace.source = text_member(meta, "source");
    for (const json& name : object["vars"]) trace.names.push_back(value_text(name));
    for (const json& state : object["states"]) {
        if (!state.is_object()) return refuse("a state of this trace is no object");
        std::vector<std::string>& values = trace.states.emplace_back();
        for (const std::string& name : trace.names)
            values.push_back(state.contains(name) ? value_text(state[name]) : "");
        if (trace.states.size() > 1) trace.steps.push_back(step_of(state.value("#meta", json::object())));
    }
    if (object.contains("loop") && object["loop"].is_number_unsigned()) {
        trace.loop = object["loop"].get<std::size_t>();
        if (*trace.loop >= trace.states.size())
            return refuse("the loop of this trace leads to a state that it has not");
        trace.steps.push_back(step_of(meta.value("closing-step", json::object())));
    }
    if (meta.contains("fault") && meta["fault"].is_object()) {
        trace.fault = step_of(meta["fault"]);
        trace.fault_text = text_member(meta["fault"], "text");
    }
    return trace;
}

std::string to_text(const SavedTrace& trace, TraceForm form) {
    switch (form) {
        case TraceForm::text: return plain_text(trace);
        case TraceForm::mermaid: return SequenceDiagram(trace, true).make();
        case TraceForm::plantuml: return SequenceDiagram(trace, false).make();
        case TraceForm::dot: return graph(trace);
        case TraceForm::html: return page(trace);
    }
    return "";
}

}  // namespace tideline::report
