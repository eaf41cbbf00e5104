// Paths of a search with a ledger, which has the parent of every state. The ledger must stay open as long as paths are asked for.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/paths.hpp"

namespace tideline {

[[nodiscard]] inline std::optional<PackedPath> ledger_path(const std::shared_ptr<const System>& system, LedgerWriter& writer,
                                                           const LedgerPackings& packings, std::uint64_t number, const Budget& budget) {
    // From the end to the initial state, which is its own parent.
    std::vector<Parent> steps;
    BudgetPoll poll(budget, 16);
    try {
        for (Parent parent = writer.parent(number); parent.number != number; parent = writer.parent(number)) {
            if (poll.is_exhausted()) return std::nullopt;
            steps.push_back({number, parent.transition});
            number = parent.number;
        }
        steps.push_back({number, 0});
        const std::size_t words = system->state_words();
        if (!budget.allows(steps.size() * (words * sizeof(Word) + sizeof(TransitionId)))) return std::nullopt;
        PackedPath path{system, std::vector<Word>(steps.size() * words), {}};
        path.transitions.reserve(steps.size() - 1);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (poll.is_exhausted()) return std::nullopt;
            const Parent& step = steps[steps.size() - 1 - i];
            const Records records = writer.state(step.number);
            packings.unpack(records.packing, records.bytes.data(), path.states.data() + i * words);
            if (i > 0) path.transitions.push_back(step.transition);
        }
        return path;
    } catch (const LedgerError& error) {
        // States that could not be written cannot be read.
        if (error.kind() != LedgerFault::disk_full && error.kind() != LedgerFault::limit) throw;
        return std::nullopt;
    }
}

class LedgerPaths final : public PathSource {
public:
    LedgerPaths(std::shared_ptr<const System> system, LedgerWriter& writer, LedgerPackings packings)
        : system_(std::move(system)), writer_(&writer), packings_(std::move(packings)) {}

    [[nodiscard]] std::shared_ptr<const System> system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> path_to(std::uint64_t number, const Budget& budget) override {
        return ledger_path(system_, *writer_, packings_, number, budget);
    }

private:
    std::shared_ptr<const System> system_;
    LedgerWriter* writer_;
    LedgerPackings packings_;
};

}  // namespace tideline
