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
    // `kept` owns what the finder refers to; it may be null. `shorter`: the finder goes among known states only.
    EvidenceBySearch(std::unique_ptr<LassoFinder> finder, const std::vector<MetFault>& faults,
                     std::optional<CycleHint> hint, std::shared_ptr<const void> kept,
                     std::optional<ShorterRun> shorter = std::nullopt)
        : kept_(std::move(kept)), finder_(std::move(finder)), hint_(std::move(hint)), shorter_(shorter) {
        for (const MetFault& fault : faults) faults_.push_back(fault.state);
    }

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        assert(hint_ && "only where one was found");
        std::optional<PackedLasso> run = finder_->through(hint_->state, budget, hint_->layer);
        if (run && shorter_) run = shortened(*std::move(run), *shorter_, budget);
        return run;
    }
    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        return finder_->path_to(faults_[i], budget);
    }

private:
    std::shared_ptr<const void> kept_;
    std::unique_ptr<LassoFinder> finder_;
    std::optional<CycleHint> hint_;
    std::optional<ShorterRun> shorter_;
    std::vector<std::vector<successor::Word>> faults_;
};

// What a search has found that keeps its states in a numbered table and knows a state on an accepting cycle: it has
// run(), states(), is_expanded(number) and cycle_state(), nothing where there is no cycle.
template <class Search>
EmptinessResult result_of_search(const EmptinessTask& task, const std::shared_ptr<Search>& search) {
    EmptinessResult result = search->run();
    auto finder = std::make_unique<LassoFinder>(
        result.system, task.marks, search->states(),
        [kept = search.get()](store::NumberedTable::Number state) { return kept->is_expanded(state); });
    std::optional<CycleHint> hint;
    if (const std::optional<store::NumberedTable::Number> state = search->cycle_state()) {
        hint.emplace(CycleHint{std::vector<successor::Word>(result.system->state_words()), std::nullopt});
        search->states().read(*state, hint->state.data());
    }
    result.evidence = std::make_unique<EvidenceBySearch>(std::move(finder), result.faults, std::move(hint), search,
                                                         ShorterRun{task.marks, result.statistics.expanded});
    return result;
}

}  // namespace tideline::check::ltl
