#include "check/ltl.hpp"

#include <algorithm>

#include "check/couvreur.hpp"
#include "trace/rebuild.hpp"

namespace tideline {
namespace {

std::vector<Value> own_values(const System& system, const std::vector<Word>& state) {
    std::vector<Value> values = system.decode(state.data());
    values.pop_back();
    return values;
}

// Whether the system itself has no step in a state of a product: only the automaton moves, or an atom cannot be evaluated.
bool is_stuck(const System& product, const std::vector<Word>& state) {
    const std::vector<Value> values = own_values(product, state);
    bool stays = false;
    for (const StepDetail& step : product.steps(state.data())) {
        if (!step.parts.empty() || !step.label.empty()) return false;
        if (step.fault != FaultKind::none) continue;
        if (own_values(product, step.next) != values) return false;
        stays = true;
    }
    return stays;
}

void hide_automaton(Trace& trace) {
    trace.names.pop_back();
    for (TraceState& state : trace.states) {
        state.values.pop_back();
        state.texts.pop_back();
    }
}

// The run of the system. Where it ends in a deadlock, that is shown once, however often the automaton moves there.
Trace shown_run(const LtlRequest& request, const System& system, PackedLasso run) {
    if (!request.is_product) return rebuild_lasso(system, run.states, run.loop);
    const auto stuck =
        std::find_if(run.states.begin(), run.states.end(), [&](const std::vector<Word>& state) { return is_stuck(system, state); });
    Trace trace;
    if (stuck == run.states.end()) {
        trace = rebuild_lasso(system, run.states, run.loop);
    } else {
        run.states.erase(stuck + 1, run.states.end());
        trace = rebuild_trace(system, run.states);
        trace.steps.emplace_back();
        trace.loop = run.states.size() - 1;
    }
    hide_automaton(trace);
    return trace;
}

void confirm(const LtlRequest& request, const Trace& trace) {
    if (!request.confirm) return;
    if (const std::optional<std::string> disagreement = request.confirm(trace)) throw UnconfirmedTrace(*disagreement);
}

FaultReport fault_report(const LtlRequest& request, const System& system, const MetFault& fault) {
    FaultReport report;
    report.kind = fault.kind;
    report.text = fault_text(system, fault.path.back(), fault.transition, fault.kind);
    report.occurrences = fault.occurrences;
    Trace trace = rebuild_trace(system, fault.path);
    append_fault(trace, system, fault.path.back(), fault.transition, fault.kind);
    if (request.is_product) hide_automaton(trace);
    // That an atom cannot be evaluated is no step of the system: the run up to there can be walked.
    const bool is_step = !trace.fault->step.parts.empty() || !trace.fault->step.label.empty();
    Trace walked = trace;
    if (!is_step) walked.fault.reset();
    confirm(request, walked);
    report.trace = std::move(trace);
    return report;
}

}  // namespace

Marks accepting_marks(const Model& model) {
    if (model.acceptance_sets == 0) return 1;
    return model.acceptance_sets >= 64 ? ~Marks{0} : (Marks{1} << model.acceptance_sets) - 1;
}

Outcome decide_ltl(const LtlRequest& request) {
    EmptinessResult found = find_accepting_run(request.system, request.marks, request.settings, request.tick);
    Outcome outcome;
    outcome.engine = "couvreur";
    outcome.complete = found.complete;
    outcome.reason = found.reason;
    outcome.statistics = found.statistics;
    for (const MetFault& fault : found.faults) outcome.faults.push_back(fault_report(request, *found.system, fault));

    Verdict verdict;
    verdict.name = request.name;
    verdict.logic = request.logic;
    verdict.formula = request.formula;
    verdict.seconds = found.statistics.seconds;
    verdict.states = found.statistics.states;
    verdict.expanded = found.statistics.expanded;
    verdict.peak_states = found.statistics.peak_states;
    if (found.run) {
        Trace trace = shown_run(request, *found.system, *std::move(found.run));
        confirm(request, trace);
        if (request.is_bad && !request.is_bad(trace)) throw UnconfirmedTrace("the run that was found does not violate " + request.formula);
        verdict.answer = Answer::violated;
        verdict.trace = std::move(trace);
    } else if (!found.complete) {
        verdict.reason = to_string(found.reason);
    } else if (!outcome.faults.empty()) {
        verdict.reason = "fault";
    } else {
        verdict.answer = Answer::holds;
        verdict.saw_everything = true;
    }
    outcome.verdicts.push_back(std::move(verdict));
    return outcome;
}

}  // namespace tideline
