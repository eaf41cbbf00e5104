#include "report/ci_formats.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/json_text.hpp"
#include "trace/step_text.hpp"

namespace tideline::report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostSteps = 1000;  // of a code flow

// What is not UTF-8 is replaced, as in JSON.
std::string xml(const std::string& of) {
    std::string result;
    const std::string text = ordered_json::parse(support::to_json_text(ordered_json(of))).get<std::string>();
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '<') result += "&lt;";
        else if (c == '>') result += "&gt;";
        else if (c == '&') result += "&amp;";
        else if (c == '"') result += "&quot;";
        else if (byte < 0x20) result += ' ';
        else result += c;
    }
    return result;
}

std::string title(const check::Verdict& verdict) {
    return verdict.formula.empty() ? verdict.name : verdict.name + ": " + verdict.formula;
}

std::string message_of(const check::Verdict& verdict) {
    const std::string expected =
        verdict.expected ? fmt::format(", expected {}", check::to_string(*verdict.expected)) : "";
    return fmt::format("{} ({}{}{})", title(verdict), check::to_string(verdict.answer), expected,
                       verdict.reason.empty() ? "" : ": " + verdict.reason);
}

ordered_json location(const run::RunReport& report, std::uint32_t line, const std::string& text) {
    ordered_json result;
    result["physicalLocation"]["artifactLocation"]["uri"] = report.model_path;
    if (line > 0) result["physicalLocation"]["region"]["startLine"] = line;
    if (!text.empty()) result["message"]["text"] = text;
    return result;
}

ordered_json flow(const run::RunReport& report, const trace::Trace& trace) {
    const trace::StepWords words({false, false, "", 200});
    ordered_json steps = ordered_json::array();
    for (std::size_t i = 0; i < std::min(trace.step_count(), kMostSteps); ++i) {
        const trace::TraceStep step = trace.step(i);
        if (step.parts.empty()) continue;
        steps.push_back({{"location", location(report, step.parts[0].line, words.whole(step))}});
    }
    return {{"threadFlows", ordered_json::array({{{"locations", std::move(steps)}}})}};
}

ordered_json result_of(const run::RunReport& report, const std::string& rule, const char* level,
                       const std::string& message, const std::optional<trace::Trace>& trace) {
    ordered_json result;
    result["ruleId"] = rule;
    result["level"] = level;
    result["message"]["text"] = message;
    std::uint32_t line = 0;
    if (trace && trace->step_count() > 0) {
        const trace::TraceStep last = trace->step(trace->step_count() - 1);
        if (!last.parts.empty()) line = last.parts[0].line;
    }
    result["locations"] = ordered_json::array({location(report, line, "")});
    if (trace && trace->step_count() > 0) result["codeFlows"] = ordered_json::array({flow(report, *trace)});
    return result;
}

}  // namespace

std::string to_junit(const run::RunReport& report) {
    std::string cases;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    for (const check::Verdict& verdict : report.outcome.verdicts) {
        cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml(report.model_path),
                             xml(title(verdict)), verdict.seconds);
        const bool is_expected = verdict.answer == run::expected_answer(verdict);
        const bool is_open = verdict.answer == check::Answer::unknown && !is_expected;
        if (is_open) {
            ++skipped;
            cases += fmt::format("    <skipped message=\"{}\"/>\n", xml(message_of(verdict)));
        } else if (!is_expected) {
            ++failures;
            cases += fmt::format("    <failure message=\"{}\"/>\n", xml(message_of(verdict)));
        }
        cases += "  </testcase>\n";
    }
    for (const check::FaultReport& fault : report.outcome.faults) {
        ++failures;
        const std::string text = run::fault_kind_text(fault) + ": " + fault.text;
        cases +=
            fmt::format("  <testcase classname=\"{}\" name=\"{}\">\n    <failure message=\"{}\"/>\n  </testcase>\n",
                        xml(report.model_path), xml(text), xml(text));
    }
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"tideline {}\" tests=\"{}\" failures=\"{}\" "
        "errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
        xml(report.model_path), report.outcome.verdicts.size() + report.outcome.faults.size(), failures, skipped,
        report.seconds, cases);
}

std::string to_sarif(const run::RunReport& report) {
    ordered_json results = ordered_json::array();
    std::vector<std::string> rules;
    const auto add = [&](const std::string& rule, const char* level, const std::string& message,
                         const std::optional<trace::Trace>& trace) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
        results.push_back(result_of(report, rule, level, message, trace));
    };
    for (const check::Verdict& verdict : report.outcome.verdicts) {
        if (verdict.answer == run::expected_answer(verdict)) continue;
        add(verdict.logic, verdict.answer == check::Answer::unknown ? "warning" : "error", message_of(verdict),
            verdict.trace);
    }
    for (const check::FaultReport& fault : report.outcome.faults)
        add("fault-" + run::fault_kind_text(fault), "error", fault.text, fault.trace);
    ordered_json driver = {{"name", "tideline"}, {"version", report.version}};
    driver["rules"] = ordered_json::array();
    for (const std::string& rule : rules) driver["rules"].push_back({{"id", rule}});
    ordered_json object;
    object["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
    object["version"] = "2.1.0";
    object["runs"] =
        ordered_json::array({{{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}}});
    return support::to_json_text(object, 2) + "\n";
}

}  // namespace tideline::report
