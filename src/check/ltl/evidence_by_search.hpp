// The evidence of an engine that knows a state on an accepting cycle: everything else is found again.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "check/ltl/lasso.hpp"

namespace tideline::check::ltl {

// A state on an accepting cycle; `layer`: of a cycle all of whose states have this progress.
struct CycleHint {
    std::vector<successor::Word> state;
    std::optional<successor::Key> layer{};
};

class EvidenceBySearch final : public EmptinessEvidence {
public:
    // `kept` owns what the finder refers to; it may be null.
    EvidenceBySearch(std::unique_ptr<LassoFinder> finder, const std::vector<MetFault>& faults,
                     std::optional<CycleHint> hint, std::shared_ptr<const void> kept)
        : kept_(std::move(kept)), finder_(std::move(finder)), hint_(std::move(hint)) {
        for (const MetFault& fault : faults) faults_.push_back(fault.state);
    }

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        assert(hint_ && "only where one was found");
        return finder_->through(hint_->state, budget, hint_->layer);
    }
    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        return finder_->path_to(faults_[i], budget);
    }

private:
    std::shared_ptr<const void> kept_;
    std::unique_ptr<LassoFinder> finder_;
    std::optional<CycleHint> hint_;
    std::vector<std::vector<successor::Word>> faults_;
};

}  // namespace tideline::check::ltl
