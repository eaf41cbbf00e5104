// Several searches as one outcome: figures add up, except for what was the most at one time.
#pragma once

#include <vector>

#include "check/verdict.hpp"
#include "run/spec.hpp"

namespace tideline::run {

class MergedOutcome {
public:
    void add(Outcome next);
    // A property that no search was made for; `reason` where a limit is the cause.
    void add(Verdict verdict, StopReason reason);
    // With one verdict per property, in their order.
    [[nodiscard]] Outcome take(const std::vector<PropertySpec>& properties);

private:
    void add(const Statistics& next);
    void add(FaultReport fault);

    Outcome outcome_;
    std::vector<Verdict> undecided_;
    StopReason undecided_reason_ = StopReason::none;
    bool is_first_ = true;
};

}  // namespace tideline::run
