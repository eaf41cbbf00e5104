// A shortest path to a state that is known to be reachable, by a breadth-first search in one thread: for states whose
// parents nobody has kept (change_over.hpp).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/paths.hpp"

namespace tideline::explore {

// In the packing of `system`, as the state is. Nothing where the budget ends before the state is found.
[[nodiscard]] std::optional<PackedPath> path_to_state(const std::shared_ptr<const successor::System>& system,
                                                      const std::vector<successor::Word>& state,
                                                      const support::Budget& budget);

}  // namespace tideline::explore
