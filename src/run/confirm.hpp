// The last word on a trace before it is shown: reference/ walks it (trace/confirm.hpp), then its last state is looked
// at. It must violate what the trace is to show: the invariant is false there, or cannot be evaluated for the reason
// that is given, by the audit's expressions; the assertion fails by reference/; a deadlock has no step by reference/.
// The atom that cannot be evaluated, where that is what the trace shows, is evaluated in the same way.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "audit/expression.hpp"
#include "reference/machine.hpp"
#include "trace/confirm.hpp"

namespace tideline::run {

// Nothing where the formula is false for these values or, with a fault, cannot be evaluated for this reason; otherwise
// what is wrong. Objects (audit/error.hpp) where the formula cannot be understood.
[[nodiscard]] std::optional<std::string> refute_violation(audit::Formulas& formulas, const std::string& formula,
                                                          const reference::State& values, model::FaultKind fault);

// The same for whatever the last state of a trace of a system written in C++ is to show; `deadlock`: it may be one.
[[nodiscard]] std::optional<std::string> refute_last_state(audit::Formulas& formulas, const trace::Trace& trace,
                                                           bool deadlock);

// The truth of an atom for these values; nothing where it cannot be evaluated, or is not understood.
[[nodiscard]] std::optional<bool> truth_of(audit::Formulas& formulas, const std::string& atom,
                                           const reference::State& values);

class ModelConfirmer {
public:
    explicit ModelConfirmer(std::unique_ptr<const reference::Machine> machine);

    [[nodiscard]] trace::Confirmation confirm(const trace::Trace& trace, const support::Budget& budget);
    // The processes that have a step in state i of a trace, each as often as it has one.
    [[nodiscard]] std::vector<std::string> enabled_at(const trace::Trace& trace, std::size_t i) const;
    // The truth of an atom in state i of a trace; nothing where it cannot be evaluated there, or is not understood.
    [[nodiscard]] std::optional<bool> evaluate(const std::string& atom, const trace::Trace& trace, std::size_t i);

private:
    // The formula is read by expression.hpp or, where that does not know a name, by the machine.
    [[nodiscard]] std::optional<std::string> refute(const std::string& formula, const reference::State& state,
                                                    model::FaultKind fault);
    [[nodiscard]] std::optional<std::string> refute(const trace::ShownViolation& violation,
                                                    const reference::State& state);

    std::unique_ptr<const reference::Machine> machine_;
    audit::Formulas formulas_;
};

}  // namespace tideline::run
