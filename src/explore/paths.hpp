// Paths from an initial state, computed after a search has ended. A search keeps what that needs (a log of
// discoveries, or its ledger) and frees its tables; who wants evidence asks for it when the verdict is known, within
// the budget of the run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::explore {

// Consecutive states of a run, packed, one behind the other, and the transitions between them.
struct PackedPath {
    std::shared_ptr<const successor::System> system;  // whose packing the states have
    std::vector<successor::Word> states;
    std::vector<model::TransitionId>
        transitions;  // one fewer than states; empty where they are not known yet (find_transitions)

    [[nodiscard]] std::size_t words() const { return system->state_words(); }
    [[nodiscard]] std::size_t size() const { return states.size() / words(); }
    [[nodiscard]] const successor::Word* state(std::size_t i) const { return states.data() + i * words(); }
};

class PathSource {
public:
    virtual ~PathSource() = default;
    // The system whose packing the paths have: the one that the search ended with.
    [[nodiscard]] virtual std::shared_ptr<const successor::System> system() const = 0;
    // From an initial state to the state of this number (StateRef::number). Nothing where the budget is exhausted
    // before the path is complete, or the ledger cannot be read that far. Not for several threads at a time.
    [[nodiscard]] virtual std::optional<PackedPath> path_to(std::uint64_t number, const support::Budget& budget) = 0;
};

// Finds the transitions of a path that has states only: for each step the first one that leads to the next state.
// False: the budget was exhausted before that.
bool find_transitions(PackedPath& path, const support::Budget& budget);

}  // namespace tideline::explore
