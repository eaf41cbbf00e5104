#include "run/final_verdict.hpp"

namespace tideline::run {

void final_verdicts(Outcome& outcome) {
    for (Verdict& verdict : outcome.verdicts) {
        if (verdict.answer == Answer::holds && !verdict.saw_everything) verdict.answer = Answer::unknown;
        if (verdict.answer == Answer::holds) verdict.reason.clear();
        if (verdict.answer == Answer::unknown && verdict.reason.empty() && outcome.reason != StopReason::none)
            verdict.reason = to_string(outcome.reason);
    }
}

}  // namespace tideline::run
