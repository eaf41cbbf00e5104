#include "cli/session.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "progress/certificate.hpp"
#include "report/json.hpp"
#include "report/measure_error.hpp"
#include "report/run_report.hpp"
#include "report/summary.hpp"
#include "support/memory.hpp"
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

int end_of_output(int status) {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    print({diagnostic_about("", "standard output could not be written completely")});
    return kProgramFault;
}

std::optional<LoadedModel> load_or_explain(const std::string& path, const LoadOptions& options, bool quiet) {
    Result<LoadedModel> loaded = load_model(path, options);
    if (!loaded || !quiet) print(loaded.diagnostics());
    if (!loaded) return std::nullopt;
    return *std::move(loaded);
}

std::optional<Subject> subject_or_explain(const std::string& path, const LoadOptions& options, bool quiet) {
    std::optional<LoadedModel> loaded = load_or_explain(path, options, quiet);
    if (!loaded) return std::nullopt;
    Result<Subject> subject = make_subject(path, std::move(*loaded), options);
    if (!subject) {
        print(subject.diagnostics());
        return std::nullopt;
    }
    return *std::move(subject);
}

Session::Session(const SearchOptions& options, Subject subject)
    : options_(options), subject_(std::move(subject)), environment_(environment()) {}

bool Session::choose_engine() {
    const bool given = options_.progress != "auto" && options_.progress != "none";
    if (given) {
        Result<Measure> measure = parse_measure(model(), options_.progress);
        if (!measure || !options_.output.quiet) print(measure.diagnostics());
        if (!measure) return false;
        measure_ = *std::move(measure);
    }
    const std::string& engine = options_.engine;
    order_ = engine == "dfs"                                  ? WalkOrder::depth_first
             : engine == "sweep-basic"                        ? WalkOrder::sweep_basic
             : engine == "sweep" || (engine == "auto" && given) ? WalkOrder::sweep
                                                              : WalkOrder::breadth_first;
    const bool sweeps = order_ == WalkOrder::sweep || order_ == WalkOrder::sweep_basic;
    const bool has_measure = given || (options_.progress == "auto" && subject_.own_measure);
    if (!sweeps || has_measure) return true;
    print({diagnostic_about("", "the engine " + engine + " needs a progress measure",
                            "give one with --progress EXPR[,EXPR...], most significant first")});
    return false;
}

bool Session::outputs_are_writable() const {
    const OutputOptions& output = options_.output;
    if (output.json && *output.json != "-" && !can_write(*output.json)) return false;
    return !output.itf || can_write(*output.itf);
}

Outcome Session::run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration) {
    ReachabilityRequest request;
    const bool sweeps = order_ == WalkOrder::sweep || order_ == WalkOrder::sweep_basic;
    const Measure none;
    const std::uint64_t memory = options_.memory ? *options_.memory : default_memory_limit();
    // The compiler itself takes some 100 MB: too much where memory is short.
    constexpr std::uint64_t kRoomForCompiler = std::uint64_t{256} << 20U;
    Successors successors = options_.successors;
    if (successors == Successors::automatic && memory < kRoomForCompiler) successors = Successors::interpret;
    std::string notice;
    const bool records = order_ == WalkOrder::sweep ? options_.ledger != "none"
                                                    : order_ == WalkOrder::breadth_first && options_.ledger != "auto" && options_.ledger != "none";
    if (records) ledger_ = std::make_unique<RunLedger>(options_, subject_);
    request.system = subject_.make_system(std::move(labels), !sweeps ? &none : measure_ ? &*measure_ : nullptr, successors,
                                          records ? ledger_->layout() : std::nullopt, notice);
    if (!notice.empty() && !options_.output.quiet) std::fprintf(stderr, "tideline: notice: %s\n", notice.c_str());
    request.order = order_;
    request.goals = std::move(goals);
    request.exploration = exploration;
    request.settings.memory = memory;
    request.settings.time = options_.time;
    request.settings.states = options_.states;
    request.settings.threads = options_.threads;
    request.settings.compress = options_.compress;
    if (!options_.output.quiet) {
        if (options_.threads > 1 && order_ == WalkOrder::depth_first)
            std::fprintf(stderr, "tideline: notice: a depth-first search has one thread\n");
        if (options_.compress && order_ != WalkOrder::breadth_first)
            std::fprintf(stderr, "tideline: notice: only a breadth-first search compresses its states\n");
    }
    if (records) {
        LedgerRun& run = ledger_->start(*request.system, order_, request.goals);
        if (order_ == WalkOrder::sweep && request.system->layout() != nullptr) run.block_bits = block_bits();
        request.settings.ledger = &run;
        if (ledger_->is_temporary() && !options_.output.quiet) std::fprintf(stderr, "tideline: the ledger is in %s\n", ledger_->directory().c_str());
    }
    request.settings.interrupted = [this] { return interrupt_.requested(); };
    TerminalTraits traits = terminal_traits(STDERR_FILENO, environment_);
    if (options_.output.quiet) traits.terminal = false;
    StatusLine status(stderr, traits);
    request.tick = [&status](const Statistics& statistics) { status.update(statistics); };
    request.confirm = subject_.confirm;
    Outcome outcome = decide_reachability(request);
    const bool can_go_on = !outcome.complete && outcome.reason != StopReason::violation && !outcome.measure_error;
    if (records && can_go_on) {
        ledger_->keep();
        if (!options_.output.quiet) std::fprintf(stderr, "tideline: go on with: tideline resume %s\n", ledger_->directory().c_str());
    }
    return outcome;
}

// The bits of the measure behind its leading components that provably never decrease; nothing where there are none.
std::optional<unsigned> Session::block_bits() const {
    const std::vector<KeyComponent>& components = (measure_ ? *measure_ : *subject_.own_measure).program.components;
    unsigned bits = 0;
    bool leads = true;
    bool some = false;
    for (const KeyComponent& component : components) {
        leads = leads && never_decreases(model(), component.expression);
        some = some || leads;
        if (!leads) bits += component.bits;
    }
    return some ? std::optional(bits) : std::nullopt;
}

SummaryOptions Session::summary_options(int descriptor) const {
    const TerminalTraits traits = terminal_traits(descriptor, environment_);
    SummaryOptions options;
    options.utf8 = traits.utf8;
    options.colour = traits.colour;
    options.style = options_.output.trace;
    return options;
}

// What the run has shown about the measure.
std::string Session::monotonic(const Outcome& outcome) const {
    if (outcome.statistics.regress_edges > 0) return "refuted";
    return outcome.complete && outcome.statistics.sweeps > 0 ? "proven" : "unknown";
}

int Session::report(Outcome outcome) {
    RunReport report;
    report.version = TIDELINE_VERSION;
    report.model_path = subject_.path;
    report.format = model().format;
    if (outcome.statistics.sweeps > 0) {
        report.progress_source = "user";
        report.components = (measure_ ? *measure_ : *subject_.own_measure).components;
        report.monotonic = monotonic(outcome);
    }
    if (outcome.measure_error) {
        std::fputs(measure_error_text(*outcome.measure_error, report.components, subject_.path, summary_options(STDERR_FILENO)).c_str(), stderr);
        return kWrongInput;
    }
    report.outcome = std::move(outcome);
    report.peak_rss_bytes = peak_resident_memory();
    report.ledger_bytes = report.outcome.statistics.ledger_bytes;
    const OutputOptions& output = options_.output;
    int status = exit_status(report.outcome);
    const bool json_on_stdout = output.json == "-";
    if (!output.quiet) {
        std::FILE* out = json_on_stdout ? stderr : stdout;
        std::fputs(summary(report, summary_options(json_on_stdout ? STDERR_FILENO : STDOUT_FILENO)).c_str(), out);
    }
    if (json_on_stdout)
        std::fputs(to_json(report).c_str(), stdout);
    else if (output.json && !write_file(*output.json, to_json(report)))
        status = kProgramFault;
    if (output.itf) {
        // Without a trace the file becomes empty: one of an earlier run must not be taken for the result of this one.
        const Trace* trace = first_trace(report.outcome);
        if (!write_file(*output.itf, trace == nullptr ? "" : to_itf_text(*trace, {"", subject_.path}))) status = kProgramFault;
    }
    return end_of_output(status);
}

}  // namespace tideline
