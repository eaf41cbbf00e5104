// Paths of a breadth-first search in one thread, from its log of discoveries (path_log.hpp): the successors that the log names are taken, from
// the initial state on.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/path_log.hpp"
#include "explore/paths.hpp"

namespace tideline {

// The step that a search has seen at this place among the successors of a state in which some steps sleep.
[[nodiscard]] inline StepDetail step_at(const System& system, const Word* state, SleepSet asleep, std::uint64_t place) {
    std::vector<StepDetail> steps = system.steps(state);
    if (const Commuting* commuting = system.commuting())
        std::erase_if(steps, [&](const StepDetail& step) {
            return step.fault == FaultKind::none && (commuting->class_of(step.transition) & asleep) != 0;
        });
    return std::move(steps.at(place));
}

[[nodiscard]] inline std::optional<PackedPath> logged_path(const std::shared_ptr<const System>& system, const PathLog& log,
                                                           std::uint64_t number, const Budget& budget) {
    const std::optional<std::vector<std::uint64_t>> way = log.way_to(number, budget);
    if (!way || !budget.allows((way->size() + 1) * (system->state_words() * sizeof(Word) + sizeof(TransitionId)))) return std::nullopt;
    PackedPath path{system, system->initial_state(), {}};
    path.states.reserve((way->size() + 1) * system->state_words());
    path.transitions.reserve(way->size());
    SleepSet asleep = 0;
    BudgetPoll poll(budget, 16);
    for (const std::uint64_t place : *way) {
        if (poll.is_exhausted()) return std::nullopt;
        const StepDetail step = step_at(*system, path.state(path.size() - 1), asleep, place);
        if (const Commuting* commuting = system->commuting()) asleep = commuting->asleep_after(asleep, step.transition);
        path.states.insert(path.states.end(), step.next.begin(), step.next.end());
        path.transitions.push_back(step.transition);
    }
    return path;
}

class LoggedPaths final : public PathSource {
public:
    LoggedPaths(std::shared_ptr<const System> system, PathLog log) : system_(std::move(system)), log_(std::move(log)) {}

    [[nodiscard]] std::shared_ptr<const System> system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> path_to(std::uint64_t number, const Budget& budget) override {
        return logged_path(system_, log_, number, budget);
    }

private:
    std::shared_ptr<const System> system_;
    PathLog log_;
};

}  // namespace tideline
