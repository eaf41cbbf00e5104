// Evidence apart from verdicts. A search decides; what shows its answer (the runs to violations and faults) is computed
// afterwards, within what is left of the budget. It may be absent, with the reason; that never changes an answer.
//
// Nothing is shown that was not confirmed: a run is replayed by independent code first. A refuted run is an internal
// error.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "check/verdict.hpp"
#include "support/budget.hpp"
#include "trace/confirm.hpp"

namespace tideline::check {

// Number of kinds of faulty steps, and of failed assertions of an exploration, that have a trace; the others say so.
inline constexpr std::size_t kMostFaultTraces = 10;
inline constexpr const char* kTooManyFaults = "only the first 10 faults have one";

// Thrown when a trace is refuted: no verdict can be trusted then.
class UnconfirmedTrace : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// What a search has kept for its evidence.
class Evidence {
public:
    virtual ~Evidence() = default;
    // Adds traces, or the reasons why there are none, to the outcome that the search ended with. To be called once.
    // Throws UnconfirmedTrace.
    virtual void add_to(Outcome& outcome, const support::Budget& budget) = 0;
};

struct [[nodiscard]] Decision {
    Outcome outcome;
    std::unique_ptr<Evidence> evidence;
};

// The outcome with its evidence. Where the time is up, or an interrupt has come, a short while remains for short runs
// (support/grace.hpp). Throws UnconfirmedTrace.
Outcome with_evidence(Decision decision, const support::Budget& budget);

// A trace that may be shown, or the reason why there is none.
struct ConfirmedTrace {
    std::optional<trace::Trace> trace;
    std::string reason;
};
// Throws UnconfirmedTrace. Without a confirmer, traces are taken as they are.
ConfirmedTrace confirmed(trace::Trace trace, const trace::Confirm& confirm, const support::Budget& budget);

// What the faulty steps of states say. Faults come in the order of their occurrence, often several of one state.
class FaultTexts {
public:
    // The system must be the same in all calls.
    std::string text(const successor::System& system, const std::vector<successor::Word>& state,
                     model::TransitionId transition, model::FaultKind kind);

private:
    std::vector<successor::Word> state_;
    std::vector<successor::StepDetail> steps_;  // of the state
};

// Why something was not computed: the budget's reason or else `otherwise`.
std::string why_missing(const support::Budget& budget, std::string_view otherwise);

}  // namespace tideline::check
