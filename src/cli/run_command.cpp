#include "cli/run_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "report/ci_formats.hpp"
#include "report/evidence.hpp"
#include "report/html.hpp"
#include "report/json.hpp"
#include "report/measure_error.hpp"
#include "report/summary.hpp"
#include "run/run_report.hpp"
#include "support/grace.hpp"
#include "support/json_text.hpp"
#include "support/memory.hpp"
#include "trace/itf.hpp"
#include "trace/msc.hpp"

namespace tideline::cli {
namespace {

// The trace for files that have one, and what it shows: of what is wrong first, violated properties before faults; or
// else of the first property that has one, which is a witness.
std::pair<const trace::Trace*, std::string> chosen_trace(const check::Outcome& outcome) {
    const auto of_first = [&](auto is_wanted) -> std::pair<const trace::Trace*, std::string> {
        for (const check::Verdict& verdict : outcome.verdicts) {
            if (!verdict.trace || !is_wanted(verdict)) continue;
            std::string text = verdict.name + (verdict.formula.empty() ? "" : ": " + verdict.formula);
            return {&*verdict.trace, text + " (" + std::string(check::to_string(verdict.answer)) + ")"};
        }
        return {nullptr, ""};
    };
    const auto violation =
        of_first([](const check::Verdict& verdict) { return verdict.answer == check::Answer::violated; });
    if (violation.first != nullptr) return violation;
    for (const check::FaultReport& fault : outcome.faults)
        if (fault.trace) return {&*fault.trace, run::fault_kind_text(fault) + ": " + fault.text};
    return of_first([](const check::Verdict&) { return true; });
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    return a == b || std::filesystem::equivalent(a, b, ignored);
}

int status_of(run::Conclusion conclusion) {
    switch (conclusion) {
        case run::Conclusion::holds: return kHolds;
        case run::Conclusion::violated: return kViolated;
        case run::Conclusion::undecided: return kUndecided;
    }
    return kInternalError;
}

constexpr std::pair<const char*, trace::TraceStyle> kStyles[] = {{"full", trace::TraceStyle::full},
                                                                 {"changes", trace::TraceStyle::changes},
                                                                 {"actions", trace::TraceStyle::actions},
                                                                 {"none", trace::TraceStyle::none}};

}  // namespace

void remove_old_results(const OutputOptions& output) {
    std::error_code ignored;
    const auto is_file = [&](const std::optional<std::string>& path) {
        return path && *path != "-" && std::filesystem::is_regular_file(*path, ignored);
    };
    // A link stays (/dev/stdout is one).
    if (is_file(output.itf) && !std::filesystem::is_symlink(*output.itf, ignored))
        std::filesystem::remove(*output.itf, ignored);
    for (const auto& path : {output.itf, output.json, output.msc, output.dot, output.junit, output.sarif, output.html})
        if (is_file(path)) std::filesystem::resize_file(*path, 0, ignored);
}

bool outputs_are_safe(const OutputOptions& output, const run::RunSpec& spec) {
    const auto refuse = [](const std::string& option, const std::string& what) {
        print({support::diagnostic_about("", option + " names " + what, "expected a file of its own")});
        return false;
    };
    const std::pair<const char*, const std::optional<std::string>*> files[] = {
        {"--json", &output.json},        {"--itf", &output.itf},         {"--msc", &output.msc},
        {"--evidence-dot", &output.dot}, {"--report", &output.html},     {"--junit", &output.junit},
        {"--sarif", &output.sarif},      {"--stats", &output.statistics}};
    const auto is_file = [](const std::optional<std::string>& path) { return path && *path != "-"; };
    for (const auto& [option, path] : files) {
        if (!is_file(*path)) continue;
        if (is_same_file(**path, spec.model.path)) return refuse(option, "the model");
        const bool has_directory = spec.ledger.kind == run::LedgerChoice::Kind::directory;
        const std::filesystem::path parent = std::filesystem::absolute(**path).parent_path();
        if (has_directory && is_same_file(parent, spec.ledger.directory)) return refuse(option, "a file of the ledger");
        for (const auto& [other, other_path] : files) {
            if (other == option) break;
            if (is_file(*other_path) && is_same_file(**path, **other_path))
                return refuse(option, std::string("the same file as ") + other);
        }
    }
    return true;
}

support::Budget budget_for(const support::BudgetLimits& limits, const Caller& caller) {
    support::BudgetLimits all = limits;
    if (!all.memory) all.memory = support::default_memory_limit();
    return support::Budget(all, [&interrupt = caller.interrupt] { return interrupt.requested(); });
}

std::string temporary_folder() { return environment_variable("TMPDIR"); }

run::OrRefusal<run::LoadedInput> load(run::RunSpec& spec, const Caller& caller, const support::Budget& budget) {
    if (caller.program == nullptr) return run::load(spec, budget);
    run::LoadedInput input;
    input.system = caller.program->make_system();
    spec.model.path = input.system.path;
    spec.model.hash = input.system.hash;
    spec.model.language = input.system.names->format;
    spec.model.options = caller.program->options.values();
    return input;
}

int run_and_report(run::RunSpec spec, const support::Result<std::vector<run::PropertySpec>>& properties,
                   const OutputOptions& output, const Caller& caller) {
    if (!properties) {
        print(properties.diagnostics());
        return kWrongInput;
    }
    spec.properties = *properties;
    const support::Budget budget = budget_for(spec.limits, caller);
    spec.temporary_folder = temporary_folder();
    spec.presentation = stored_presentation(output);
    if (!outputs_are_safe(output, spec)) return kWrongInput;
    OutputOptions at_once;  // what is written during the run
    at_once.statistics = output.statistics;
    if (!outputs_are_writable(at_once)) return kWrongInput;
    TerminalSink sink(output.quiet, true, output.statistics);
    // Nothing is shown beside what is printed in the end.
    const auto refuse = [&](const run::Refusal& refusal, const run::RunSpec& refused) {
        sink.progress_ended();
        return write_refusal(refusal, refused, output);
    };
    run::OrRefusal<run::LoadedInput> loaded = load(spec, caller, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) return refuse(*refusal, spec);
    const auto& input = std::get<run::LoadedInput>(loaded);
    const run::RunSpec asked = spec;
    run::OrRefusal<run::RunPlan> planned = run::plan(std::move(spec), input, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&planned)) return refuse(*refusal, asked);
    auto& plan = std::get<run::RunPlan>(planned);
    sink.report(plan.warnings);
    if (!outputs_are_writable(output)) return kWrongInput;
    remove_old_results(output);
    run::OrRefusal<run::RunReport> result = run::execute(std::move(plan), input, sink, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&result)) return refuse(*refusal, asked);
    sink.progress_ended();
    return write_report(std::get<run::RunReport>(result), sink.history(), output, budget);
}

int write_refusal(const run::Refusal& refusal, const run::RunSpec& spec, const OutputOptions& output) {
    const int status = print(refusal);
    if (refusal.stopped == support::StopReason::none) return status;
    remove_old_results(output);
    if (!output.json) return status;
    const std::string text = report::to_json(run::unsearched_report(spec, refusal.stopped));
    if (output.json == "-") std::fputs(text.c_str(), stdout);
    else if (!write_file(*output.json, text)) return kInternalError;
    return end_of_output(status);
}

int write_report(const run::RunReport& report, const report::RunHistory& history, const OutputOptions& output,
                 const support::Budget& budget) {
    if (report.outcome.measure_error) {
        std::fputs(report::measure_error_text(*report.outcome.measure_error, report.components, report.model_path,
                                              summary_options(STDERR_FILENO, output.trace))
                       .c_str(),
                   stderr);
        return kWrongInput;
    }
    // A trace that was found just before the limit is still worth writing.
    constexpr std::chrono::milliseconds kGrace{200};
    const support::Budget patient = support::with_grace(budget, kGrace);
    if (!report.resumable.empty() && !output.quiet)
        std::fprintf(stderr, "tideline: resume with: tideline resume %s\n", report.resumable.c_str());
    int status = status_of(output.expect ? run::expected_result_of(report) : run::result_of(report));
    const bool json_on_stdout = output.json == "-";
    std::FILE* const out = json_on_stdout ? stderr : stdout;
    const report::SummaryOptions shown = summary_options(json_on_stdout ? STDERR_FILENO : STDOUT_FILENO, output.trace);
    if (!output.quiet) report::write_summary(report, shown, sink_into(out), patient);
    else if (!json_on_stdout) report::write_answers(report, shown, sink_into(out));
    if (output.expect) std::fputs(report::expectations(report).c_str(), out);
    if (json_on_stdout) report::write_json(report, sink_into(stdout), patient);
    else if (output.json && !write_file(*output.json, [&](const support::TextSink& sink) {
                 report::write_json(report, sink, patient);
             }))
        status = kInternalError;
    const std::pair<const trace::Trace*, std::string> chosen = chosen_trace(report.outcome);
    const trace::Trace* const trace = chosen.first;
    const auto write_trace = [&](const support::TextSink& sink) {
        (void)trace::write_itf(*trace, {chosen.second, report.model_path}, sink, patient);
        sink("\n");
    };
    if (output.itf && trace != nullptr && !write_file(*output.itf, write_trace)) status = kInternalError;
    const auto write_chart = [&](const support::TextSink& sink) {
        if (trace != nullptr) (void)trace::write_msc(*trace, sink, patient);
    };
    if (output.msc && !write_file(*output.msc, write_chart)) status = kInternalError;
    if (output.junit && !write_file(*output.junit, report::to_junit(report))) status = kInternalError;
    if (output.sarif && !write_file(*output.sarif, report::to_sarif(report))) status = kInternalError;
    if (output.dot && !write_file(*output.dot, report::evidence_dot(report))) status = kInternalError;
    if (output.html && !write_file(*output.html, [&](const support::TextSink& sink) {
            report::write_html(report, history, output.command, sink, patient);
        }))
        status = kInternalError;
    return end_of_output(status);
}

std::string stored_presentation(const OutputOptions& output) {
    nlohmann::ordered_json json;
    std::error_code ignored;
    const auto from_everywhere = [&](const std::string& path) {
        return path == "-" ? path : std::filesystem::absolute(path, ignored).string();
    };
    json["quiet"] = output.quiet;
    json["expect"] = output.expect;
    for (const auto& [name, style] : kStyles)
        if (style == output.trace) json["trace"] = name;
    if (output.json) json["json"] = from_everywhere(*output.json);
    if (output.itf) json["itf"] = from_everywhere(*output.itf);
    if (output.msc) json["msc"] = from_everywhere(*output.msc);
    if (output.junit) json["junit"] = from_everywhere(*output.junit);
    if (output.sarif) json["sarif"] = from_everywhere(*output.sarif);
    if (output.dot) json["dot"] = from_everywhere(*output.dot);
    if (output.html) json["html"] = from_everywhere(*output.html);
    return support::to_json_text(json);
}

OutputOptions parse_presentation(const std::string& text) {
    OutputOptions output;
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object()) return output;
    const auto flag = [&](const char* name) {
        return json.contains(name) && json[name].is_boolean() && json[name].get<bool>();
    };
    const auto word = [&](const char* name) {
        return json.contains(name) && json[name].is_string() ? std::optional(json[name].get<std::string>())
                                                             : std::nullopt;
    };
    output.quiet = flag("quiet");
    output.expect = flag("expect");
    output.json = word("json");
    output.itf = word("itf");
    output.msc = word("msc");
    output.junit = word("junit");
    output.sarif = word("sarif");
    output.dot = word("dot");
    output.html = word("html");
    for (const auto& [name, style] : kStyles)
        if (word("trace") == name) output.trace = style;
    return output;
}

}  // namespace tideline::cli
