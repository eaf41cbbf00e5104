#include "run/confirm.hpp"

#include <fmt/format.h>

#include "audit/audited_system.hpp"
#include "automata/system_product.hpp"
#include "support/diagnostic.hpp"

namespace tideline::run {
namespace {

std::string described(model::FaultKind fault) {
    return fault == model::FaultKind::none ? std::string("is false")
                                           : fmt::format("cannot be evaluated ({})", model::to_string(fault));
}

std::string differs(const std::string& what, const std::string& formula, model::FaultKind expected,
                    const std::string& actual) {
    return fmt::format("the {} {} is said to be one that {} in the last state, but it {}", what,
                       support::in_quotes(formula), described(expected), actual);
}

// Nothing where the answer is the one that is claimed.
std::optional<std::string> refute_answer(const std::string& formula, const reference::Answer& answer,
                                         model::FaultKind fault) {
    const bool is_true = answer.fault == model::FaultKind::none && answer.value != 0;
    if (!is_true && answer.fault == fault) return std::nullopt;
    return differs("formula", formula, fault, is_true ? "holds there" : described(answer.fault));
}

constexpr const char* kNoDeadlock = "the last state is said to be a deadlock, but it has a step";

}  // namespace

std::optional<std::string> refute_violation(audit::Formulas& formulas, const std::string& formula,
                                            const reference::State& values, model::FaultKind fault) {
    formulas.prepare(formula, "formula");
    return refute_answer(formula, formulas.evaluate(formula, values), fault);
}

std::optional<std::string> refute_last_state(audit::Formulas& formulas, const trace::Trace& trace, bool deadlock) try {
    const auto refute = [&](const std::string& formula, model::FaultKind fault) {
        return refute_violation(formulas, formula, trace.values(trace.size() - 1), fault);
    };
    if (trace.violation) {
        switch (trace.violation->kind) {
            case trace::ShownViolation::Kind::invariant:
                return refute(trace.violation->formula, trace.violation->fault);
            case trace::ShownViolation::Kind::assertion: return "a system written in C++ has no assertions";
            case trace::ShownViolation::Kind::deadlock:
                return deadlock ? std::nullopt : std::optional<std::string>(kNoDeadlock);
            case trace::ShownViolation::Kind::formula: return std::nullopt;  // by its word (linear_product.hpp)
        }
    }
    if (!trace.fault) return std::nullopt;
    const trace::TraceFault fault = trace.fault_step();
    return refute(automata::unevaluated_atom(fault.text).value_or(fault.text), fault.kind);
} catch (const audit::Objection& objection) {
    return objection.what();
}

std::optional<bool> truth_of(audit::Formulas& formulas, const std::string& atom, const reference::State& values) try {
    formulas.prepare(atom, "formula");
    const reference::Answer answer = formulas.evaluate(atom, values);
    if (answer.fault != model::FaultKind::none) return std::nullopt;
    return answer.value != 0;
} catch (const audit::Objection&) {
    return std::nullopt;
}

std::optional<bool> ModelConfirmer::evaluate(const std::string& atom, const trace::Trace& trace, std::size_t i) {
    const std::optional<reference::State> state = trace::state_of(trace, i, *machine_);
    if (!state) return std::nullopt;
    if (const std::optional<bool> truth = truth_of(formulas_, atom, *state)) return truth;
    return trace::evaluate(atom, trace, i, *machine_);
}

ModelConfirmer::ModelConfirmer(std::unique_ptr<const reference::Machine> machine)
    : machine_(std::move(machine)), formulas_(audit::Vocabulary(*machine_)) {}

std::vector<std::string> ModelConfirmer::enabled_at(const trace::Trace& trace, std::size_t i) const {
    std::vector<std::string> processes;
    if (const std::optional<reference::State> state = trace::state_of(trace, i, *machine_))
        for (const reference::Step& step : machine_->steps(*state))
            for (const reference::Participant& participant : step.participants)
                processes.push_back(participant.process);
    return processes;
}

trace::Confirmation ModelConfirmer::confirm(const trace::Trace& trace, const support::Budget& budget) {
    trace::Confirmation walked = trace::confirm(trace, *machine_, budget);
    if (!walked.is_confirmed()) return walked;
    if (trace.violation) walked.disagreement = refute(*trace.violation, trace::last_state(trace, *machine_));
    if (trace.fault && !walked.disagreement) {
        const trace::TraceFault fault = trace.fault_step();
        if (fault.step.is_empty())
            walked.disagreement = refute(automata::unevaluated_atom(fault.text).value_or(fault.text),
                                         trace::last_state(trace, *machine_), fault.kind);
    }
    return walked;
}

std::optional<std::string> ModelConfirmer::refute(const std::string& formula, const reference::State& state,
                                                  model::FaultKind fault) {
    try {
        return refute_violation(formulas_, formula, state, fault);
    } catch (const audit::Objection& objection) {
        const support::Result<reference::Answer> answer = machine_->evaluate(formula, state);
        if (!answer) return objection.what();
        return refute_answer(formula, *answer, fault);
    }
}

std::optional<std::string> ModelConfirmer::refute(const trace::ShownViolation& violation,
                                                  const reference::State& state) {
    switch (violation.kind) {
        case trace::ShownViolation::Kind::invariant: return refute(violation.formula, state, violation.fault);
        case trace::ShownViolation::Kind::assertion: {
            const std::vector<reference::Machine::Assertion> assertions = machine_->assertions();
            for (const reference::Machine::FailedAssertion& failed : machine_->failed_assertions(state))
                if (audit::is_meant(assertions.at(failed.index), violation.name, violation.formula) &&
                    failed.fault == violation.fault)
                    return std::nullopt;
            return differs("assertion", violation.formula, violation.fault, "does not fail so");
        }
        case trace::ShownViolation::Kind::deadlock:
            if (machine_->steps(state).empty()) return std::nullopt;
            return kNoDeadlock;
        case trace::ShownViolation::Kind::formula: break;  // by its word (linear_product.hpp)
    }
    return std::nullopt;
}

}  // namespace tideline::run
