// Questions that visiting every reachable state answers: how many there are, whether one violates an invariant or an
// assertion, has no successor, or a faulty step. The evidence of a violation is a path from an initial state;
// breadth-first it is a shortest one. It does not depend on the number of threads, as long as the budget allows one
// thread to find it again. An incomplete search leaves what it has not refuted unknown; so does a search that met a
// fault, since what lies behind a faulty step was not seen.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/evidence.hpp"
#include "check/verdict.hpp"
#include "explore/search.hpp"

namespace tideline::check {

struct StateProperty {
    enum class Kind : std::uint8_t {
        invariant,
        assertion,
        deadlock,
        formula,  // a safety formula: the label says whether the run so far is no bad prefix
    };
    Kind kind = Kind::invariant;
    std::string name;
    std::string formula;
    std::size_t label = 0;                   // which of the system's labels must hold everywhere; not for deadlock
    std::optional<std::size_t> end_label{};  // deadlock: states where this label holds are proper ends; the
                                             // same for all of this kind
};

struct ReachabilityRequest {
    std::shared_ptr<const successor::System> system;
    explore::WalkOrder order = explore::WalkOrder::breadth_first;
    std::vector<StateProperty> properties;
    // Exploration: visit everything and list failed assertions among the faults. Otherwise: stop when every property is
    // decided.
    bool exploration = false;
    explore::SearchSettings settings;
    std::function<void(const explore::Statistics&)> tick = [](const explore::Statistics&) {};
    trace::Confirm confirm;        // replays a trace with other code
    std::size_t hidden_slots = 0;  // at the end, those of an automaton: they are not shown
    // For a search with a ledger and several threads: another, empty ledger, where one thread finds again what they
    // have found. It must outlive the evidence. Null or absent: what several threads have found is shown.
    std::function<explore::LedgerRun*(const successor::System&)> scratch_ledger;
};

// The verdicts; their evidence is computed by with_evidence().
Decision decide_reachability(const ReachabilityRequest& request);

}  // namespace tideline::check
