#include "run/run_report.hpp"

#include <chrono>

#include "support/memory.hpp"

namespace tideline::run {

RunReport unsearched_report(const RunSpec& spec, support::StopReason reason) {
    RunReport report;
    report.version = TIDELINE_VERSION;
    report.task = spec.task;
    report.model_path = spec.model.path;
    report.format = spec.model.language;
    report.definitions = spec.model.definitions;
    report.peak_rss_bytes = support::peak_resident_memory();
    report.outcome.engine = to_string(spec.engine);
    report.outcome.reason = reason;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - spec.started).count();
    if (spec.task == Task::explore) return report;
    for (const PropertySpec& property : spec.properties) {
        check::Verdict& verdict = report.outcome.verdicts.emplace_back();
        verdict.name = property.name;
        verdict.logic = to_string(property.kind);
        verdict.formula = property.shown();
        verdict.expected = property.expected;
        check::decide(verdict, {.stopped = reason});
    }
    return report;
}

check::Answer expected_answer(const check::Verdict& verdict) { return verdict.expected.value_or(check::Answer::holds); }

std::string fault_kind_text(const check::FaultReport& fault) {
    return fault.kind == model::FaultKind::none && fault.in_assertion ? "assertion"
                                                                      : std::string(model::to_string(fault.kind));
}

Conclusion result_of(const RunReport& report) {
    const check::Outcome& outcome = report.outcome;
    bool violated = !outcome.faults.empty();
    // Where there are verdicts they say everything: a search on the fly decides without visiting all states.
    bool undecided = outcome.verdicts.empty() && !outcome.complete && outcome.reason != support::StopReason::violation;
    for (const check::Verdict& verdict : outcome.verdicts) {
        violated = violated || verdict.answer == check::Answer::violated;
        undecided = undecided || verdict.answer == check::Answer::unknown;
    }
    return violated ? Conclusion::violated : undecided ? Conclusion::undecided : Conclusion::holds;
}

Conclusion expected_result_of(const RunReport& report) {
    Conclusion conclusion = Conclusion::holds;
    for (const check::Verdict& verdict : report.outcome.verdicts) {
        if (verdict.answer == expected_answer(verdict)) continue;
        if (verdict.answer != check::Answer::unknown) return Conclusion::violated;
        conclusion = Conclusion::undecided;
    }
    return conclusion;
}

}  // namespace tideline::run
