// While it lives, labels are made within a budget: where it is exhausted, an operation on them throws LimitReached.
#pragma once

#include "automata/budget.hpp"
#include "automata/label.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::automata {

class LabelsWithin {
public:
    LabelsWithin(Labels& labels, const support::Budget& budget) : labels_(labels) {
        labels_.allow(kMostNodes, [&budget] { return budget.is_exhausted(); });
    }
    ~LabelsWithin() { labels_.allow(kMostNodes); }
    LabelsWithin(const LabelsWithin&) = delete;
    LabelsWithin& operator=(const LabelsWithin&) = delete;

private:
    static constexpr std::size_t kMostNodes = 8'000'000;

    Labels& labels_;
};

// What is said where the limit or the budget ended the reading of an automaton.
[[nodiscard]] inline support::Diagnostic reading_ended(const support::SourceText& source, const LimitReached& limit,
                                                       const support::Budget& budget) {
    if (const support::StopReason reason = budget.exhausted(); limit.interrupted && reason != support::StopReason::none)
        return support::diagnostic_of_stop(source.path(), reason, "the automaton was read");
    return support::diagnostic_about(source.path(), "the automaton is too large: " + limit.reason);
}

}  // namespace tideline::automata
