#include "report/run_report.hpp"

namespace tideline {

Answer told_answer(const Outcome& outcome, const Verdict& verdict) {
    return verdict.answer == Answer::holds && !outcome.complete && !verdict.saw_everything ? Answer::unknown : verdict.answer;
}

Answer expected_answer(const Verdict& verdict) { return verdict.expected.value_or(Answer::holds); }

std::string told_reason(const Outcome& outcome, const Verdict& verdict) {
    const Answer answer = told_answer(outcome, verdict);
    if (answer == Answer::holds) return {};
    if (!verdict.reason.empty()) return verdict.reason;
    return answer == Answer::violated || outcome.reason == StopReason::none ? std::string() : std::string(to_string(outcome.reason));
}

std::string fault_kind_text(const FaultReport& fault) {
    return fault.kind == FaultKind::none && fault.in_assertion ? "assertion" : std::string(to_string(fault.kind));
}

}  // namespace tideline
