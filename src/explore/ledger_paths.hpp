// Paths of a search with a ledger, which has the parent of every state. The ledger must stay open as long as paths are
// asked for.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/paths.hpp"

namespace tideline::explore {

[[nodiscard]] inline std::optional<PackedPath> ledger_path(const std::shared_ptr<const successor::System>& system,
                                                           ledger::LedgerWriter& writer, const LedgerPackings& packings,
                                                           std::uint64_t number, const support::Budget& budget) {
    // From the end to the initial state, which is its own parent.
    std::vector<ledger::Parent> steps;
    support::BudgetPoll poll(budget, 16);
    try {
        for (ledger::Parent parent = writer.parent(number); parent.number != number; parent = writer.parent(number)) {
            if (poll.is_exhausted()) return std::nullopt;
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
        return path;
    } catch (const ledger::LedgerError& error) {
        // States that could not be written cannot be read.
        if (error.kind() != ledger::LedgerFault::disk_full && error.kind() != ledger::LedgerFault::limit) throw;
        return std::nullopt;
    }
}

class LedgerPaths final : public PathSource {
public:
    LedgerPaths(std::shared_ptr<const successor::System> system, ledger::LedgerWriter& writer, LedgerPackings packings)
        : system_(std::move(system)), writer_(&writer), packings_(std::move(packings)) {}

    [[nodiscard]] std::shared_ptr<const successor::System> system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> path_to(std::uint64_t number, const support::Budget& budget) override {
        return ledger_path(system_, *writer_, packings_, number, budget);
    }

private:
    std::shared_ptr<const successor::System> system_;
    ledger::LedgerWriter* writer_;
    LedgerPackings packings_;
};

}  // namespace tideline::explore
