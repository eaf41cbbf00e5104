// While it lives, labels are made within a budget: where it is exhausted, an operation on them throws LimitReached.
#pragma once

#include "automata/label.hpp"
#include "support/budget.hpp"

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

}  // namespace tideline::automata
