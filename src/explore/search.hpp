// The interface of all walks through a state space: what they are given, what an observer is told while they run, what they return.
//
// One driver (driver.hpp) does the expanding; a walk decides which states are remembered and which come next; an observer sees
// batches of discoveries, deadlocks and faulty steps, and may end the search. Virtual calls are per batch, never per successor.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/statistics.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"

namespace tideline {

struct SearchLimits {
    std::optional<std::uint64_t> memory;                       // bytes resident, the whole program
    std::optional<std::chrono::nanoseconds> time;
    std::function<bool()> interrupted = [] { return false; };  // asked a few times a second
};

// What an observer may ask of the search that it observes.
class SearchView {
public:
    virtual ~SearchView() = default;
    // The system as it is packed at this moment.
    [[nodiscard]] virtual const System& system() const = 0;
    [[nodiscard]] virtual std::vector<Word> state(StateId id) const = 0;
    // The labels of a state, as Expander::labels gives them.
    virtual void labels(StateId id, std::uint64_t* bits, FaultKind* faults) = 0;
    // States from an initial one to a discovered one (for a depth-first search: to the state that is being expanded or a successor of it).
    [[nodiscard]] virtual std::vector<StateId> path_to(StateId id) = 0;
    [[nodiscard]] virtual const Statistics& statistics() const = 0;
};

// Every call returns whether the search shall go on.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    virtual bool discovered(SearchView& /*search*/, std::span<const StateId> /*fresh*/) { return true; }
    virtual bool deadlock(SearchView& /*search*/, StateId /*state*/) { return true; }
    virtual bool faulty(SearchView& /*search*/, StateId /*source*/, TransitionId /*transition*/, FaultKind /*kind*/) { return true; }
    // Some ten times a second.
    virtual void tick(const Statistics& /*statistics*/) {}
};

// The step that made a search stop because of its measure.
struct OffendingStep {
    std::vector<Word> from;
    std::vector<Word> to;        // empty: `from` itself is meant
    std::vector<Value> from_values;
    std::vector<Value> to_values;
};

struct SearchResult {
    bool complete = false;
    StopReason reason = StopReason::none;
    Statistics statistics;
    std::optional<OffendingStep> offending;          // for against_order and no_key
    std::shared_ptr<const System> system;            // as it was packed in the end
    bool forgets = false;                            // states were deleted: counts are exact for a single sweep only
};

enum class WalkOrder : std::uint8_t {
    breadth_first,
    depth_first,
    sweep_basic,  // by progress; the measure must be monotonic
    sweep,        // by progress; any measure, further sweeps from the targets of regress edges
};

constexpr std::string_view to_string(WalkOrder order) {
    switch (order) {
        case WalkOrder::breadth_first: return "bfs";
        case WalkOrder::depth_first: return "dfs";
        case WalkOrder::sweep_basic: return "sweep-basic";
        case WalkOrder::sweep: return "sweep";
    }
    return "unknown";
}

[[nodiscard]] SearchResult search(std::shared_ptr<const System> system, WalkOrder order, const SearchLimits& limits,
                                  SearchObserver& observer);

}  // namespace tideline
