// Paths of a breadth-first search in one thread, from its log of discoveries (path_log.hpp): the successors that the
// log names are taken, from an initial state on.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/path_log.hpp"
#include "explore/paths.hpp"

namespace tideline::explore {

// The step that a search has seen at this index among the successors of a state in which some steps sleep.
[[nodiscard]] inline successor::StepDetail step_at(const successor::System& system, const successor::Word* state,
                                                   successor::SleepSet asleep, std::uint64_t index) {
    std::vector<successor::StepDetail> steps = system.steps(state);
    if (const successor::Commuting* commuting = system.commuting())
        std::erase_if(steps, [&](const successor::StepDetail& step) {
            return step.fault == model::FaultKind::none && (commuting->class_of(step.transition) & asleep) != 0;
        });
    return std::move(steps.at(index));
}

[[nodiscard]] inline std::optional<PackedPath> logged_path(const std::shared_ptr<const successor::System>& system,
                                                           const PathLog& log, bool sleeps, std::uint64_t number,
                                                           const support::Budget& budget) {
    const std::optional<PathLog::Path> logged = log.path_to(number, budget);
    if (!logged) return std::nullopt;
    const std::size_t steps = logged->steps.size();
    if (!budget.allows((steps + 1) * (system->state_words() * sizeof(successor::Word) + sizeof(model::TransitionId))))
        return std::nullopt;
    PackedPath path{system, system->initial_states()[logged->root], {}};
    path.states.reserve((steps + 1) * system->state_words());
    path.transitions.reserve(steps);
    successor::SleepSet asleep = 0;  // stays empty where the search had no sleep sets
    support::BudgetPoll poll(budget, 16);
    for (const std::uint64_t index : logged->steps) {
        if (poll.is_exhausted()) return std::nullopt;
        const successor::StepDetail step = step_at(*system, path.state(path.size() - 1), asleep, index);
        if (const successor::Commuting* commuting = sleeps ? system->commuting() : nullptr)
            asleep = commuting->asleep_after(asleep, step.transition);
        path.states.insert(path.states.end(), step.next.begin(), step.next.end());
        path.transitions.push_back(step.transition);
    }
    return path;
}

class LoggedPaths final : public PathSource {
public:
    // `sleeps`: the search had sleep sets, so indices count what was awake.
    LoggedPaths(std::shared_ptr<const successor::System> system, PathLog log, bool sleeps)
        : system_(std::move(system)), log_(std::move(log)), sleeps_(sleeps) {}

    [[nodiscard]] std::shared_ptr<const successor::System> system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> path_to(std::uint64_t number, const support::Budget& budget) override {
        return logged_path(system_, log_, sleeps_, number, budget);
    }

private:
    std::shared_ptr<const successor::System> system_;
    PathLog log_;
    bool sleeps_;
};

}  // namespace tideline::explore
