// The ledger of a run: where it is, what its header says, and what becomes of it in the end.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/reachability.hpp"
#include "cli/command_line.hpp"
#include "cli/subject.hpp"
#include "explore/ledger_run.hpp"

namespace tideline {

class RunLedger {
public:
    // Opens the ledger that is to be resumed. Throws LedgerError, also where it was made for another model.
    // `automaton`: what the system is multiplied with, as text; empty: nothing.
    RunLedger(const SearchOptions& options, const Subject& subject, const std::optional<Measure>& measure, std::string automaton);
    RunLedger(const RunLedger&) = delete;
    RunLedger& operator=(const RunLedger&) = delete;
    // Removes it where it is temporary and was not kept.
    ~RunLedger();

    // How states were packed last; nothing in a new ledger.
    [[nodiscard]] std::optional<Layout> layout() const;
    // Makes a new ledger, or goes on with the one that was opened.
    LedgerRun& start(const System& system, WalkOrder order, const std::vector<Goal>& goals);

    [[nodiscard]] const std::string& directory() const { return directory_; }
    [[nodiscard]] bool is_temporary() const { return is_temporary_; }
    // The states of every key, in ascending order.
    [[nodiscard]] std::vector<std::uint64_t> layer_sizes() const;
    // Not removed in the end: the run can be resumed.
    void keep() { is_kept_ = true; }

private:
    const SearchOptions& options_;
    const Subject& subject_;
    std::string progress_;
    std::string automaton_;
    LedgerSettings settings_;
    std::string directory_;
    bool is_temporary_ = false;
    bool is_kept_ = false;
    std::unique_ptr<LedgerWriter> writer_;
    std::optional<LedgerRun> run_;
};

// A ledger for the length of a search, in a temporary folder. Throws LedgerError.
class ScratchLedger {
public:
    ScratchLedger(const System& system, const SearchOptions& options);
    ScratchLedger(const ScratchLedger&) = delete;
    ScratchLedger& operator=(const ScratchLedger&) = delete;
    ~ScratchLedger();

    [[nodiscard]] LedgerRun& run() { return *run_; }

private:
    std::string directory_;
    std::unique_ptr<LedgerWriter> writer_;
    std::optional<LedgerRun> run_;
};

// What a ledger was made with, for those who go on with it.
struct LedgerOrigin {
    std::string directory;               // where the command was given
    std::vector<std::string> arguments;  // without the program's name
    std::string model;
    std::string engine;
    std::string progress;                // the measure in use, or auto: the model's own
};
[[nodiscard]] LedgerOrigin ledger_origin(const LedgerHeader& header, const std::string& directory);

}  // namespace tideline
