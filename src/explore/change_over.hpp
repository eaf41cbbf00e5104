// The change of a breadth-first search in memory to the exact sweep, where memory becomes short: no state is lost and
// none is expanded twice.
//
// When everything that was popped has been expanded, the states of the search are of two kinds: expanded and open. That
// is what a checkpoint of an exact sweep consists of. So the search writes one: expanded states become V(k), open ones
// wait in batches, the figures go on, and a sweep that resumes from this checkpoint does the rest. What makes an
// interrupted sweep right (exact_sweep.hpp) makes this right. Keys are computed state by state, for the measure that is
// chosen only now.
//
// Memory. The search asks for the change while a reserve is left (SearchLimits). First the queue of open states becomes
// a set, which takes about as much; its blocks are freed meanwhile. Then open states, and the tables one after the
// other, are written in chunks of a bounded size, each sorted by key, and a table is freed when it is written. A chunk
// is a sixteenth of the limit, so that a layer lies in some dozen pieces whatever the number of states.
//
// Where the search delivers its edges to a sink that keeps them (KeptRows), the sweep's ledger gets them: the row of
// every expanded state, to temporary ids, which are the ids that the sink gives; the fix-ups of those of expanded
// states; and open states wait with theirs. So nothing is expanded for its edges either. A bit per number says which
// states are open, and no set of open states is made. The rows stay in memory until the checkpoint is written,
// since states are written in the order of their keys; the table of states does, too.
//
// What a sweep from the start knows and this one does not: the parents of states that were discovered before the change
// (ledger::kUnknownParent). A path to one of them is found by a breadth-first search in one thread, which needs no more
// than what had been visited (path_to_state.hpp). Tried in place of a set of open states: a set of their hashes, 8
// bytes each, with a count that shows a collision; it needs another scan of all tables to be exact, and saves little.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/edge_sink.hpp"
#include "explore/ledger_run.hpp"
#include "explore/statistics.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::explore {

// The states of a search in memory, all of them expanded or open.
class StatesInMemory {
public:
    using Visit = std::function<void(const successor::Word*)>;
    using VisitNumbered = std::function<void(const successor::Word*, StateNumber)>;
    virtual ~StatesInMemory() = default;
    [[nodiscard]] virtual const successor::System& system() const = 0;
    // With the open ones.
    [[nodiscard]] virtual std::uint64_t size() const = 0;
    virtual void for_each(const Visit& visit) const = 0;
    // Removes them from the queue. Numbers are 0 where states have none.
    virtual void take_open(const VisitNumbered& visit) = 0;
    // All states, open ones among them; memory of states without numbers is freed in portions. False: `visit` has had
    // enough.
    virtual bool take_all(const std::function<bool(const successor::Word*, StateNumber)>& visit) = 0;
    // The edges of the expanded states, where the search has delivered them to a sink that keeps them: states have
    // numbers then. Null: they are not needed.
    [[nodiscard]] virtual KeptRows* rows() = 0;
    // All numbers are below it.
    [[nodiscard]] virtual StateNumber number_bound() const = 0;
};

// With what the search continues.
struct ChangeTarget {
    std::shared_ptr<const successor::System> system;  // packs states as the search did, and has a measure
    LedgerRun* ledger = nullptr;                      // empty; must outlive what continues
};

// Who can say that.
class ChangeOver {
public:
    virtual ~ChangeOver() = default;
    // Nothing: it cannot be done, and the search goes on as long as memory lasts.
    [[nodiscard]] virtual std::optional<ChangeTarget> prepare(const StatesInMemory& states) = 0;
    // For the report.
    [[nodiscard]] virtual std::string reason() const = 0;
};

// Writes all states to the target's ledger, with a checkpoint to resume from; `saved` has the figures and events of the
// search. Not none: the search has to stop for that reason, and the ledger has no checkpoint. `undefined` becomes the
// state without a key where that is the reason.
[[nodiscard]] support::StopReason write_checkpoint(StatesInMemory& states, const ChangeTarget& target,
                                                   SavedSearch saved, const support::Budget& budget,
                                                   std::vector<successor::Word>& undefined);

}  // namespace tideline::explore
