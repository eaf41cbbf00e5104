#include "run/execution_report.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "model/parse_expression.hpp"
#include "run/reasons.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

FiguresOf figures_of(const Execution& run, std::size_t products) {
    const bool has_branching = std::ranges::any_of(
        run.spec().properties, [](const PropertySpec& property) { return property.is_branching(); });
    if (products > 1 || (products == 1 && (run.plan.searches_states || has_branching))) return FiguresOf::searches;
    const bool explores_product =
        run.spec().task == Task::explore && (run.system.product() != nullptr || run.plan.explores_process);
    return products == 1 || explores_product ? FiguresOf::product : FiguresOf::system;
}

// What can be said about the last states of runs.
std::vector<Reasons> reasons_of(const model::Model& model, const std::vector<check::Verdict>& verdicts) {
    std::vector<Reasons> result(verdicts.size());
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const check::Verdict& verdict = verdicts[i];
        if (verdict.answer != check::Answer::violated || !verdict.trace || verdict.trace->empty()) continue;
        const std::vector<model::Value> values = verdict.trace->values(verdict.trace->size() - 1);
        if (verdict.logic == "deadlock") result[i].blocked = blocked_processes(model, values);
        if (verdict.logic != "invariant" && verdict.logic != "assert") continue;
        const support::Result<model::Expression> condition =
            model::parse_expression(model, support::SourceText(verdict.name, verdict.formula));
        if (condition) result[i].values = values_read(model, *condition, values);
    }
    return result;
}

void describe_sweep(RunReport& report, const Execution& run) {
    const explore::Statistics& statistics = report.outcome.statistics;
    report.progress_source = run.plan.measure_source == MeasureSource::found ? "auto" : "user";
    report.predicted_share = run.plan.predicted_share;
    report.components = run.linear_components.empty() ? run.system.measure().components() : run.linear_components;
    // The steps before a change to the sweep are not known, and those that are left out.
    report.monotonic =
        statistics.regress_edges > 0                                                                       ? "refuted"
        : report.outcome.complete && !statistics.changed_over && run.spec().stubborn == StubbornSets::none ? "proven"
                                                                                                           : "unknown";
}

}  // namespace

RunReport execution_report(const Execution& run, check::Outcome outcome, std::size_t products) {
    RunReport report;
    report.outcome = std::move(outcome);
    report.version = TIDELINE_VERSION;
    report.task = run.spec().task;
    report.figures_of = figures_of(run, products);
    report.has_proper_ends = !run.spec().end_states.empty();
    report.model_path = run.input.system.path;
    report.format = run.model().format;
    report.definitions = run.spec().model.definitions;
    if (report.outcome.statistics.sweeps > 0) describe_sweep(report, run);
    report.reasons = reasons_of(run.model(), report.outcome.verdicts);
    report.engine_reason = run.plan.engine_reason;
    report.cut_off = run.cut_off;
    report.stubborn = to_string(run.spec().stubborn);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - run.spec().started;
    report.seconds = seconds.count() + run.ledger.seconds_before();
    report.measure_seconds = run.measure_seconds;
    report.peak_rss_bytes = support::peak_resident_memory();
    report.ledger_bytes = report.outcome.statistics.ledger_bytes;
    report.resumable = run.ledger.resumable();
    if (run.ledger) report.layer_sizes = run.ledger->layer_sizes();
    return report;
}

}  // namespace tideline::run
