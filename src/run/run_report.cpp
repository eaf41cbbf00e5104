#include "run/run_report.hpp"

namespace tideline::run {

Answer expected_answer(const Verdict& verdict) { return verdict.expected.value_or(Answer::holds); }

std::string fault_kind_text(const FaultReport& fault) {
    return fault.kind == FaultKind::none && fault.in_assertion ? "assertion" : std::string(to_string(fault.kind));
}

Conclusion result_of(const RunReport& report) {
    const Outcome& outcome = report.outcome;
    bool violated = !outcome.faults.empty();
    bool undecided = !outcome.complete && outcome.reason != StopReason::violation;
    for (const Verdict& verdict : outcome.verdicts) {
        violated = violated || verdict.answer == Answer::violated;
        undecided = undecided || verdict.answer == Answer::unknown;
    }
    return violated ? Conclusion::violated : undecided ? Conclusion::undecided : Conclusion::holds;
}

Conclusion expected_result_of(const RunReport& report) {
    Conclusion conclusion = Conclusion::holds;
    for (const Verdict& verdict : report.outcome.verdicts) {
        if (verdict.answer == expected_answer(verdict)) continue;
        if (verdict.answer != Answer::unknown) return Conclusion::violated;
        conclusion = Conclusion::undecided;
    }
    return conclusion;
}

}  // namespace tideline::run
