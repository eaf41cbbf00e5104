// Questions that visiting every reachable state answers: how many there are, whether one violates an invariant or an
// assertion, has no successor, or a faulty step. Every violation comes with a path from the initial state; breadth-first it is a
// shortest one. An incomplete search leaves what it has not refuted unknown; so does a search that met a fault, since what lies
// behind a faulty step was not seen.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "explore/search.hpp"

namespace tideline {

struct Goal {
    enum class Kind : std::uint8_t { invariant, assertion, deadlock };
    Kind kind = Kind::invariant;
    std::string name;
    std::string formula;
    std::size_t label = 0;  // which of the system's labels must hold everywhere; not for deadlock
};

struct ReachabilityRequest {
    std::shared_ptr<const System> system;
    WalkOrder order = WalkOrder::breadth_first;
    std::vector<Goal> goals;
    // Exploration: visit everything and list failed assertions among the faults. Otherwise: stop when every goal is decided.
    bool exploration = false;
    SearchSettings settings;
    std::function<void(const Statistics&)> tick = [](const Statistics&) {};
    // Replays a trace with other code; the disagreement, if any. Such a trace is a fault of the program and ends it.
    std::function<std::optional<std::string>(const Trace&)> confirm;
};

// Thrown when a trace is not confirmed: no verdict can be trusted then.
class UnconfirmedTrace : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

Outcome decide_reachability(const ReachabilityRequest& request);

}  // namespace tideline
