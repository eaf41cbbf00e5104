// The interface of all walks through a state space: their input, what they report to an observer, and their result.
//
// One driver (driver.hpp) does the expanding; a walk decides which states are remembered and which come next;
// discoveries, deadlocks and faulty steps are reported to an observer, which may end the search. Virtual calls are per
// batch, never per successor, and all come from one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/change_over.hpp"
#include "explore/edge_sink.hpp"
#include "explore/ledger_run.hpp"
#include "explore/paths.hpp"
#include "explore/statistics.hpp"
#include "explore/thread_team.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::explore {

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

struct SearchSettings {
    // Time, memory (the program's own aside, support/memory.hpp), disk and interrupts of the run; null: no limits.
    // Checked at least ten times per second.
    const support::Budget* budget = nullptr;
    std::optional<std::uint64_t> states{};  // discovered

    unsigned threads = 1;   // a depth-first search has one, whatever this says
    bool compress = false;  // states are stored in a compressed form; sweeps do not
    bool sleep = true;      // sleep sets, where the system and the walk have them
    bool paths = true;      // a breadth-first search in one thread keeps what path_to() needs
    // Receives what the search expands; null: nobody does.
    EdgeSink* edges = nullptr;
    // Where the states go that a sweep or a breadth-first search has passed; null: they are forgotten, or stay in
    // memory.
    LedgerRun* ledger = nullptr;
    // For a sweep without a ledger, what LedgerRun has for one with it: keys that differ only in this number of lower
    // bits form a block, and no step leads to an earlier block.
    std::optional<unsigned> block_bits{};
    // How a breadth-first search in memory changes to the sweep when memory becomes short; null: it ends then. Not for
    // one whose states are compressed, or that has an edge sink which keeps no rows.
    ChangeOver* change_over = nullptr;
    // For tests: the change is made when there are this many states.
    std::optional<std::uint64_t> change_at{};
    // Rounds with fewer states to expand are done by one of several threads: the others would take longer to wake.
    std::uint64_t alone_below = 4096;
    // For tests: starts the threads in place of std::thread.
    StartThread start_thread{};

    [[nodiscard]] const support::Budget& limits() const {
        static const support::Budget none;
        return budget == nullptr ? none : *budget;
    }
};

// A state that the search reports, as it is packed at this moment.
struct StateRef {
    const successor::Word* state;
    std::uint64_t number = 0;  // what PathSource::path_to() knows it by
};

// What an observer may ask of the search that it observes.
class SearchView {
public:
    virtual ~SearchView() = default;
    // The system as it is packed at this moment.
    [[nodiscard]] virtual const successor::System& system() const = 0;
    // Of a depth-first search: the states from an initial one to the one just reported, without their transitions,
    // which it will have forgotten when it ends. Nothing for other walks (SearchResult::paths knows), and where the
    // copy is too large for the budget.
    [[nodiscard]] virtual std::optional<PackedPath> current_path(const support::Budget& budget) = 0;
    [[nodiscard]] virtual const Statistics& statistics() const = 0;
};

// Every call except the questions and the last one returns whether the search should continue.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    // Whether discovered() is to be called at all.
    [[nodiscard]] virtual bool wants_discoveries() const { return false; }
    // Whether deadlock() is to be called; asked before each batch. Deadlocks are counted in any case.
    [[nodiscard]] virtual bool wants_deadlocks() const { return true; }
    // Whether a state without a step is a proper end: then deadlock() is not called, and no checkpoint tells of it.
    [[nodiscard]] virtual bool is_proper_end(const successor::System& /*system*/, const successor::Word* /*state*/) {
        return false;
    }
    // The labels that are evaluated in every new state. Asked again before each batch.
    [[nodiscard]] virtual std::span<const std::size_t> watched_labels() const { return {}; }

    virtual bool discovered(SearchView& /*search*/, std::span<const StateRef> /*discovered*/) { return true; }
    // A watched label is false in a new state, or its evaluation is faulty.
    virtual bool label_is_false(SearchView& /*search*/, const StateRef& /*found*/, std::size_t /*label*/,
                                model::FaultKind /*fault*/) {
        return true;
    }
    virtual bool deadlock(SearchView& /*search*/, const StateRef& /*found*/) { return true; }
    virtual bool faulty(SearchView& /*search*/, const StateRef& /*source*/, model::TransitionId /*transition*/,
                        model::FaultKind /*kind*/) {
        return true;
    }
    // About ten times per second.
    virtual void tick(const Statistics& /*statistics*/) {}
};

// The step that made a search stop because of its measure.
struct OffendingStep {
    std::vector<successor::Word> from;
    std::vector<successor::Word> to;  // empty: `from` itself is meant
    std::vector<model::Value> from_values;
    std::vector<model::Value> to_values;
};

struct SearchResult {
    bool complete = false;
    support::StopReason reason = support::StopReason::none;
    Statistics statistics;
    std::optional<OffendingStep> offending;           // for against_order and no_key
    std::shared_ptr<const successor::System> system;  // as it was packed in the end
    bool forgets = false;                             // states were deleted: counts are exact for a single sweep only
    // Paths to the states that were reported to the observer, by their numbers. Null for walks that cannot know them
    // after their end: depth-first search, sweeps without a ledger, breadth-first search with several threads. Where
    // the search had a ledger, its writer must outlive this.
    std::shared_ptr<PathSource> paths{};
    // The search stopped early, and its ledger has a checkpoint from which a resumed search gains something.
    bool resumable = false;
    // The search has changed over and is to be continued by a sweep with this. Nothing else of the result matters then.
    std::optional<ChangeTarget> continues_with{};
};

[[nodiscard]] SearchResult search(std::shared_ptr<const successor::System> system, WalkOrder order,
                                  const SearchSettings& settings, SearchObserver& observer);

}  // namespace tideline::explore
