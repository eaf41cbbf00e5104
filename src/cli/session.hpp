// What every command does around its work: load the model, show mistakes, watch the limits, tell the result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/reachability.hpp"
#include "check/verdict.hpp"
#include "cli/command_line.hpp"
#include "cli/run_ledger.hpp"
#include "cli/subject.hpp"
#include "input/load.hpp"
#include "report/status_line.hpp"
#include "report/summary.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

namespace tideline {

enum ExitStatus : int { kHolds = 0, kViolated = 1, kWrongInput = 2, kUndecided = 3, kProgramFault = 4 };

// Diagnostics to standard error.
void print(const Diagnostics& diagnostics);

// The given exit status, or that of a fault where standard output could not be written (with a message).
int end_of_output(int status);

// The model, or nothing after its errors were printed. Warnings are printed unless quiet.
std::optional<LoadedModel> load_or_explain(const std::string& path, const LoadOptions& options, bool quiet);
// The same as something that can be searched.
std::optional<Subject> subject_or_explain(const std::string& path, const LoadOptions& options, bool quiet);

// A run of a search with its status line, interrupts and report.
class Session {
public:
    Session(const SearchOptions& options, Subject subject);

    [[nodiscard]] const Model& model() const { return *subject_.names; }
    // Chooses the engine and the measure; false, with a message, where they do not fit or the measure is wrong.
    [[nodiscard]] bool choose_engine();
    // False, with a message, where a file that shall be written cannot be.
    [[nodiscard]] bool outputs_are_writable() const;
    // Searches with the given labels on the states.
    Outcome run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration);
    // Writes the report where it belongs; the exit status.
    int report(Outcome outcome);

private:
    [[nodiscard]] std::string monotonic(const Outcome& outcome) const;
    [[nodiscard]] std::optional<unsigned> block_bits() const;
    [[nodiscard]] SummaryOptions summary_options(int descriptor) const;

    const SearchOptions& options_;
    Subject subject_;
    WalkOrder order_ = WalkOrder::breadth_first;
    std::optional<Measure> measure_;  // given by the user; for the system's own see Subject
    Environment environment_;
    Interrupt interrupt_;
    std::unique_ptr<RunLedger> ledger_;
};

}  // namespace tideline
