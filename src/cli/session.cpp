#include "cli/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "automata/hoa_print.hpp"
#include "automata/system_product.hpp"
#include "model/evaluate.hpp"
#include "progress/certificate.hpp"
#include "report/json.hpp"
#include "report/measure_error.hpp"
#include "report/run_report.hpp"
#include "report/summary.hpp"
#include "trace/itf.hpp"

namespace tideline {
namespace {

// What is given back before the search counts as the program's own memory, with most of what that may have.
constexpr std::uint64_t kRoomForPilot = std::uint64_t{90} << 20U;

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

int exit_status(const Outcome& outcome) {
    bool violated = !outcome.faults.empty();
    bool undecided = !outcome.complete && outcome.reason != StopReason::violation;
    for (const Verdict& verdict : outcome.verdicts) {
        violated = violated || told_answer(outcome, verdict) == Answer::violated;
        undecided = undecided || told_answer(outcome, verdict) == Answer::unknown;
    }
    return violated ? kViolated : undecided ? kUndecided : kHolds;
}

// Of a regression test: what was violated may have been expected to be.
int expectation_status(const Outcome& outcome) {
    int status = kHolds;
    for (const Verdict& verdict : outcome.verdicts) {
        const Answer answer = told_answer(outcome, verdict);
        if (answer == expected_answer(verdict)) continue;
        if (answer != Answer::unknown) return kViolated;
        status = kUndecided;
    }
    return status;
}

// The run of the system in a run of the product.
Trace without_automaton(Trace trace) {
    if (trace.names.empty() || trace.names.back() != kAutomatonSlot) return trace;
    trace.names.pop_back();
    for (TraceState& state : trace.states) {
        state.values.pop_back();
        state.texts.pop_back();
    }
    return trace;
}

// What a replay can confirm of it: that an atom cannot be evaluated is no step of the system.
Trace steps_of_system(const Trace& trace) {
    Trace result = without_automaton(trace);
    if (result.fault && result.fault->step.parts.empty() && result.fault->step.label.empty()) result.fault.reset();
    return result;
}

void forget_automaton(Outcome& outcome) {
    for (FaultReport& fault : outcome.faults)
        if (fault.trace) fault.trace = without_automaton(std::move(*fault.trace));
    for (Verdict& verdict : outcome.verdicts)
        if (verdict.trace) verdict.trace = without_automaton(std::move(*verdict.trace));
    if (outcome.measure_error) outcome.measure_error->step = without_automaton(std::move(outcome.measure_error->step));
}

// The letters of a run: which atoms are true in its states. One that cannot be evaluated is not.
Lasso word_of(const Trace& trace, const std::vector<Expression>& atoms, const Model& model) {
    std::size_t depth = 1;
    for (const Expression& atom : atoms) depth = std::max(depth, atom.stack_depth() + 1);
    std::vector<Value> stack(depth);
    Lasso word;
    for (const TraceState& state : trace.states) {
        std::uint64_t letter = 0;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            const Evaluation value = evaluate(atoms[i], model.tables, state.values.data(), stack.data());
            if (value.fault == FaultKind::none && value.value != 0) letter |= std::uint64_t{1} << i;
        }
        word.letters.push_back(letter);
    }
    word.loop = *trace.loop;
    return word;
}

// The layout of the system in that of a product.
Layout without_last_slot(const Layout& layout, SlotId slots) {
    std::vector<Range> ranges;
    for (SlotId slot = 0; slot < slots; ++slot) ranges.push_back(layout.range(slot));
    return Layout(std::move(ranges));
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

bool write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::trunc);
    file << text << std::flush;
    if (file) return true;
    print({diagnostic_about(path, "could not be written completely")});
    return false;
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
    : options_(options), subject_(std::move(subject)), environment_(environment()),
      memory_limit_(options.memory ? *options.memory : default_memory_limit()), pilot_memory_(std::max(memory_limit_, kRoomForPilot)),
      budget_({memory_limit_, options.disk, options.time}, [this] { return interrupt_.requested(); }) {}

bool Session::choose_engine() {
    if (!parse_given_measure()) return false;
    const std::string& engine = options_.engine;
    is_found_ = measure_ && options_.progress_was_found;
    const bool is_sweep_asked = engine == "sweep" || engine == "sweep-basic";
    const bool may_look = options_.progress == "auto" && !subject_.own_measure;
    if (may_look && is_sweep_asked) find_measure();
    is_open_ = may_look && engine == "auto" && !options_.compress;
    // A product has one: the rank of the automaton's component.
    const bool has_measure = measure_ || (options_.progress == "auto" && (subject_.own_measure || (is_sweep_asked && property_ != nullptr)));
    order_ = engine == "dfs"                                        ? WalkOrder::depth_first
             : engine == "sweep-basic"                              ? WalkOrder::sweep_basic
             : engine == "sweep" || (engine == "auto" && has_measure) ? WalkOrder::sweep
                                                                    : WalkOrder::breadth_first;
    if (!is_sweep_asked || has_measure) return true;
    print({diagnostic_about("", "the engine " + engine + " needs a progress measure" + (options_.progress == "none" ? "" : ", and none was found"),
                            "give one with --progress EXPR[,EXPR...], most significant first")});
    return false;
}

bool Session::parse_given_measure() {
    if (options_.progress == "auto" || options_.progress == "none") return true;
    Result<Measure> measure = parse_measure(model(), options_.progress);
    if (!measure || !options_.output.quiet) print(measure.diagnostics());
    if (!measure) return false;
    measure_ = *std::move(measure);
    return true;
}

SweepKind Session::sweep_kind() const {
    return options_.engine == "sweep-basic" ? SweepKind::basic : options_.ledger == "none" ? SweepKind::without_ledger : SweepKind::with_ledger;
}

std::optional<FoundMeasures> Session::rate_measures() {
    if (!parse_given_measure()) return std::nullopt;
    // All declared values fit into the pilot's states, so that it need not stop.
    const std::shared_ptr<const System> system = make_system({}, Successors::interpret, Layout::declared(model()));
    return find_measures(model(), *system, sweep_kind(), PilotLimits{}, [this] { return must_stop(); },
                         measure_ ? &*measure_ : nullptr);
}

// Looks for a measure; leaves none where none is worth while.
void Session::find_measure() {
    // What a sweep by a measure may keep in memory at most, of all states, to be preferred.
    constexpr double kWorthWhile = 0.6;
    FoundMeasures found = *rate_measures();
    found.pilot = {};
    release_free_memory();
    const bool is_good = !found.measures.empty() && found.measures[0].predicted_share <= kWorthWhile;
    if (!is_good && options_.engine == "auto") {
        engine_reason_ = "no measure of progress was found that keeps states out of memory";
        return;
    }
    if (found.measures.empty()) return;
    measure_ = std::move(found.measures[0].measure);
    is_found_ = true;
    predicted_share_ = found.measures[0].predicted_share;
    if (options_.engine == "auto")
        engine_reason_ = fmt::format("a measure of progress was found that keeps about {:.1f} % of the states in memory", 100 * *predicted_share_);
}

bool Session::outputs_are_writable() const {
    const OutputOptions& output = options_.output;
    if (output.json && *output.json != "-" && !can_write(*output.json)) return false;
    return !output.itf || can_write(*output.itf);
}

Outcome Session::run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration) {
    if (!std::exchange(is_open_, false)) return search(std::move(goals), std::move(labels), exploration, options_.states);
    // A violation near the initial state is found at once and has a shortest trace, and few states need no measure.
    constexpr std::uint64_t kFewStates = 100'000;
    Outcome first;
    if (!exploration && options_.ledger == "auto") {
        const std::uint64_t most = std::min(kFewStates, options_.states.value_or(kFewStates));
        first = search(goals, labels, false, most);
        if (first.reason != StopReason::states || most < kFewStates) {
            engine_reason_ = "a breadth-first search decided it within the first states";
            return first;
        }
    }
    find_measure();
    if (measure_) order_ = WalkOrder::sweep;
    Outcome outcome = search(std::move(goals), std::move(labels), exploration, options_.states);
    // What the first search has found stays found, whether the second comes to it or not.
    for (std::size_t g = 0; g < first.verdicts.size(); ++g)
        if (first.verdicts[g].answer == Answer::violated) outcome.verdicts[g] = std::move(first.verdicts[g]);
    if (outcome.faults.empty()) outcome.faults = std::move(first.faults);
    return outcome;
}

Outcome Session::search(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration, std::optional<std::uint64_t> states) {
    ReachabilityRequest request;
    const bool records = order_ == WalkOrder::sweep ? options_.ledger != "none"
                                                    : order_ == WalkOrder::breadth_first && options_.ledger != "auto" && options_.ledger != "none";
    if (records) ledger_ = std::make_unique<RunLedger>(options_, subject_, measure_, property_ == nullptr ? "" : to_hoa(property_->automaton));
    std::optional<Layout> layout = records ? ledger_->layout() : std::nullopt;
    if (layout && property_ != nullptr) layout = without_last_slot(*layout, model().slot_count());
    request.system = make_system(std::move(labels), options_.successors, std::move(layout));
    request.order = order_;
    request.goals = std::move(goals);
    request.exploration = exploration;
    request.settings.budget = &budget_;
    request.settings.states = states;
    request.settings.threads = options_.threads;
    request.settings.compress = options_.compress;
    if (!options_.output.quiet) {
        if (options_.threads > 1 && order_ == WalkOrder::depth_first)
            std::fprintf(stderr, "tideline: notice: a depth-first search has one thread\n");
        if (options_.compress && order_ != WalkOrder::breadth_first)
            std::fprintf(stderr, "tideline: notice: only a breadth-first search compresses its states\n");
        if (options_.record != Recorded::tree && !records)
            std::fprintf(stderr, "tideline: notice: this search keeps no ledger, and nothing is recorded; a breadth-first search does with "
                                 "--ledger DIR\n");
    }
    if (!records && order_ == WalkOrder::sweep && request.system->layout() != nullptr) request.settings.block_bits = block_bits();
    if (records) {
        LedgerRun& run = ledger_->start(*request.system, order_, request.goals);
        if (order_ == WalkOrder::sweep && request.system->layout() != nullptr) run.block_bits = block_bits();
        constexpr std::uint64_t kQuicklyRead = 1U << 14U;
        if (exploration && request.goals.empty()) run.thin_above = kQuicklyRead;
        request.settings.ledger = &run;
        if (ledger_->is_temporary() && !options_.output.quiet) std::fprintf(stderr, "tideline: the ledger is in %s\n", ledger_->directory().c_str());
    }
    TerminalTraits traits = terminal_traits(STDERR_FILENO, environment_);
    if (options_.output.quiet) traits.terminal = false;
    StatusLine status(stderr, traits);
    request.tick = [&status](const Statistics& statistics) { status.update(statistics); };
    request.confirm = [this](const Trace& trace) { return subject_.confirm(property_ == nullptr ? trace : steps_of_system(trace)); };
    Outcome outcome = decide_reachability(request);
    if (property_ != nullptr) forget_automaton(outcome);
    const bool can_go_on = outcome.resumable && outcome.reason != StopReason::violation && !outcome.measure_error;
    if (outcome.statistics.threads_refused > 0 && !options_.output.quiet)
        std::fprintf(stderr, "tideline: notice: the system did not allow %u threads; the search had %llu\n", options_.threads,
                     static_cast<unsigned long long>(outcome.statistics.threads));
    if (records && can_go_on) {
        ledger_->keep();
        if (!options_.output.quiet) std::fprintf(stderr, "tideline: go on with: tideline resume %s\n", ledger_->directory().c_str());
    }
    return outcome;
}

bool Session::must_stop() const {
    return interrupt_.requested() || (options_.time && std::chrono::steady_clock::now() - start_ >= *options_.time) ||
           !pilot_memory_.allows(0);
}

std::shared_ptr<const System> Session::make_plain_system(const Subject& subject, std::vector<Expression> labels, const Measure* measure,
                                                         Successors successors, std::optional<Layout> layout) const {
    std::string notice;
    std::shared_ptr<const System> system = subject.make_system(std::move(labels), measure, successors, std::move(layout), notice);
    if (!notice.empty() && !options_.output.quiet) std::fprintf(stderr, "tideline: notice: %s\n", notice.c_str());
    return system;
}

// With the measure that the engine needs, times the automaton where there is one.
std::shared_ptr<const System> Session::make_system(std::vector<Expression> labels, Successors successors, std::optional<Layout> layout) const {
    const bool sweeps = order_ == WalkOrder::sweep || order_ == WalkOrder::sweep_basic;
    const Measure none;
    const std::size_t own_labels = labels.size();
    if (property_ != nullptr) labels.insert(labels.end(), property_->atoms.begin(), property_->atoms.end());
    std::shared_ptr<const System> system =
        make_plain_system(subject_, std::move(labels), !sweeps ? &none : measure_ ? &*measure_ : nullptr, successors, std::move(layout));
    if (property_ == nullptr) return system;
    return make_product(std::move(system), property_->automaton,
                        {own_labels, sweeps && has_rank() ? RankPlace::first : RankPlace::none, sweeps ? key_bits() : 0});
}

Outcome Session::decide(const RunProperty& property) {
    LtlRequest request;
    const Measure none;
    request.system = make_product(make_plain_system(subject_, property.atoms, &none, options_.successors, std::nullopt), property.automaton, {});
    request.marks = property.automaton.all_marks();
    request.name = property.name;
    request.logic = property.logic;
    request.formula = property.formula;
    request.confirm = subject_.confirm;
    request.is_bad = [&](const Trace& trace) { return property.is_bad(word_of(trace, property.atoms, model())); };
    return decide(std::move(request));
}

Outcome Session::decide_property_process(const Subject& whole) {
    LtlRequest request;
    const Measure none;
    request.system = make_plain_system(whole, {}, &none, options_.successors, std::nullopt);
    request.marks = accepting_marks(*whole.names);
    request.is_product = false;
    request.name = whole.names->processes[*whole.names->observer].name;
    request.logic = "automaton";
    request.confirm = whole.confirm;
    return decide(std::move(request));
}

Outcome Session::decide(LtlRequest request) {
    request.settings.budget = &budget_;
    request.settings.states = options_.states;
    TerminalTraits traits = terminal_traits(STDERR_FILENO, environment_);
    if (options_.output.quiet) traits.terminal = false;
    StatusLine status(stderr, traits);
    request.tick = [&status](const Statistics& statistics) { status.update(statistics); };
    if (!options_.output.quiet) {
        if (options_.threads > 1) std::fprintf(stderr, "tideline: notice: the engine couvreur has one thread\n");
        if (options_.compress) std::fprintf(stderr, "tideline: notice: the engine couvreur does not compress its states\n");
        if (options_.ledger != "auto" && options_.ledger != "none")
            std::fprintf(stderr, "tideline: notice: the engine couvreur writes no ledger\n");
    }
    return decide_ltl(request);
}

// What the measure's values take.
unsigned Session::key_bits() const {
    if (!measure_ && !subject_.own_measure) return 0;
    const Measure& measure = measure_ ? *measure_ : *subject_.own_measure;
    // A system written in C++ has no program for its own measure, but so many numbers of 32 bits.
    if (measure.program.components.empty()) return static_cast<unsigned>(32 * measure.components.size());
    unsigned bits = 0;
    for (const KeyComponent& component : measure.program.components) bits += component.bits;
    return bits;
}

// The rank of the automaton's component leads the measure, unless there is no room for it in a key.
bool Session::has_rank() const { return property_ != nullptr && key_bits() + rank_bits(property_->automaton) <= 128; }

std::vector<std::string> Session::components() const {
    std::vector<std::string> result;
    if (has_rank()) result.emplace_back("automaton");
    if (!measure_ && !subject_.own_measure) return result;
    const std::vector<std::string>& own = (measure_ ? *measure_ : *subject_.own_measure).components;
    result.insert(result.end(), own.begin(), own.end());
    return result;
}

// The bits of the measure behind its leading components that provably never decrease; nothing where there are none.
std::optional<unsigned> Session::block_bits() const {
    if (!measure_ && !subject_.own_measure) return has_rank() ? std::optional(0U) : std::nullopt;
    const Measure& measure = measure_ ? *measure_ : *subject_.own_measure;
    std::vector<Expression> expressions;
    for (const KeyComponent& component : measure.program.components) expressions.push_back(component.expression);
    const std::size_t leading = monotonic_components(with_tables(model(), measure), expressions);
    unsigned bits = 0;
    for (std::size_t i = leading; i < expressions.size(); ++i) bits += measure.program.components[i].bits;
    return leading > 0 || has_rank() ? std::optional(bits) : std::nullopt;
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

int Session::report(Outcome outcome, bool expect) {
    RunReport report;
    report.version = TIDELINE_VERSION;
    report.model_path = subject_.path;
    report.format = model().format;
    if (outcome.statistics.sweeps > 0) {
        report.progress_source = is_found_ ? "auto" : "user";
        report.predicted_share = predicted_share_;
        report.components = components();
        report.monotonic = monotonic(outcome);
    }
    report.engine_reason = engine_reason_;
    if (outcome.measure_error) {
        std::fputs(measure_error_text(*outcome.measure_error, report.components, subject_.path, summary_options(STDERR_FILENO)).c_str(), stderr);
        return kWrongInput;
    }
    report.outcome = std::move(outcome);
    report.peak_rss_bytes = peak_resident_memory();
    report.ledger_bytes = report.outcome.statistics.ledger_bytes;
    const OutputOptions& output = options_.output;
    int status = expect ? expectation_status(report.outcome) : exit_status(report.outcome);
    const bool json_on_stdout = output.json == "-";
    if (!output.quiet) {
        std::FILE* out = json_on_stdout ? stderr : stdout;
        std::fputs(summary(report, summary_options(json_on_stdout ? STDERR_FILENO : STDOUT_FILENO)).c_str(), out);
    }
    if (expect) std::fputs(expectations(report).c_str(), json_on_stdout ? stderr : stdout);
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
