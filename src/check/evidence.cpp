#include "check/evidence.hpp"

#include <cassert>
#include <utility>

#include "support/grace.hpp"
#include "trace/in_original.hpp"

namespace tideline::check {

Outcome with_evidence(Decision decision, const support::Budget& budget) {
    constexpr std::chrono::milliseconds kGrace{150};
    const support::Budget patient = support::with_grace(budget, kGrace);
    if (decision.evidence) decision.evidence->add_to(decision.outcome, patient);
    return std::move(decision.outcome);
}

ConfirmedTrace confirmed(trace::Trace trace, const trace::Confirm& confirm, const support::Budget& budget) {
    trace = trace::in_original(std::move(trace));
    if (confirm) {
        const trace::Confirmation confirmation = confirm(trace, budget);
        if (confirmation.disagreement) throw UnconfirmedTrace(*confirmation.disagreement);
        if (!confirmation.is_confirmed()) return {std::nullopt, std::string(support::to_string(confirmation.stopped))};
    }
    return {std::move(trace), {}};
}

std::string FaultTexts::text(const successor::System& system, const std::vector<successor::Word>& state,
                             model::TransitionId transition, model::FaultKind kind) {
    if (state != state_) {
        steps_ = system.steps(state.data());
        state_ = state;
    }
    for (const successor::StepDetail& step : steps_)
        if (step.fault == kind && step.transition == transition) return step.fault_text;
    assert(false && "the faulty step is among the steps of its state");
    return {};
}

std::string why_missing(const support::Budget& budget, std::string_view otherwise) {
    const support::StopReason reason = budget.exhausted();
    return std::string(reason == support::StopReason::none ? otherwise : support::to_string(reason));
}

}  // namespace tideline::check
