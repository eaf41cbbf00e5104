// Runs of systems whose states represent classes of states of another system, as runs of that other one.
#pragma once

#include <memory>
#include <vector>

#include "successor/system.hpp"

namespace tideline::successor {

// Follows a run through representatives of classes of states, state by state, by a run of the system whose states they
// represent.
class RunLifter {
public:
    virtual ~RunLifter() = default;
    // Whose runs they are.
    [[nodiscard]] virtual const std::shared_ptr<const System>& system() const = 0;
    // The state of that run where the other one is at this representative: first an initial state, or the
    // representative itself where it represents none; then a state that the one before has a step to. Empty where there
    // is none.
    virtual std::vector<Word> follow(const Word* representative) = 0;
    // What a transition of the representative is in the state where the run is.
    [[nodiscard]] virtual model::TransitionId transition(model::TransitionId transition) const = 0;
};

// A System whose states may represent classes, or that is made of one.
class HasLifter {
public:
    virtual ~HasLifter() = default;
    // Null: they are states.
    [[nodiscard]] virtual std::unique_ptr<RunLifter> lifter() const = 0;
};

// Null where the states of a system are states.
[[nodiscard]] inline std::unique_ptr<RunLifter> lifter_of(const System& system) {
    const auto* const has = dynamic_cast<const HasLifter*>(&system);
    return has == nullptr ? nullptr : has->lifter();
}

}  // namespace tideline::successor
