#include "cli/run_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "report/json.hpp"
#include "report/measure_error.hpp"
#include "report/summary.hpp"
#include "run/run_report.hpp"
#include "support/grace.hpp"
#include "support/json_text.hpp"
#include "support/memory.hpp"
#include "trace/itf.hpp"

namespace tideline::cli {
namespace {

const Trace* first_trace(const Outcome& outcome) {
    for (const Verdict& verdict : outcome.verdicts)
        if (verdict.trace) return &*verdict.trace;
    for (const FaultReport& fault : outcome.faults)
        if (fault.trace) return &*fault.trace;
    return nullptr;
}

int status_of(run::Conclusion conclusion) {
    switch (conclusion) {
        case run::Conclusion::holds: return kHolds;
        case run::Conclusion::violated: return kViolated;
        case run::Conclusion::undecided: return kUndecided;
    }
    return kInternalError;
}

constexpr std::pair<const char*, TraceStyle> kStyles[] = {
    {"full", TraceStyle::full}, {"changes", TraceStyle::changes}, {"actions", TraceStyle::actions}};

}  // namespace

Budget budget_for(const BudgetLimits& limits, const Caller& caller) {
    BudgetLimits all = limits;
    if (!all.memory) all.memory = default_memory_limit();
    return Budget(all, [&interrupt = caller.interrupt] { return interrupt.requested(); });
}

std::string temporary_folder() { return environment_variable("TMPDIR"); }

run::OrRefusal<run::LoadedInput> load(run::RunSpec& spec, const Caller& caller, const Budget& budget) {
    if (caller.program == nullptr) return run::load(spec, budget);
    run::LoadedInput input;
    input.system = caller.program->make_system();
    spec.model.path = input.system.path;
    spec.model.hash = input.system.hash;
    spec.model.language = input.system.names->format;
    spec.model.options = caller.program->options.values();
    return input;
}

int run_and_report(run::RunSpec spec, const OutputOptions& output, const Caller& caller) {
    const Budget budget = budget_for(spec.limits, caller);
    TerminalSink sink(output.quiet);
    spec.temporary_folder = temporary_folder();
    spec.presentation = stored_presentation(output);
    run::OrRefusal<run::LoadedInput> loaded = load(spec, caller, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) return print(*refusal);
    const auto& input = std::get<run::LoadedInput>(loaded);
    run::OrRefusal<run::RunPlan> planned = run::plan(std::move(spec), input, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&planned)) return print(*refusal);
    auto& plan = std::get<run::RunPlan>(planned);
    sink.report(plan.warnings);
    if (!outputs_are_writable(output)) return kWrongInput;
    return write_report(run::execute(std::move(plan), input, sink, budget), output, budget);
}

int write_report(run::OrRefusal<run::RunReport> result, const OutputOptions& output, const Budget& budget) {
    if (const auto* refusal = std::get_if<run::Refusal>(&result)) return print(*refusal);
    const auto& report = std::get<run::RunReport>(result);
    if (report.outcome.measure_error) {
        std::fputs(measure_error_text(*report.outcome.measure_error, report.components, report.model_path,
                                      summary_options(STDERR_FILENO, output.trace)).c_str(), stderr);
        return kWrongInput;
    }
    // A trace that was found just before the limit is still worth writing.
    constexpr std::chrono::milliseconds kGrace{200};
    const Budget patient = with_grace(budget, kGrace);
    if (!report.resumable.empty() && !output.quiet) std::fprintf(stderr, "tideline: resume with: tideline resume %s\n", report.resumable.c_str());
    int status = status_of(output.expect ? run::expected_result_of(report) : run::result_of(report));
    const bool json_on_stdout = output.json == "-";
    std::FILE* const out = json_on_stdout ? stderr : stdout;
    if (!output.quiet)
        write_summary(report, summary_options(json_on_stdout ? STDERR_FILENO : STDOUT_FILENO, output.trace), sink_into(out), patient);
    if (output.expect) std::fputs(expectations(report).c_str(), out);
    if (json_on_stdout)
        write_json(report, sink_into(stdout), patient);
    else if (output.json && !write_file(*output.json, [&](const TextSink& sink) { write_json(report, sink, patient); }))
        status = kInternalError;
    // Without a trace the file becomes empty: one of an earlier run must not be taken for the result of this one.
    const Trace* trace = first_trace(report.outcome);
    const auto write_trace = [&](const TextSink& sink) {
        if (trace != nullptr) (void)write_itf(*trace, {"", report.model_path}, sink, patient);
        if (trace != nullptr) sink("\n");
    };
    if (output.itf && !write_file(*output.itf, write_trace)) status = kInternalError;
    return end_of_output(status);
}

std::string stored_presentation(const OutputOptions& output) {
    nlohmann::ordered_json json;
    std::error_code ignored;
    const auto from_everywhere = [&](const std::string& path) { return path == "-" ? path : std::filesystem::absolute(path, ignored).string(); };
    json["quiet"] = output.quiet;
    json["expect"] = output.expect;
    for (const auto& [name, style] : kStyles)
        if (style == output.trace) json["trace"] = name;
    if (output.json) json["json"] = from_everywhere(*output.json);
    if (output.itf) json["itf"] = from_everywhere(*output.itf);
    return to_json_text(json);
}

OutputOptions parse_presentation(const std::string& text) {
    OutputOptions output;
    const nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (!json.is_object()) return output;
    const auto flag = [&](const char* name) { return json.contains(name) && json[name].is_boolean() && json[name].get<bool>(); };
    const auto word = [&](const char* name) { return json.contains(name) && json[name].is_string() ? std::optional(json[name].get<std::string>()) : std::nullopt; };
    output.quiet = flag("quiet");
    output.expect = flag("expect");
    output.json = word("json");
    output.itf = word("itf");
    for (const auto& [name, style] : kStyles)
        if (word("trace") == name) output.trace = style;
    return output;
}

}  // namespace tideline::cli
