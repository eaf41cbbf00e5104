// Paths of a search with a ledger, which has the parent of every state but of those that were discovered before a
// search changed over (change_over.hpp): the path to such a state is looked for breadth-first. The ledger must stay
// open as long as paths are asked for.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/path_to_state.hpp"
#include "explore/paths.hpp"

namespace tideline::explore {

// A path that begins anywhere, behind a shortest one that leads there from an initial state.
[[nodiscard]] inline std::optional<PackedPath> rooted(PackedPath path, const support::Budget& budget) {
    const std::vector<successor::Word> first(path.state(0), path.state(0) + path.words());
    std::optional<PackedPath> whole = path_to_state(path.system, first, budget);
    if (!whole) return std::nullopt;
    whole->states.insert(whole->states.end(), path.states.begin() + static_cast<std::ptrdiff_t>(path.words()),
                         path.states.end());
    whole->transitions.insert(whole->transitions.end(), path.transitions.begin(), path.transitions.end());
    return whole;
}

[[nodiscard]] inline std::optional<PackedPath> ledger_path(const std::shared_ptr<const successor::System>& system,
                                                           ledger::LedgerWriter& writer, const LedgerPackings& packings,
                                                           std::uint64_t number, const support::Budget& budget) {
    // From the end to the initial state, which is its own parent, or to one whose parent is not known.
    std::vector<ledger::Parent> steps;
    bool is_rooted = true;
    support::BudgetPoll poll(budget, 16);
    try {
        for (ledger::Parent parent = writer.parent(number); parent.number != number; parent = writer.parent(number)) {
            if (poll.is_exhausted()) return std::nullopt;
            is_rooted = parent.number != ledger::kUnknownParent;
            if (!is_rooted) break;
            steps.push_back({number, parent.transition});
            number = parent.number;
        }
        steps.push_back({number, 0});
        const std::size_t words = system->state_words();
        if (!budget.allows(steps.size() * (words * sizeof(successor::Word) + sizeof(model::TransitionId))))
            return std::nullopt;
        PackedPath path{system, std::vector<successor::Word>(steps.size() * words), {}};
        path.transitions.reserve(steps.size() - 1);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (poll.is_exhausted()) return std::nullopt;
            const ledger::Parent& step = steps[steps.size() - 1 - i];
            const ledger::Records records = writer.state(step.number);
            packings.unpack(records.packing, records.bytes.data(), path.states.data() + i * words);
            if (i > 0) path.transitions.push_back(step.transition);
        }
        if (!is_rooted) return rooted(std::move(path), budget);
        return path;
    } catch (const ledger::LedgerError& error) {
        // States that could not be written cannot be read.
        if (error.kind() != ledger::LedgerFault::disk_full && error.kind() != ledger::LedgerFault::limit) throw;
        return std::nullopt;
    }
}

class LedgerPaths final : public PathSource {
public:
    // `early_states`: SavedSearch::early_states.
    LedgerPaths(std::shared_ptr<const successor::System> system, ledger::LedgerWriter& writer, LedgerPackings packings,
                std::vector<std::vector<std::uint8_t>> early_states)
        : system_(std::move(system)),
          writer_(&writer),
          packings_(std::move(packings)),
          early_states_(std::move(early_states)) {}

    [[nodiscard]] std::shared_ptr<const successor::System> system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> path_to(std::uint64_t number, const support::Budget& budget) override {
        if (number < kFirstEarlyState) return ledger_path(system_, *writer_, packings_, number, budget);
        std::vector<successor::Word> state(system_->state_words());
        packings_.unpack(0, early_states_.at(number - kFirstEarlyState).data(), state.data());
        return path_to_state(system_, state, budget);
    }

private:
    std::shared_ptr<const successor::System> system_;
    ledger::LedgerWriter* writer_;
    LedgerPackings packings_;
    std::vector<std::vector<std::uint8_t>> early_states_;
};

}  // namespace tideline::explore
