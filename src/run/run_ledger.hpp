// The ledger of a run: where it is, its header, which holds the plan, and whether it is removed at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/reachability.hpp"
#include "explore/ledger_run.hpp"
#include "run/plan.hpp"
#include "run/sink.hpp"

namespace tideline::run {

// What the states of a ledger were checked for, and what its keys mean.
struct LedgerPurpose {
    std::vector<check::StateProperty> properties;
    std::string product;  // the automaton that the system is multiplied with, in HOA; empty: none
    std::vector<std::pair<model::Value, unsigned>> key_layout;  // MeasureInUse::key_layout() of a sweep
    std::vector<std::string> atoms{};  // the first labels of a state, before those of the properties
};

class RunLedger {
public:
    // Makes a new ledger for a plan that is resolved. Throws LedgerError.
    [[nodiscard]] static std::unique_ptr<RunLedger> create(const RunPlan& plan, const successor::System& system,
                                                           const LedgerPurpose& purpose, Sink& sink);
    // Opens the ledger of a run that is resumed. Throws LedgerError.
    [[nodiscard]] static std::unique_ptr<RunLedger> reopen(const std::string& directory,
                                                           const support::BudgetLimits& limits);
    RunLedger(const RunLedger&) = delete;
    RunLedger& operator=(const RunLedger&) = delete;
    // Removes it where it is temporary and was not kept.
    ~RunLedger();

    // The last packing of states.
    [[nodiscard]] std::optional<successor::Layout> layout() const;
    // Throws LedgerError where the ledger was made for another purpose.
    void verify(const LedgerPurpose& purpose) const;
    [[nodiscard]] explore::LedgerRun& run() { return *run_; }

    [[nodiscard]] const std::string& directory() const { return directory_; }
    [[nodiscard]] bool is_temporary() const { return is_temporary_; }
    // The states of every key, in ascending order.
    [[nodiscard]] std::vector<std::uint64_t> layer_sizes() const;
    // Whether there is a checkpoint that a later run can start from.
    [[nodiscard]] bool has_checkpoint() const { return !writer_->engine().empty(); }
    // Not removed at the end: the run can be resumed.
    void keep() { is_kept_ = true; }
    // There is nothing left to resume: a temporary ledger is removed, as if the run had never been interrupted.
    void finish() { is_kept_ = false; }

private:
    RunLedger() = default;

    std::string directory_;
    bool is_temporary_ = false;
    bool is_kept_ = false;
    std::unique_ptr<ledger::LedgerWriter> writer_;
    std::optional<explore::LedgerRun> run_;
};

// What the header of a ledger says of its run.
struct StoredRun {
    std::string directory;  // absolute
    RunPlan plan;
};
// Throws LedgerError.
[[nodiscard]] StoredRun read_stored_run(const std::string& directory);

// How far a run got.
struct RunStatus {
    RunPlan plan;
    bool has_checkpoint = false;
    bool complete = false;
    std::uint64_t expanded = 0;
    std::uint64_t frontier = 0;  // at most
    std::uint64_t passes = 0;
    double seconds = 0;
};
// Throws LedgerError.
[[nodiscard]] RunStatus read_status(const std::string& directory);

}  // namespace tideline::run
