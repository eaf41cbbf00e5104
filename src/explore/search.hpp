// The interface of all walks through a state space: what they are given, what an observer is told while they run, what they return.
//
// One driver (driver.hpp) does the expanding; a walk decides which states are remembered and which come next; an observer is told of
// discoveries, deadlocks and faulty steps, and may end the search. Virtual calls are per batch, never per successor, and all come from one
// thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/paths.hpp"
#include "explore/statistics.hpp"
#include "explore/thread_team.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline {

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
    // Time, memory (the program's own aside, support/memory.hpp), disk and interrupts of the run; null: no limits. Looked at ten times a second
    // at least.
    const Budget* budget = nullptr;
    std::optional<std::uint64_t> states{};  // discovered

    unsigned threads = 1;   // a depth-first search has one, whatever this says
    bool compress = false;  // states are stored in a compressed form; sweeps do not
    bool paths = true;      // a breadth-first search in one thread keeps what path_to() needs
    // Where the states go that a sweep or a breadth-first search has passed; null: they are forgotten, or stay in memory.
    LedgerRun* ledger = nullptr;
    // For a sweep without a ledger, what LedgerRun has for one with it: keys that differ only in so many of their lower bits form a block,
    // and no step leads to an earlier block.
    std::optional<unsigned> block_bits{};
    // Rounds with fewer states to expand are done by one of several threads: the others would take longer to wake.
    std::uint64_t alone_below = 4096;
    // For tests: starts the threads in place of std::thread.
    StartThread start_thread{};

    [[nodiscard]] const Budget& limits() const {
        static const Budget none;
        return budget == nullptr ? none : *budget;
    }
};

// A state that the search is telling about, as it is packed at this moment.
struct Found {
    const Word* state;
    std::uint64_t number = 0;  // what PathSource::path_to() knows it by
};

// What an observer may ask of the search that it observes.
class SearchView {
public:
    virtual ~SearchView() = default;
    // The system as it is packed at this moment.
    [[nodiscard]] virtual const System& system() const = 0;
    // The states from an initial one to the one just told of; empty where the search has not kept them.
    [[nodiscard]] virtual std::vector<std::vector<Word>> path_to(const Found& found) = 0;
    // Of a depth-first search: the states from the initial one to the one just told of, without their transitions, which it will have forgotten
    // when it ends. Nothing for other walks (SearchResult::paths knows), and where the copy is too large for the budget.
    [[nodiscard]] virtual std::optional<PackedPath> current_path(const Budget& budget) = 0;
    [[nodiscard]] virtual const Statistics& statistics() const = 0;
};

// Every call but the first three and the last returns whether the search shall go on.
class SearchObserver {
public:
    virtual ~SearchObserver() = default;
    // Whether discovered() is to be called at all.
    [[nodiscard]] virtual bool wants_discoveries() const { return false; }
    // Whether deadlock() is to be called; asked before each batch. Deadlocks are counted in any case.
    [[nodiscard]] virtual bool wants_deadlocks() const { return true; }
    // The labels that are evaluated in every new state. Asked anew before each batch.
    [[nodiscard]] virtual std::span<const std::size_t> watched_labels() const { return {}; }

    virtual bool discovered(SearchView& /*search*/, std::span<const Found> /*fresh*/) { return true; }
    // A watched label is false in a new state, or its evaluation is faulty.
    virtual bool label_is_false(SearchView& /*search*/, const Found& /*found*/, std::size_t /*label*/, FaultKind /*fault*/) { return true; }
    virtual bool deadlock(SearchView& /*search*/, const Found& /*found*/) { return true; }
    virtual bool faulty(SearchView& /*search*/, const Found& /*source*/, TransitionId /*transition*/, FaultKind /*kind*/) { return true; }
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
    // Paths to the states that the observer was told of, by their numbers. Null for walks that cannot know them after their end: depth-first
    // search, sweeps without a ledger, breadth-first search with several threads. Where the search had a ledger, its writer must outlive this.
    std::shared_ptr<PathSource> paths{};
    // The search stopped early, and its ledger has a checkpoint from which a resumed search gains something.
    bool resumable = false;
};

[[nodiscard]] SearchResult search(std::shared_ptr<const System> system, WalkOrder order, const SearchSettings& settings,
                                  SearchObserver& observer);

}  // namespace tideline
