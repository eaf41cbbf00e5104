#include "check/layer_branching.hpp"

#include "check/branching_evidence.hpp"
#include "check/ctl/layer_components.hpp"

namespace tideline::check {
namespace {

FaultReport fault_report(const ctl::LayerComponents::Fault& fault, const successor::System& system) {
    FaultReport report;
    report.kind = fault.kind;
    report.occurrences = 1;
    FaultTexts texts;
    report.text = texts.text(system, fault.state, *fault.transition, fault.kind);
    report.trace_reason = "the sweep forgets the states behind it";
    return report;
}

MeasureError measure_error(const ctl::LayerComponents& layers) {
    const explore::OffendingStep& step = *layers.offending();
    std::vector<successor::Word> path = step.from;
    path.insert(path.end(), step.to.begin(), step.to.end());
    return {layers.is_key_undefined() ? support::StopReason::no_key : support::StopReason::against_order,
            trace::make_trace(layers.system(), std::move(path)), step.from_values, step.to_values};
}

}  // namespace

Outcome decide_by_layers(const BranchingRequest& request) {
    std::vector<ctl::LayerProperty> properties;
    for (const ctl::NodeId root : request.program->roots)
        properties.push_back({root, ctl::recurrence_of(*request.program, root).value()});
    ctl::LayerComponents layers(request.system, *request.program, std::move(properties), request.settings,
                                request.tick);
    Outcome outcome;
    outcome.engine = "scc-ctl";
    try {
        layers.run();
    } catch (const ctl::Stopped& stopped) {
        outcome.reason = stopped.reason;
    } catch (const std::bad_alloc&) {
        outcome.reason = support::StopReason::memory;
    } catch (const ledger::LedgerError& error) {
        if (error.kind() != ledger::LedgerFault::disk_full && error.kind() != ledger::LedgerFault::limit) throw;
        outcome.reason = support::StopReason::disk;
    }
    outcome.statistics = layers.statistics();
    outcome.complete = layers.is_complete();
    if (layers.offending()) {
        outcome.measure_error = measure_error(layers);
        outcome.reason = outcome.measure_error->kind;
    }
    const std::optional<ctl::LayerComponents::Fault>& fault = layers.fault();
    if (fault && fault->transition) outcome.faults.push_back(fault_report(*fault, *layers.system()));
    bool all_violated = true;
    for (std::size_t p = 0; p < request.properties.size(); ++p) {
        Verdict verdict = verdict_of(request, p, outcome.statistics);
        const bool is_violated = layers.violations()[p].has_value() && !outcome.measure_error;
        decide(verdict, {.violated = is_violated,
                         .complete = layers.is_complete(),
                         .met_faults = fault.has_value(),
                         .stopped = outcome.reason});
        if (!is_violated && fault && fault->atom)
            verdict.reason = "'" + request.program->atoms[*fault->atom] + "' cannot be evaluated in a reachable state";
        BranchingFigures figures;
        figures.operations = request.properties.size();
        figures.edges = outcome.statistics.transitions;
        figures.edge_visits = layers.edge_visits();
        verdict.branching = figures;
        all_violated = all_violated && is_violated;
        outcome.verdicts.push_back(std::move(verdict));
    }
    if (all_violated && !outcome.complete && outcome.reason == support::StopReason::none)
        outcome.reason = support::StopReason::violation;
    return outcome;
}

}  // namespace tideline::check
