#include "cli/session.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "reference/load.hpp"
#include "report/json.hpp"
#include "report/run_report.hpp"
#include "report/summary.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/interpret/pilot.hpp"
#include "support/memory.hpp"
#include "trace/confirm.hpp"
#include "trace/itf.hpp"

namespace tideline {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

Environment environment() {
    return {variable("NO_COLOR"), variable("TERM"), variable("LC_ALL"), variable("LC_CTYPE"), variable("LANG")};
}

bool can_write(const std::string& path) {
    const std::ofstream file(path, std::ios::app);
    if (file) return true;
    print({diagnostic_about(path, "cannot be written", "is the folder there, and may it be written to?")});
    return false;
}

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::trunc);
    file << text << std::flush;
    if (file) return true;
    print({diagnostic_about(path, "could not be written completely")});
    return false;
}

int exit_status(const Outcome& outcome) {
    bool violated = !outcome.faults.empty();
    bool undecided = !outcome.complete && outcome.reason != StopReason::violation;
    for (const Verdict& verdict : outcome.verdicts) {
        violated = violated || told_answer(outcome, verdict) == Answer::violated;
        undecided = undecided || told_answer(outcome, verdict) == Answer::unknown;
    }
    return violated ? kViolated : undecided ? kUndecided : kHolds;
}

const Trace* first_trace(const Outcome& outcome) {
    for (const Verdict& verdict : outcome.verdicts)
        if (verdict.trace) return &*verdict.trace;
    for (const FaultReport& fault : outcome.faults)
        if (fault.trace) return &*fault.trace;
    return nullptr;
}

}  // namespace

void print(const Diagnostics& diagnostics) {
    for (const Diagnostic& diagnostic : diagnostics) std::fputs(to_text(diagnostic).c_str(), stderr);
}

std::optional<LoadedModel> load_or_explain(const std::string& path, const LoadOptions& options, bool quiet) {
    Result<LoadedModel> loaded = load_model(path, options);
    if (!loaded || !quiet) print(loaded.diagnostics());
    if (!loaded) return std::nullopt;
    return *std::move(loaded);
}

Session::Session(const SearchOptions& options, LoadedModel loaded, LoadOptions load_options)
    : options_(options), loaded_(std::move(loaded)), load_options_(load_options), environment_(environment()) {}

bool Session::outputs_are_writable() const {
    const OutputOptions& output = options_.output;
    if (output.json && *output.json != "-" && !can_write(*output.json)) return false;
    return !output.itf || can_write(*output.itf);
}

Outcome Session::run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration) {
    ReachabilityRequest request;
    request.system = make_interpreted_system(loaded_.model, std::move(labels),
                                             Layout::observed(*loaded_.model, observe_ranges(*loaded_.model)));
    request.order = options_.engine == "dfs" ? WalkOrder::depth_first : WalkOrder::breadth_first;
    request.goals = std::move(goals);
    request.exploration = exploration;
    request.limits.memory = options_.memory ? *options_.memory : default_memory_limit();
    request.limits.time = options_.time;
    request.limits.interrupted = [this] { return interrupt_.requested(); };
    TerminalTraits traits = terminal_traits(STDERR_FILENO, environment_);
    if (options_.output.quiet) traits.terminal = false;
    StatusLine status(stderr, traits);
    request.tick = [&status](const Statistics& statistics) { status.update(statistics); };
    request.confirm = [this](const Trace& trace) {
        if (!machine_) machine_ = reference::make_machine(loaded_, load_options_);
        return confirm(trace, *machine_);
    };
    return decide_reachability(request);
}

int Session::report(Outcome outcome) {
    RunReport report;
    report.version = TIDELINE_VERSION;
    report.model_path = options_.model;
    report.format = loaded_.model->format;
    report.outcome = std::move(outcome);
    report.peak_rss_bytes = peak_resident_memory();
    const OutputOptions& output = options_.output;
    int status = exit_status(report.outcome);
    const bool json_on_stdout = output.json == "-";
    if (!output.quiet) {
        std::FILE* out = json_on_stdout ? stderr : stdout;
        const TerminalTraits traits = terminal_traits(json_on_stdout ? STDERR_FILENO : STDOUT_FILENO, environment_);
        SummaryOptions summary_options;
        summary_options.utf8 = traits.utf8;
        summary_options.colour = traits.colour;
        summary_options.style = output.trace;
        std::fputs(summary(report, summary_options).c_str(), out);
    }
    if (json_on_stdout)
        std::fputs(to_json(report).c_str(), stdout);
    else if (output.json && !write_file(*output.json, to_json(report)))
        status = kProgramFault;
    const Trace* trace = output.itf ? first_trace(report.outcome) : nullptr;
    if (trace != nullptr && !write_file(*output.itf, to_itf_text(*trace, {"", options_.model}))) status = kProgramFault;
    if (std::fflush(stdout) != 0) status = kProgramFault;
    return status;
}

}  // namespace tideline
