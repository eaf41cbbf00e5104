// Accepting cycles of a graph that is in a ledger, or is still being written to it: looks at ranges of its states.
//
// Where the sweep goes by blocks of a certified leading component, no edge leads from a block to an earlier one. States
// get their numbers block by block, so a block that is finished is decided for ever, and forgotten: only what came
// later is looked at again.
#pragma once

#include <cstdint>
#include <optional>

#include "check/ltl/streamed_cycles.hpp"
#include "check/verdict.hpp"
#include "explore/ledger_run.hpp"
#include "support/budget.hpp"

namespace tideline::check::ltl {

// Receives why ranges of states have no accepting cycle: one range after the other, ascending.
class RangeLog : public RemovalLog {
public:
    virtual void begin_range(std::uint64_t first, std::uint64_t count) = 0;
    virtual void end_range() = 0;
};

class LedgerCycles {
public:
    // The ledger records edges; it, the budget and the account must outlive this. `log` may be null.
    LedgerCycles(model::Marks required, std::optional<StreamedCycles::Strong> strong, ledger::LedgerWriter& writer,
                 const support::Budget& budget, DiskAccount& disk, RangeLog* log = nullptr)
        : required_(required), strong_(strong), writer_(writer), budget_(budget), disk_(disk), log_(log) {}

    // Whether all rows that the ledger should have are there: not in the middle of a layer.
    [[nodiscard]] bool is_readable() const;
    // Looks at the states from first_open() on. The result is found(), or stopped(). Throws LedgerError,
    // std::bad_alloc. Where the limit on the disk leaves no room, nothing is known, and the search may go on.
    void look();
    // Looks at those below `end` for the last time: no edge will lead to them from a state that comes later.
    void finish(std::uint64_t end);
    // The first state that was not looked at for the last time.
    [[nodiscard]] std::uint64_t first_open() const { return first_; }

    // A state from which an accepting cycle can be reached.
    [[nodiscard]] std::optional<std::uint64_t> found() const { return found_; }
    [[nodiscard]] support::StopReason stopped() const { return stopped_; }
    [[nodiscard]] const ResidualFigures& figures() const { return figures_; }

private:
    void look_at(std::uint64_t end, bool is_last);

    model::Marks required_;
    std::optional<StreamedCycles::Strong> strong_;
    ledger::LedgerWriter& writer_;
    const support::Budget& budget_;
    DiskAccount& disk_;
    RangeLog* log_;
    std::uint64_t first_ = 0;
    std::optional<std::uint64_t> found_;
    support::StopReason stopped_ = support::StopReason::none;
    ResidualFigures figures_;
};

}  // namespace tideline::check::ltl
