// Several searches as one outcome: figures add up, except peaks.
#pragma once

#include <vector>

#include "check/verdict.hpp"
#include "run/spec.hpp"

namespace tideline::run {

class MergedOutcome {
public:
    void add(check::Outcome next);
    // A property that no search was made for; `reason` where a limit is the cause.
    void add(check::Verdict verdict, support::StopReason reason);
    // With one verdict per property, in their order.
    [[nodiscard]] check::Outcome take(const std::vector<PropertySpec>& properties);

private:
    void add(const explore::Statistics& next);
    void add(check::FaultReport fault);

    check::Outcome outcome_;
    std::vector<check::Verdict> undecided_;
    support::StopReason undecided_reason_ = support::StopReason::none;
    bool is_first_ = true;
};

}  // namespace tideline::run
