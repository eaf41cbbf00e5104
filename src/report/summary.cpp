#include "report/summary.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/evidence.hpp"
#include "support/quantity.hpp"
#include "support/terminal.hpp"

namespace tideline::report {
namespace {

// Below this, the memory of the program itself hides that of the states.
constexpr std::uint64_t kManyStates = 10'000;

std::string reason_text(const std::string& reason) {
    if (reason == "memory") return "memory limit reached";
    if (reason == "disk") return "no room left on disk, or the limit of --disk reached";
    if (reason == "time") return "time limit reached";
    if (reason == "states") return "as many states as asked for";
    if (reason == "interrupted") return "interrupted";
    if (reason == "violation") return "the search ended at another violation";
    if (reason == "fault") return "a run-time fault of the model came in between";
    return reason.empty() ? "not decided" : support::one_line(reason);
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", support::count_text(count), count == 1 ? one : many);
}

// Measures of explicit systems may have a term for every state; JSON has them in full.
std::string shortened(std::string text) {
    constexpr std::size_t kLongText = 400;
    if (text.size() <= kLongText) return text;
    std::size_t end = kLongText;
    while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // a character is not split
    return text.substr(0, end) + "...";
}

class Summary {
public:
    Summary(const run::RunReport& report, const SummaryOptions& options, const support::TextSink& sink,
            const support::Budget& budget)
        : report_(report), outcome_(report.outcome), options_(options), sink_(sink), budget_(budget) {}

    void write() {
        compose();
        flush();
    }

    void write_answers() {
        for (const check::Verdict& verdict : outcome_.verdicts) answer(verdict);
        for (const check::FaultReport& fault : outcome_.faults) fault_line(fault);
        flush();
    }

private:
    void compose() {
        for (const check::Verdict& verdict : outcome_.verdicts) answer(verdict);
        for (const check::FaultReport& fault : outcome_.faults) fault_line(fault);
        extent();
        remarks();
        if (options_.brief) return;
        for (const check::Verdict& verdict : outcome_.verdicts) {
            verdict_trace(verdict);
            tree(verdict);
            satisfying(verdict);
        }
        for (const check::FaultReport& fault : outcome_.faults) fault_trace(fault);
        missing_fault_traces();
        figures();
    }

    void flush() {
        sink_(out_);
        out_.clear();
    }

    void answer(const check::Verdict& verdict) {
        switch (verdict.answer) {
            case check::Answer::holds:
                out_ += support::painted("HOLDS", support::Ink::green, options_.colour) + "     ";
                break;
            case check::Answer::violated:
                out_ += support::painted("VIOLATED", support::Ink::red, options_.colour) + "  ";
                break;
            case check::Answer::unknown:
                out_ += support::painted("UNKNOWN", support::Ink::yellow, options_.colour) + "   ";
                break;
        }
        out_ += shown_name(verdict);
        if (!verdict.formula.empty()) out_ += ": " + support::one_line(verdict.formula);
        const std::string reason = verdict.reason;
        if (verdict.answer == check::Answer::unknown || !reason.empty())
            out_ += fmt::format(" ({})", reason_text(reason));
        if (!verdict.vacuous.empty())
            out_ += fmt::format(" (vacuously: {} is never true)", support::one_line(verdict.vacuous));
        out_ += '\n';
        if (!verdict.note.empty()) out_ += "          " + support::one_line(verdict.note) + '\n';
    }

    // `HOLDS deadlock` would read as if there were one.
    [[nodiscard]] static std::string shown_name(const check::Verdict& verdict) {
        return verdict.logic == "deadlock" && verdict.name == "deadlock" ? "deadlock-free"
                                                                         : support::one_line(verdict.name);
    }

    void fault_line(const check::FaultReport& fault) {
        const bool assertion = fault.kind == model::FaultKind::none && fault.in_assertion;
        out_ += support::painted(assertion ? "FAILED" : "FAULT", support::Ink::red, options_.colour) +
                (assertion ? "    " : "     ");
        out_ += heading(fault) + '\n';
    }

    [[nodiscard]] static std::string heading(const check::FaultReport& fault) {
        std::string text = support::one_line(fault.text);
        if (fault.kind != model::FaultKind::none) text = fmt::format("{}: {}", model::to_string(fault.kind), text);
        if (fault.occurrences > 1) text += fmt::format(" ({} times)", support::count_text(fault.occurrences));
        return text;
    }

    [[nodiscard]] std::string at_most() const { return outcome_.statistics.states_exact ? "" : "at most "; }

    // How far the search got.
    void extent() {
        if (outcome_.complete) {
            if (report_.stubborn != "none")
                out_ += "steps that the question does not need were left out (stubborn sets)\n";
            else if (outcome_.verdicts.empty()) out_ += "all reachable states were visited\n";
            return;
        }
        const std::string far = at_most() + counted(outcome_.statistics.states, "state", "states") + " so far";
        const bool is_decided =
            std::all_of(outcome_.verdicts.begin(), outcome_.verdicts.end(),
                        [](const auto& verdict) { return verdict.answer != check::Answer::unknown; });
        if (outcome_.reason == support::StopReason::none && !outcome_.verdicts.empty() && is_decided) {
            out_ += fmt::format("decided on the fly; {}\n", far);
            return;
        }
        if (outcome_.reason == support::StopReason::violation) {
            out_ += fmt::format("{}; {}\n",
                                is_decided ? "decided before all states were visited" : "stopped at a violation", far);
            return;
        }
        const std::string reason = outcome_.reason == support::StopReason::none
                                       ? "the search did not end"
                                       : reason_text(std::string(support::to_string(outcome_.reason)));
        const std::string line = fmt::format("stopped: {}; {}; this is not a full answer", reason, far);
        out_ += support::painted(line, support::Ink::yellow, options_.colour) + '\n';
    }

    // What was not asked for, and matters.
    void remarks() {
        const explore::Statistics& statistics = outcome_.statistics;
        if (report_.figures_of != run::FiguresOf::system) return;
        const bool is_asked = std::any_of(outcome_.verdicts.begin(), outcome_.verdicts.end(),
                                          [](const auto& verdict) { return verdict.logic == "deadlock"; });
        if (report_.task == run::Task::check && statistics.deadlocks > 0 && !is_asked && outcome_.counts_known)
            remark(fmt::format("{} without a step{}; {} not asked about: add --deadlock",
                               counted(statistics.deadlocks, "state is", "states are"),
                               report_.has_proper_ends ? ", proper ends or not" : "",
                               statistics.deadlocks == 1 ? "it was" : "they were"));
        if (outcome_.complete && statistics.transitions == 0 && statistics.states > 0 && outcome_.counts_known)
            remark(fmt::format("nothing moves: {} without a step",
                               statistics.states == 1 ? "the initial state is" : "all initial states are"));
    }
    void remark(const std::string& text) {
        out_ += support::painted("note", support::Ink::yellow, options_.colour) + "      " + text + '\n';
    }

    void verdict_trace(const check::Verdict& verdict) {
        const check::Answer answer = verdict.answer;
        const std::string found = answer == check::Answer::violated ? "is violated" : "is shown to hold";
        const bool shows_tree = verdict.tree && answer != check::Answer::unknown && is_more_than_a_run(verdict);
        if (verdict.trace && answer != check::Answer::unknown && (!shows_tree || is_a_run(verdict))) {
            trace(
                verdict.logic == "deadlock"
                    ? fmt::format("{}: this run ends in a deadlock{}:", shown_name(verdict), guarantee(*verdict.trace))
                    : fmt::format("{} {} by this run{}:", shown_name(verdict), found, guarantee(*verdict.trace)),
                *verdict.trace);
            reasons(verdict);
        } else if (answer == check::Answer::violated && !shows_tree)
            out_ += fmt::format("\n{} is violated; {}\n", shown_name(verdict),
                                verdict.trace_reason.empty() ? "no run was kept that shows it"
                                                             : "no run is shown: " + reason_text(verdict.trace_reason));
    }

    // Below the run of a violation: what blocks each process, or what the condition reads.
    void reasons(const check::Verdict& verdict) {
        const auto i = static_cast<std::size_t>(&verdict - outcome_.verdicts.data());
        if (i >= report_.reasons.size()) return;
        const run::Reasons& found = report_.reasons[i];
        if (!found.values.empty())
            out_ += support::painted(fmt::format("      {} is false here, where {}", support::one_line(verdict.formula),
                                                 support::one_line(found.values)),
                                     support::Ink::red, options_.colour) +
                    '\n';
        if (found.blocked.empty()) return;
        out_ += "\nwhat blocks each process:\n";
        for (const run::BlockedProcess& process : found.blocked) {
            out_ += fmt::format("  {} in {}{}\n", process.process, process.location,
                                process.transitions.empty() ? ": no transition leaves it" : "");
            for (const run::BlockedTransition& transition : process.transitions)
                out_ += fmt::format("    to {}{}: {}\n", transition.to,
                                    transition.line > 0 ? fmt::format(" (line {})", transition.line) : "",
                                    support::one_line(fmt::format("{}", fmt::join(transition.by, "; "))));
        }
    }

    static const char* guarantee(const trace::Trace& trace) {
        return trace.shortest.value_or(true) ? "" : " (there may be a shorter one)";
    }

    // Of branching time: the root of the evidence is a path, which is the verdict's run.
    [[nodiscard]] static bool is_a_run(const check::Verdict& verdict) {
        return verdict.trace && verdict.tree->root.kind == check::ctl::Claim::Kind::path;
    }
    // Whether the tree has anything to say beside the run.
    [[nodiscard]] static bool is_more_than_a_run(const check::Verdict& verdict) {
        return verdict.answer == check::Answer::violated || verdict.tree->root.kind != check::ctl::Claim::Kind::stated;
    }

    void tree(const check::Verdict& verdict) {
        if (!verdict.tree || verdict.answer == check::Answer::unknown || !is_more_than_a_run(verdict)) return;
        out_ += '\n' +
                support::painted(fmt::format("{}, why it {}:", support::one_line(verdict.name),
                                             verdict.answer == check::Answer::holds ? "holds" : "does not hold"),
                                 support::Ink::bold, options_.colour) +
                '\n' + evidence_text(*verdict.tree, options_, report_.model_path, is_a_run(verdict));
    }

    void satisfying(const check::Verdict& verdict) {
        if (verdict.satisfying.empty()) return;
        out_ +=
            '\n' +
            support::painted(fmt::format("{}, states that satisfy its subformulas:", support::one_line(verdict.name)),
                             support::Ink::bold, options_.colour) +
            '\n';
        for (const check::Satisfying& each : verdict.satisfying) {
            out_ += fmt::format("  {:>15}  {}\n", support::count_text(each.states), support::one_line(each.formula));
            for (const std::string& state : each.listed)
                out_ += fmt::format("  {:>15}    {}\n", "", support::one_line(state));
        }
    }

    void fault_trace(const check::FaultReport& fault) {
        if (fault.trace) trace(heading(fault) + ", first by this run" + guarantee(*fault.trace) + ":", *fault.trace);
    }

    // There may be many faults: those without a run are counted by reason.
    void missing_fault_traces() {
        std::map<std::string, std::size_t> missing;
        for (const check::FaultReport& fault : outcome_.faults)
            if (!fault.trace && !fault.trace_reason.empty()) ++missing[fault.trace_reason];
        for (const auto& [reason, count] : missing)
            out_ +=
                fmt::format("\nno run is shown for {}: {}\n", counted(count, "fault", "faults"), reason_text(reason));
    }

    void trace(const std::string& title, const trace::Trace& trace) {
        if (options_.style == trace::TraceStyle::none) return;
        out_ += '\n' + support::painted(title, support::Ink::bold, options_.colour) + '\n';
        flush();
        trace::render(
            trace, options_.style,
            {.utf8 = options_.utf8, .colour = options_.colour, .file = report_.model_path, .width = options_.width},
            sink_, budget_);
    }

    // What the states stand for.
    [[nodiscard]] std::string symmetry_text() const {
        const run::SymmetryReport& symmetry = *report_.symmetry;
        std::string text = symmetry.is_canonical ? "states are classes" : "states are of classes, some perhaps of one";
        if (symmetry.order) text += fmt::format(" of a group of {}", support::count_text(*symmetry.order));
        for (const std::vector<std::string>& one : symmetry.exchangeable)
            text +=
                fmt::format("; exchanged: {}", support::one_line(shortened(fmt::format("{}", fmt::join(one, ", ")))));
        if (symmetry.others > 0) text += fmt::format("; {} further symmetries", symmetry.others);
        if (!symmetry.is_measure_kept) text += "; the measure tells states of one class apart";
        return text;
    }

    void figures() {
        const explore::Statistics& statistics = outcome_.statistics;
        const auto count = [&](std::uint64_t value) {
            return outcome_.counts_known ? support::count_text(value) : "not known";
        };
        out_ += '\n';
        figure("states", (outcome_.counts_known ? at_most() : "") + count(statistics.states) + of_what());
        figure("transitions", count(statistics.transitions));
        const bool suggests = report_.task == run::Task::explore && statistics.deadlocks > 0 && outcome_.counts_known &&
                              report_.figures_of == run::FiguresOf::system && !report_.has_proper_ends;
        figure("deadlocks", count(statistics.deadlocks) + (suggests ? " (check --deadlock shows a run to one)" : ""));
        for (const std::string& definition : report_.definitions) figure("defined", support::one_line(definition));
        if (statistics.faults > 0) figure("faulty steps", support::count_text(statistics.faults));
        if (statistics.depth > 0) figure("depth", support::count_text(statistics.depth));
        if (statistics.sweeps > 0) sweep_figures();
        stacks();
        if (!outcome_.engine.empty()) figure("engine", engine_text());
        if (report_.cut_off)
            figure("cut-off",
                   report_.cut_off->is_exact == true ? std::string("exact: all states behind it were visited")
                   : report_.cut_off->is_exact
                       ? support::count_text(report_.cut_off->unvisited) + " states behind it were not visited"
                       : std::string("not known what lies behind it"));
        if (report_.symmetry) figure("symmetry", symmetry_text());
        for (const check::Verdict& verdict : outcome_.verdicts)
            if (verdict.cycle) figure("cycle", std::string(check::to_string(*verdict.cycle)));
        figure("time", time_text());
        part_of_time("compiling", statistics.compile_seconds);
        part_of_time("measure", report_.measure_seconds);
        figure("memory", memory_text());
        if (report_.ledger_bytes > 0) figure("ledger", support::bytes_text(report_.ledger_bytes));
    }

    [[nodiscard]] std::string of_what() const {
        switch (report_.figures_of) {
            case run::FiguresOf::system: break;
            case run::FiguresOf::product: return " (of the product with the automaton)";
            case run::FiguresOf::searches: return " (of several searches, added up)";
        }
        return "";
    }

    // Of a depth-first search for branching time.
    void stacks() {
        check::BranchingFigures most;
        for (const check::Verdict& verdict : outcome_.verdicts) {
            if (!verdict.branching) continue;
            most.deepest_stack = std::max(most.deepest_stack, verdict.branching->deepest_stack);
            most.deepest_by_components = std::max(most.deepest_by_components, verdict.branching->deepest_by_components);
        }
        if (most.deepest_stack == 0) return;
        figure("stack", counted(most.deepest_stack, "state", "states") +
                            (most.deepest_by_components == 0
                                 ? std::string()
                                 : fmt::format(", {} by components", support::count_text(most.deepest_by_components))));
    }

    void sweep_figures() {
        const explore::Statistics& statistics = outcome_.statistics;
        std::string measure;
        for (const std::string& component : report_.components)
            measure += (measure.empty() ? "" : ", ") + shortened(support::one_line(component));
        const std::string kind =
            report_.monotonic == "proven" ? " (monotonic on the reachable states)"
            : report_.monotonic == "refuted"
                ? fmt::format(" (not monotonic: {})", counted(statistics.regress_edges, "step back", "steps back"))
                : "";
        constexpr std::size_t kBeforeValues = 14;
        constexpr std::size_t kLeast = 20;
        const std::size_t taken = kBeforeValues + support::text_width(kind);
        if (options_.is_terminal)
            measure = support::cut_to_width(measure, options_.width > taken + kLeast ? options_.width - taken : kLeast,
                                            options_.utf8);
        figure("measure", measure + kind);
        figure("layers", fmt::format("{}, the widest with {}", support::count_text(statistics.layers),
                                     counted(statistics.widest_layer, "state", "states")));
        if (statistics.sweeps > 1) {
            figure("sweeps", fmt::format("{}, {} expanded in all", support::count_text(statistics.sweeps),
                                         counted(statistics.expanded, "state", "states")));
            figure("persistent", counted(statistics.persistent, "state", "states"));
        }
        std::string share;
        if (outcome_.counts_known && statistics.states > 0)
            share = fmt::format(" ({:.1f} % of the states)", 100.0 * static_cast<double>(statistics.peak_states) /
                                                                 static_cast<double>(statistics.states));
        figure("peak", counted(statistics.peak_states, "state", "states") + " in memory" + share);
    }

    void figure(const std::string& name, const std::string& value) { out_ += fmt::format("{:<12}  {}\n", name, value); }

    [[nodiscard]] std::string engine_text() const {
        std::string text = outcome_.engine;
        if (outcome_.statistics.threads > 1) text += fmt::format(", {} threads", outcome_.statistics.threads);
        if (!report_.engine_reason.empty()) text += fmt::format(" ({})", report_.engine_reason);
        return text;
    }

    // Of the whole run.
    [[nodiscard]] double seconds() const { return std::max(report_.seconds, outcome_.statistics.seconds); }

    // The rate is that of the search.
    [[nodiscard]] std::string time_text() const {
        const explore::Statistics& statistics = outcome_.statistics;
        if (statistics.seconds < 0.001) return support::duration_text(seconds());
        const std::string rate = support::rate_text(static_cast<double>(statistics.expanded) / statistics.seconds);
        return fmt::format("{} (states: {})", support::duration_text(seconds()), rate);
    }
    // What is not the search itself, where it matters.
    void part_of_time(const std::string& name, double part) {
        constexpr double kMatters = 0.05;
        if (part >= 0.01 && part >= kMatters * seconds()) figure("  " + name, support::duration_text(part));
    }

    [[nodiscard]] std::string memory_text() const {
        const explore::Statistics& statistics = outcome_.statistics;
        std::string text = support::bytes_text(report_.peak_rss_bytes) + " at most";
        std::string each;
        // A sweep's memory is not that of its states alone: layers come and go, and the ledger has buffers.
        if (statistics.peak_states >= kManyStates && report_.peak_rss_bytes > 0 && statistics.sweeps == 0)
            each = fmt::format("{:.1f} bytes per state", static_cast<double>(report_.peak_rss_bytes) /
                                                             static_cast<double>(statistics.peak_states));
        if (statistics.state_bytes > 0)
            each +=
                (each.empty() ? "" : ", ") + fmt::format("{} packed", counted(statistics.state_bytes, "byte", "bytes"));
        return each.empty() ? text : fmt::format("{} ({})", text, each);
    }

    const run::RunReport& report_;
    const check::Outcome& outcome_;
    const SummaryOptions& options_;
    const support::TextSink& sink_;
    const support::Budget& budget_;
    std::string out_;
};

}  // namespace

void write_summary(const run::RunReport& report, const SummaryOptions& options, const support::TextSink& sink,
                   const support::Budget& budget) {
    Summary(report, options, sink, budget).write();
}

void write_answers(const run::RunReport& report, const SummaryOptions& options, const support::TextSink& sink) {
    const support::Budget unlimited;
    Summary(report, options, sink, unlimited).write_answers();
}

std::string summary(const run::RunReport& report, const SummaryOptions& options) {
    std::string text;
    const support::Budget unlimited;
    write_summary(report, options, support::sink_into(text), unlimited);
    return text;
}

std::string expectations(const run::RunReport& report) {
    const std::vector<check::Verdict>& verdicts = report.outcome.verdicts;
    std::size_t width = 0;
    std::size_t different = 0;
    for (const check::Verdict& verdict : verdicts) {
        if (verdict.answer == run::expected_answer(verdict)) continue;
        ++different;
        width = std::max(width, support::text_width(support::one_line(verdict.name)));
    }
    std::string text =
        "\n" + (different == 0 ? fmt::format("{} as expected\n", counted(verdicts.size(), "verdict", "verdicts"))
                               : fmt::format("{} of {} not as expected:\n", support::count_text(different),
                                             counted(verdicts.size(), "verdict", "verdicts")));
    for (const check::Verdict& verdict : verdicts) {
        const check::Answer answer = verdict.answer;
        if (answer == run::expected_answer(verdict)) continue;
        const std::string name = support::one_line(verdict.name);
        text +=
            fmt::format("  {}{}  expected {:<8}  found {}\n", name, std::string(width - support::text_width(name), ' '),
                        check::to_string(run::expected_answer(verdict)), check::to_string(answer));
    }
    return text;
}

}  // namespace tideline::report
