#include "report/evidence.hpp"

#include <functional>

#include <fmt/format.h>

#include "support/diagnostic.hpp"
#include "support/quantity.hpp"
#include "support/terminal.hpp"
#include "trace/render.hpp"

namespace tideline::report {
namespace {

using check::ctl::Claim;
using check::ctl::EvidenceTree;

constexpr const char* kLeftOut = "left out; --evidence all shows it";

std::string steps_text(std::size_t steps) { return fmt::format("{} {}", steps, steps == 1 ? "step" : "steps"); }

// A path without the way to it.
trace::Trace path_of(const EvidenceTree& tree, const Claim& claim) { return tree.trace({}, claim); }

std::string path_text(const EvidenceTree& tree, const Claim& claim) {
    const trace::Trace trace = path_of(tree, claim);
    std::string text = steps_text(trace.size() - 1);
    if (claim.stays) text += ", then nothing happens any more";
    else if (trace.loop) text += fmt::format(", then for ever from its state {}", *trace.loop);
    if (claim.found_length > 0) text += fmt::format(" (found with {})", steps_text(claim.found_length));
    return text;
}

// Where a claim is made, on the path above it.
std::string place_text(const Claim& claim) {
    return claim.first == claim.last ? fmt::format("in state {}", claim.first)
                                     : fmt::format("in states {} to {}", claim.first, claim.last);
}

std::string reason_text(const EvidenceTree& tree, const Claim& claim) {
    switch (claim.kind) {
        case Claim::Kind::evaluated: return "";
        case Claim::Kind::parts: return "";
        case Claim::Kind::path: return "shown by a path of " + path_text(tree, claim);
        case Claim::Kind::stated: return claim.value ? "on all paths from there" : "on no path from there";
        case Claim::Kind::cut: return kLeftOut;
    }
    return "";
}

std::string claim_text(const EvidenceTree& tree, const Claim& claim) {
    const std::string reason = reason_text(tree, claim);
    return fmt::format("{} is {}{}", support::one_line(claim.formula), claim.value ? "true" : "false",
                       reason.empty() ? ""
                                      : (claim.kind == Claim::Kind::cut ? ": ... (" : ": ") + reason +
                                            (claim.kind == Claim::Kind::cut ? ")" : ""));
}

const char* kind_name(Claim::Kind kind) {
    switch (kind) {
        case Claim::Kind::evaluated: return "evaluated";
        case Claim::Kind::parts: return "parts";
        case Claim::Kind::path: return "path";
        case Claim::Kind::stated: return "stated";
        case Claim::Kind::cut: return "cut";
    }
    return "unknown";
}

std::string indented(const std::string& text, std::size_t depth) {
    std::string result;
    bool begins = true;
    for (const char c : text) {
        if (begins && c != '\n') result.append(depth, ' ');
        begins = c == '\n';
        result += c;
    }
    return result;
}

class TextWriter {
public:
    TextWriter(const EvidenceTree& tree, const SummaryOptions& options, const std::string& file)
        : tree_(tree), options_(options), file_(file) {}

    void write(const Claim& claim, std::size_t depth, bool is_root, bool path_is_shown) {
        out_.append(depth, ' ');
        if (!is_root) out_ += place_text(claim) + ": ";
        out_ += claim_text(tree_, claim);
        const bool shows_path = claim.kind == Claim::Kind::path && claim.states.size() > 1 && !path_is_shown;
        if (path_is_shown) out_ += ", the run above";
        out_ += '\n';
        if (shows_path)
            out_ += indented(trace::render(path_of(tree_, claim), options_.style,
                                           {.utf8 = options_.utf8,
                                            .colour = false,
                                            .file = file_,
                                            .from_initial = is_root,
                                            .width = options_.width}),
                             depth + 4);
        for (const Claim& child : claim.children) write(child, depth + 2, false, false);
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    const EvidenceTree& tree_;
    const SummaryOptions& options_;
    const std::string& file_;
    std::string out_;
};

nlohmann::ordered_json state_json(const trace::Trace& trace, std::size_t i) {
    nlohmann::ordered_json state = nlohmann::ordered_json::object();
    const std::vector<std::string> names = trace.names();
    const std::vector<model::Value> values = trace.values(i);
    for (std::size_t slot = 0; slot < names.size(); ++slot) state[names[slot]] = trace.text(slot, values[slot]);
    return state;
}

std::string action_text(const trace::TraceStep& step) {
    std::string text = step.label;
    for (const successor::StepPart& part : step.parts) {
        if (!text.empty()) text += ' ';
        text += part.process + (part.text.empty() ? "" : ": " + part.text);
    }
    return text;
}

nlohmann::ordered_json claim_json(const EvidenceTree& tree, const Claim& claim, bool is_root) {
    nlohmann::ordered_json json;
    json["formula"] = claim.formula;
    json["value"] = claim.value;
    json["kind"] = kind_name(claim.kind);
    if (!is_root) {
        json["first"] = claim.first;
        json["last"] = claim.last;
    }
    if (claim.kind == Claim::Kind::path) {
        const trace::Trace trace = path_of(tree, claim);
        nlohmann::ordered_json path;
        path["states"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < trace.size(); ++i) path["states"].push_back(state_json(trace, i));
        path["actions"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i + 1 < trace.size(); ++i) path["actions"].push_back(action_text(trace.step(i)));
        path["loop"] = trace.loop ? nlohmann::ordered_json(*trace.loop) : nlohmann::ordered_json(nullptr);
        path["stays"] = claim.stays;
        if (claim.found_length > 0) path["found_length"] = claim.found_length;
        json["path"] = std::move(path);
    }
    json["children"] = nlohmann::ordered_json::array();
    for (const Claim& child : claim.children) json["children"].push_back(claim_json(tree, child, false));
    return json;
}

std::string dot_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') result += "\\n";
        else result += c;
    }
    return result + '"';
}

}  // namespace

std::string evidence_text(const EvidenceTree& tree, const SummaryOptions& options, const std::string& file,
                          bool root_is_shown) {
    std::string text;
    if (tree.initial_count > 1)
        text = fmt::format("  in initial state {} of {}:\n", tree.initial_index + 1, tree.initial_count);
    TextWriter writer(tree, options, file);
    writer.write(tree.root, 2, true, root_is_shown && tree.root.kind == Claim::Kind::path);
    text += writer.take();
    for (const std::string& atom : tree.unconfirmed)
        text += fmt::format("  not confirmed: {} could not be evaluated by other code\n", support::in_quotes(atom));
    return text;
}

nlohmann::ordered_json evidence_json(const EvidenceTree& tree) {
    nlohmann::ordered_json json;
    json["initial"] = tree.initial_index;
    json["claims"] = tree.claims;
    json["complete"] = !tree.is_cut;
    if (!tree.unconfirmed.empty()) json["unconfirmed"] = tree.unconfirmed;
    json["root"] = claim_json(tree, tree.root, true);
    return json;
}

std::string evidence_dot(const run::RunReport& report) {
    std::string text = "digraph evidence {\n  node [shape=box, fontname=\"monospace\"];\n";
    std::size_t count = 0;
    const std::function<std::size_t(const EvidenceTree&, const Claim&)> add = [&](const EvidenceTree& tree,
                                                                                  const Claim& claim) {
        const std::size_t number = count++;
        std::string label = claim.formula + (claim.value ? "\ntrue" : "\nfalse");
        if (const std::string reason = reason_text(tree, claim); !reason.empty()) label += ": " + reason;
        text += fmt::format("  n{} [label={}{}];\n", number, dot_quoted(label),
                            claim.kind == Claim::Kind::cut ? ", style=dashed" : "");
        for (const Claim& child : claim.children) {
            const std::size_t below = add(tree, child);
            text += fmt::format("  n{} -> n{} [label={}];\n", number, below, dot_quoted(place_text(child)));
        }
        return number;
    };
    for (const check::Verdict& verdict : report.outcome.verdicts) {
        if (!verdict.tree) continue;
        const std::size_t top = count++;
        text += fmt::format("  n{} [label={}, shape=ellipse];\n", top,
                            dot_quoted(verdict.name + "\n" + std::string(check::to_string(verdict.answer))));
        text += fmt::format("  n{} -> n{};\n", top, add(*verdict.tree, verdict.tree->root));
    }
    return text + "}\n";
}

}  // namespace tideline::report
