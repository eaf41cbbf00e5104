// tideline progress: the measure that a sweep would use, its known properties, and the alternatives.
#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/run_command.hpp"
#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "progress/explanation.hpp"
#include "report/progress_report.hpp"
#include "run/forecast.hpp"
#include "run/search_for_measure.hpp"
#include "support/memory.hpp"

namespace tideline::cli {
namespace {

std::string transition_text(const model::Model& model, model::TransitionId id) {
    const model::Transition& transition = model.transitions[id];
    std::string text;
    for (const model::Participant& p : transition.participants)
        text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : ", ", model.processes[p.process].name,
                            model.location_name(p.process, p.from), model.location_name(p.process, p.to));
    if (!transition.label.empty()) text += (text.empty() ? "" : " ") + transition.label;
    if (!transition.participants.empty() && transition.participants.front().span.end > 0)
        text += fmt::format(" (line {})", model.source.line_number(transition.participants.front().span.begin));
    return text.empty() ? fmt::format("transition {}", id) : text;
}

report::MeasureReport report_of(const progress::RatedMeasure& rated) {
    report::MeasureReport report;
    const auto states = static_cast<double>(std::max<std::uint64_t>(1, rated.rating.states));
    report.components = rated.measure.components;
    report.monotonic = rated.monotonic;
    report.peak_share = static_cast<double>(rated.rating.peak) / states;
    report.predicted_share = rated.predicted_share;
    report.reread_share = static_cast<double>(rated.rating.reread) / states;
    report.expanded_share = static_cast<double>(rated.rating.expanded) / states;
    report.layers = rated.ranks.count;
    report.passes = rated.rating.passes;
    return report;
}

std::string measure_text(const report::MeasureReport& measure) {
    std::string text;
    for (const std::string& component : measure.components) text += (text.empty() ? "" : ", ") + component;
    return text;
}

}  // namespace

int run(const ProgressCommand& command, const Caller& caller) {
    run::RunSpec spec = command.search.spec;
    const OutputOptions& output = command.search.output;
    spec.task = run::Task::explore;
    if (spec.engine == run::Engine::automatic) spec.engine = run::Engine::sweep;
    const support::Budget budget = budget_for(spec.limits, caller);
    TerminalSink sink(output.quiet);
    run::OrRefusal<run::LoadedInput> loaded = load(spec, caller, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) {
        sink.progress_ended();
        return print(*refusal);
    }
    const auto& input = std::get<run::LoadedInput>(loaded);
    sink.report(input.warnings);
    const model::Model& model = *input.system.names;
    std::optional<progress::Measure> given;
    if (spec.progress.kind == run::ProgressChoice::Kind::given) {
        support::Result<progress::Measure> parsed = progress::parse_measure(model, spec.progress.measure);
        sink.report(parsed.diagnostics());
        if (!parsed) return kWrongInput;
        given = *std::move(parsed);
    }
    report::ProgressReport report;
    {
        // The measure that a sweep would use: a given one, or the system's own.
        const bool has_own = spec.progress.kind == run::ProgressChoice::Kind::automatic && input.system.own_measure;
        const progress::Measure* const chosen = given ? &*given : has_own ? &*input.system.own_measure : nullptr;
        report.projection = spec.progress.kind == run::ProgressChoice::Kind::projection;
        const progress::FoundMeasures found = run::search_for_measures(
            input.system, nullptr, run::sweep_kind(spec), chosen, budget,
            report.projection ? progress::MeasureShape::projection : progress::MeasureShape::any);
        if (budget.is_exhausted()) {
            sink.progress_ended();
            print({support::diagnostic_about(spec.model.path, "stopped before measures were rated",
                                             "an interrupt, or the limit on time or memory")});
            return kUndecided;
        }
        if (chosen != nullptr && !found.measures.empty() && found.measures[0].ranks.count == 0) {
            sink.progress_ended();
            print({support::diagnostic_about(
                given ? "--progress" : spec.model.path,
                "the measure cannot be evaluated in a state that is reached: " +
                    progress::unevaluable_text(found.pilot, model, *chosen),
                "expected a measure without division by zero, indices outside an array and the like")});
            return kWrongInput;
        }
        report.version = TIDELINE_VERSION;
        report.model_path = input.system.path;
        report.ledger = spec.ledger.kind != run::LedgerChoice::Kind::none;
        report.given = given.has_value();
        report.own = !given && chosen != nullptr;
        report.pilot_states = found.pilot.states;
        report.pilot_complete = found.pilot.complete;
        report.certified_transitions = model.transitions.size();
        for (const progress::RatedMeasure& rated : found.measures) report.measures.push_back(report_of(rated));
        if (!found.measures.empty() && found.measures[0].ranks.count > 0) {
            const progress::Ranks& ranks = found.measures[0].ranks;
            report.predicted_layers = progress::layer_sizes(ranks);
            for (const progress::Flow& flow : progress::flows(found.pilot, ranks))
                if (flow.transition < model.transitions.size())
                    report.transitions.push_back(
                        {transition_text(model, flow.transition), flow.forward, flow.level, flow.back});
        }
    }
    spec.temporary_folder = temporary_folder();
    std::optional<run::SweepToTry> sweep;
    if (!report.measures.empty()) {
        const report::MeasureReport& best = report.measures.front();
        sweep = {measure_text(best), report.own, best.predicted_share, best.reread_share};
    }
    support::release_free_memory();
    report.forecast = run::forecast(spec, input, sweep, budget);
    sink.progress_ended();
    int status = kHolds;
    if (command.measure && !report.measures.empty()) {
        run::OrRefusal<run::RunPlan> planned = run::plan(spec, input);
        if (const auto* refusal = std::get_if<run::Refusal>(&planned)) return print(*refusal);
        run::OrRefusal<run::RunReport> result =
            run::execute(std::get<run::RunPlan>(std::move(planned)), input, sink, budget);
        if (const auto* refusal = std::get_if<run::Refusal>(&result)) return print(*refusal);
        const auto& actual = std::get<run::RunReport>(result);
        if (!actual.outcome.complete) status = kUndecided;
        report.actual_states = actual.outcome.statistics.states;
        report.actual_peak = actual.outcome.statistics.peak_states;
        report.actual_layers = actual.layer_sizes;
    }
    if (!output.quiet) {
        std::FILE* out = output.json == "-" ? stderr : stdout;
        std::fputs(
            report::to_text(report, summary_options(output.json == "-" ? STDERR_FILENO : STDOUT_FILENO, output.trace))
                .c_str(),
            out);
    }
    if (output.json == "-") std::fputs(report::to_json(report).c_str(), stdout);
    else if (output.json && !write_file(*output.json, report::to_json(report))) status = kInternalError;
    if (command.svg && !write_file(*command.svg, report::to_svg(report))) status = kInternalError;
    return end_of_output(status);
}

}  // namespace tideline::cli
