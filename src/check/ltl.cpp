#include "check/ltl.hpp"

#include <algorithm>
#include <utility>

#include "check/ltl/lasso_steps.hpp"

namespace tideline::check {
namespace {

std::vector<model::Value> own_values(const successor::System& system, const successor::Word* state) {
    std::vector<model::Value> values = system.decode(state);
    values.pop_back();
    return values;
}

// Whether the system itself has no step in a state of a product: only the automaton moves, or an atom cannot be
// evaluated.
bool is_stuck(const successor::System& product, const successor::Word* state) {
    const std::vector<model::Value> values = own_values(product, state);
    bool stays = false;
    for (const successor::StepDetail& step : product.steps(state)) {
        if (!step.parts.empty() || !step.label.empty()) return false;
        if (step.fault != model::FaultKind::none) continue;
        if (own_values(product, step.next.data()) != values) return false;
        stays = true;
    }
    return stays;
}

class LtlEvidence final : public Evidence {
public:
    LtlEvidence(const LtlRequest& request, ltl::EmptinessResult found) : request_(request), found_(std::move(found)) {}

    void add_to(Outcome& outcome, const support::Budget& budget) override {
        // What the faults are is reported even where there is no time for runs.
        for (std::size_t i = 0; i < outcome.faults.size() && (i < kMostFaultTraces || !budget.is_exhausted()); ++i) {
            const ltl::MetFault& fault = found_.faults[i];
            if (fault.state.empty()) continue;  // a ledger that could not be written has no states to read
            outcome.faults[i].text = texts_.text(*found_.system, fault.state, fault.transition, fault.kind);
        }
        Verdict& verdict = outcome.verdicts.front();
        if (verdict.answer == Answer::violated) {
            ConfirmedTrace shown = violating_run(budget);
            verdict.trace = std::move(shown.trace);
            verdict.trace_reason = std::move(shown.reason);
        }
        for (std::size_t i = 0; i < outcome.faults.size(); ++i) add_fault(outcome.faults[i], i, budget);
    }

private:
    [[nodiscard]] std::size_t hidden() const { return request_.is_product ? 1 : 0; }

    ConfirmedTrace violating_run(const support::Budget& budget) {
        std::optional<ltl::PackedLasso> run = found_.evidence->accepting_run(budget);
        if (!run) return {std::nullopt, why_missing(budget, "memory")};
        // Where fairness is by components, all who can move on the cycle do.
        const model::Marks moves =
            request_.fairness.moved_marks ? ~model::Marks{0} << *request_.fairness.moved_marks : 0;
        if (request_.names_transitions && run->transitions.empty() &&
            !ltl::choose_steps(*run, request_.marks, moves, budget))
            return {std::nullopt, why_missing(budget, "memory")};
        std::optional<trace::Trace> trace = shown_run(*std::move(run), budget);
        if (!trace) return {std::nullopt, why_missing(budget, "time")};
        ConfirmedTrace shown = confirmed(*std::move(trace), request_.confirm, budget);
        if (shown.trace && request_.is_bad && !request_.is_bad(*shown.trace))
            throw UnconfirmedTrace("the run that was found does not violate " + request_.formula);
        if (!shown.trace || !request_.bad_prefix) return shown;
        std::optional<trace::Trace> prefix = request_.bad_prefix(*shown.trace);
        if (!prefix) return shown;
        ConfirmedTrace ended = confirmed(*std::move(prefix), request_.confirm, budget);
        return ended.trace ? std::move(ended) : std::move(shown);
    }

    // The run of the system. Where it ends in a deadlock, that is shown once, however often the automaton moves there.
    // Nothing where the budget is exhausted.
    std::optional<trace::Trace> shown_run(ltl::PackedLasso run, const support::Budget& budget) const {
        constexpr std::uint32_t kStatesPerLook = 128;
        support::BudgetPoll poll(budget, kStatesPerLook);
        trace::Trace trace = trace::make_trace(run.system, std::move(run.states), hidden());
        trace.loop = run.loop;
        if (request_.names_transitions) trace.transitions = std::move(run.transitions);
        for (std::size_t i = 0; request_.is_product && i < trace.size(); ++i) {
            if (poll.is_exhausted()) return std::nullopt;
            if (!is_stuck(*run.system, trace.state(i))) continue;
            trace.words.resize((i + 1) * run.system->state_words());
            trace.loop = i;
            trace.stays = true;  // and the loop ends here: this is the last state now
        }
        return trace;
    }

    void add_fault(FaultReport& report, std::size_t i, const support::Budget& budget) {
        const ltl::MetFault& fault = found_.faults[i];
        if (i >= kMostFaultTraces) {
            report.trace_reason = kTooManyFaults;
            return;
        }
        std::optional<ltl::PackedRun> path = found_.evidence->path_to_fault(i, budget);
        if (!path) {
            report.trace_reason = why_missing(budget, "memory");
            return;
        }
        trace::Trace trace = trace::make_trace(path->system, std::move(path->states), hidden());
        trace.fault = trace::Trace::FaultyStep{fault.transition, fault.kind};
        ConfirmedTrace shown = confirmed(std::move(trace), request_.confirm, budget);
        report.trace = std::move(shown.trace);
        report.trace_reason = std::move(shown.reason);
    }

    LtlRequest request_;
    ltl::EmptinessResult found_;
    FaultTexts texts_;
};

MeasureError measure_error(const LtlRequest& request, const ltl::EmptinessResult& found) {
    std::vector<successor::Word> path = found.offending->from;
    path.insert(path.end(), found.offending->to.begin(), found.offending->to.end());
    return {found.reason, trace::make_trace(found.system, std::move(path), request.is_product ? 1 : 0),
            found.offending->from_values, found.offending->to_values};
}

FaultReport fault_report(const ltl::MetFault& fault) {
    FaultReport report;
    report.kind = fault.kind;
    report.text = "transition " + std::to_string(fault.transition);  // until there is evidence
    report.occurrences = fault.occurrences;
    return report;
}

}  // namespace

model::Marks accepting_marks(const model::Model& model) {
    if (model.acceptance_sets == 0) return 1;
    return model.acceptance_sets >= 64 ? ~model::Marks{0} : (model::Marks{1} << model.acceptance_sets) - 1;
}

Decision decide_ltl(const LtlRequest& request) {
    ltl::EmptinessResult found =
        ltl::find_accepting_run(request.engine, {request.system, request.marks, request.settings, request.tick,
                                                 request.variant, request.fairness, request.certificate});
    Outcome outcome;
    outcome.engine = ltl::to_string(found.engine.value_or(request.engine));
    outcome.complete = found.complete;
    outcome.counts_known = !found.forgets;
    outcome.reason = found.reason;
    outcome.statistics = found.statistics;
    outcome.resumable = found.resumable;
    for (const ltl::MetFault& fault : found.faults) outcome.faults.push_back(fault_report(fault));

    Verdict verdict;
    verdict.name = request.name;
    verdict.logic = request.logic;
    verdict.formula = request.formula;
    verdict.seconds = found.statistics.seconds;
    verdict.states = found.statistics.states;
    verdict.expanded = found.statistics.expanded;
    verdict.peak_states = found.statistics.peak_states;
    decide(verdict, {.violated = found.reason == support::StopReason::violation,
                     .complete = found.complete,
                     .met_faults = !outcome.faults.empty(),
                     .stopped = found.reason});
    verdict.cycle = found.cycle;
    verdict.residual = found.residual;
    outcome.verdicts.push_back(std::move(verdict));
    if (found.offending) outcome.measure_error = measure_error(request, found);
    return {std::move(outcome), std::make_unique<LtlEvidence>(request, std::move(found))};
}

}  // namespace tideline::check
