#include "run/merge_outcomes.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace tideline::run {

void MergedOutcome::add(check::Outcome next) {
    if (std::exchange(is_first_, false)) {
        outcome_ = std::move(next);
        return;
    }
    if (next.engine != outcome_.engine) outcome_.engine += ", " + next.engine;
    outcome_.complete = outcome_.complete && next.complete;
    outcome_.counts_known = outcome_.counts_known && next.counts_known;
    // A limit is reported rather than a violation, which the verdict shows.
    if (outcome_.reason == support::StopReason::none || outcome_.reason == support::StopReason::violation)
        outcome_.reason = next.reason == support::StopReason::none ? outcome_.reason : next.reason;
    add(next.statistics);
    for (check::FaultReport& fault : next.faults) add(std::move(fault));
    std::move(next.verdicts.begin(), next.verdicts.end(), std::back_inserter(outcome_.verdicts));
}

void MergedOutcome::add(check::Verdict verdict, support::StopReason reason) {
    undecided_.push_back(std::move(verdict));
    if (undecided_reason_ == support::StopReason::none) undecided_reason_ = reason;
}

check::Outcome MergedOutcome::take(const std::vector<PropertySpec>& properties) {
    if (is_first_) outcome_.engine = to_string(Engine::automatic);
    if (undecided_reason_ != support::StopReason::none) {
        outcome_.complete = false;
        if (outcome_.reason == support::StopReason::none || outcome_.reason == support::StopReason::violation)
            outcome_.reason = undecided_reason_;
    }
    std::move(undecided_.begin(), undecided_.end(), std::back_inserter(outcome_.verdicts));
    // Several assertions of a location have one name, and come in the order of the request.
    std::unordered_map<std::string, std::deque<check::Verdict>> by_name;
    for (check::Verdict& verdict : outcome_.verdicts) by_name[verdict.name].push_back(std::move(verdict));
    outcome_.verdicts.clear();
    for (const PropertySpec& property : properties) {
        std::deque<check::Verdict>& verdicts = by_name[property.name];
        assert(!verdicts.empty() && "every property that is asked for has a verdict");
        check::Verdict& verdict = outcome_.verdicts.emplace_back(std::move(verdicts.front()));
        verdicts.pop_front();
        verdict.expected = property.expected;
    }
    return std::move(outcome_);
}

void MergedOutcome::add(const explore::Statistics& next) {
    explore::Statistics& all = outcome_.statistics;
    all.states += next.states;
    all.transitions += next.transitions;
    all.deadlocks += next.deadlocks;
    all.faults += next.faults;
    all.expanded += next.expanded;
    all.seconds += next.seconds;
    all.compile_seconds += next.compile_seconds;
    all.peak_states = std::max(all.peak_states, next.peak_states);
    all.depth = std::max(all.depth, next.depth);
    all.state_bytes = std::max(all.state_bytes, next.state_bytes);
}

void MergedOutcome::add(check::FaultReport fault) {
    const bool known = std::any_of(
        outcome_.faults.begin(), outcome_.faults.end(),
        [&](const check::FaultReport& other) { return other.kind == fault.kind && other.text == fault.text; });
    if (!known) outcome_.faults.push_back(std::move(fault));
}

}  // namespace tideline::run
