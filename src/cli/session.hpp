// What every command does around its work: load the model, show mistakes, watch the limits, tell the result.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/reachability.hpp"
#include "check/verdict.hpp"
#include "cli/command_line.hpp"
#include "input/load.hpp"
#include "reference/machine.hpp"
#include "report/status_line.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

namespace tideline {

enum ExitStatus : int { kHolds = 0, kViolated = 1, kWrongInput = 2, kUndecided = 3, kProgramFault = 4 };

// Diagnostics to standard error.
void print(const Diagnostics& diagnostics);

// The model, or nothing after its errors were printed. Warnings are printed unless quiet.
std::optional<LoadedModel> load_or_explain(const std::string& path, const LoadOptions& options, bool quiet);

// A run of a search with its status line, interrupts and report.
class Session {
public:
    Session(const SearchOptions& options, LoadedModel loaded, LoadOptions load_options);

    [[nodiscard]] const Model& model() const { return *loaded_.model; }
    // False, with a message, where a file that shall be written cannot be.
    [[nodiscard]] bool outputs_are_writable() const;
    // Searches with the given labels on the states.
    Outcome run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration);
    // Writes the report where it belongs; the exit status.
    int report(Outcome outcome);

private:
    const SearchOptions& options_;
    LoadedModel loaded_;
    LoadOptions load_options_;
    std::unique_ptr<reference::Machine> machine_;  // made when the first trace has to be confirmed
    Environment environment_;
    Interrupt interrupt_;
};

}  // namespace tideline
