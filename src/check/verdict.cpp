#include "check/verdict.hpp"

namespace tideline::check {

void decide(Verdict& verdict, const PropertyFinding& finding) {
    verdict.answer = Answer::unknown;
    verdict.reason.clear();
    if (finding.violated) {
        verdict.answer = Answer::violated;
        verdict.reason = finding.note;
    } else if (!finding.complete) {
        verdict.reason = support::to_string(finding.stopped);
    } else if (finding.met_faults) {
        verdict.reason = "fault";
    } else {
        verdict.answer = Answer::holds;
    }
}

}  // namespace tideline::check
