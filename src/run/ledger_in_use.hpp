// The ledger that a run writes to, one at a time, and the ledger from which the run can be resumed.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "run/run_ledger.hpp"

namespace tideline::run {

class LedgerInUse {
public:
    [[nodiscard]] explicit operator bool() const { return ledger_ != nullptr; }
    [[nodiscard]] RunLedger* operator->() { return ledger_.get(); }
    [[nodiscard]] const RunLedger* operator->() const { return ledger_.get(); }

    // A new one. Throws LedgerError.
    void create(const RunPlan& plan, const successor::System& system, const LedgerPurpose& purpose, Sink& sink) {
        ledger_ = RunLedger::create(plan, system, purpose, sink);
    }
    // One that there is already; nothing is resumed from it. Throws LedgerError.
    void reopen(const std::string& directory, const support::BudgetLimits& limits) {
        ledger_ = RunLedger::reopen(directory, limits);
    }
    // The search that was interrupted continues. Throws LedgerError.
    void resume(const std::string& directory, const support::BudgetLimits& limits) {
        reopen(directory, limits);
        seconds_before_ = ledger_->run().saved.statistics.seconds;
    }
    // Of the run that is resumed; 0: none is.
    [[nodiscard]] double seconds_before() const { return seconds_before_; }

    // A temporary one is removed, unless it was kept.
    void close() { ledger_.reset(); }
    // Another search has a ledger of its own meanwhile.
    [[nodiscard]] std::unique_ptr<RunLedger> release() { return std::move(ledger_); }
    void restore(std::unique_ptr<RunLedger> ledger) { ledger_ = std::move(ledger); }

    // The run can be resumed from it.
    void keep() {
        ledger_->keep();
        resumable_ = ledger_->directory();
    }
    // The run can be resumed from a ledger that was not opened.
    void keep_unopened(const std::string& directory) { resumable_ = directory; }
    // A directory; empty: the run cannot be resumed.
    [[nodiscard]] const std::string& resumable() const { return resumable_; }

private:
    std::unique_ptr<RunLedger> ledger_;
    std::string resumable_;
    double seconds_before_ = 0;
};

}  // namespace tideline::run
