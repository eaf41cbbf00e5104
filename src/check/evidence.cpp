#include "check/evidence.hpp"

#include <cassert>
#include <utility>

#include "support/grace.hpp"

namespace tideline {

Outcome with_evidence(Decision decision, const Budget& budget) {
    constexpr std::chrono::milliseconds kGrace{150};
    const Budget patient = with_grace(budget, kGrace);
    if (decision.evidence) decision.evidence->add_to(decision.outcome, patient);
    return std::move(decision.outcome);
}

ConfirmedTrace confirmed(Trace trace, const Confirm& confirm, const Budget& budget) {
    if (confirm) {
        const Confirmation confirmation = confirm(trace, budget);
        if (confirmation.disagreement) throw UnconfirmedTrace(*confirmation.disagreement);
        if (!confirmation.is_confirmed()) return {std::nullopt, std::string(to_string(confirmation.stopped))};
    }
    return {std::move(trace), {}};
}

std::string FaultTexts::text(const System& system, const std::vector<Word>& state, TransitionId transition, FaultKind kind) {
    if (state != state_) {
        steps_ = system.steps(state.data());
        state_ = state;
    }
    for (const StepDetail& step : steps_)
        if (step.fault == kind && step.transition == transition) return step.fault_text;
    assert(false && "the faulty step is among the steps of its state");
    return {};
}

std::string why_missing(const Budget& budget, std::string_view otherwise) {
    const StopReason reason = budget.exhausted();
    return std::string(reason == StopReason::none ? otherwise : to_string(reason));
}

}  // namespace tideline
