// What the commands that run something have in common: the budget, the model, and the report of the run.
#pragma once

#include <optional>
#include <variant>

#include "cli/commands.hpp"
#include "report/run_history.hpp"
#include "run/execute.hpp"
#include "run/loaded_system.hpp"

namespace tideline::cli {

// The limits of a command, and of the machine where no limit on memory was given.
[[nodiscard]] support::Budget budget_for(const support::BudgetLimits& limits, const Caller& caller);

// Where temporary ledgers go, from the environment.
[[nodiscard]] std::string temporary_folder();

// The model of the spec, or the system of the program.
[[nodiscard]] run::OrRefusal<run::LoadedInput> load(run::RunSpec& spec, const Caller& caller,
                                                    const support::Budget& budget);

// Plans and executes with these properties; writes the report to its destination; returns the exit status.
int run_and_report(run::RunSpec spec, const support::Result<std::vector<run::PropertySpec>>& properties,
                   const OutputOptions& output, const Caller& caller);

// A run that ended before its search: its errors, or a report that names the limit that ended it; returns the exit
// status.
int write_refusal(const run::Refusal& refusal, const run::RunSpec& spec, const OutputOptions& output);

// Writes a report to its destination, traces as far as the budget allows; returns the exit status.
int write_report(const run::RunReport& report, const report::RunHistory& history, const OutputOptions& output,
                 const support::Budget& budget);

// The files of an earlier run must not be taken for results of this one, whose search may end in any way: a trace is
// removed, reports become empty, as one does that could not be written completely.
void remove_old_results(const OutputOptions& output);

// False, with a message, where a report would overwrite the model, the ledger's files or the other report.
[[nodiscard]] bool outputs_are_safe(const OutputOptions& output, const run::RunSpec& spec);

// Output options as a ledger keeps them for `resume`, with paths that mean the same from everywhere.
[[nodiscard]] std::string stored_presentation(const OutputOptions& output);
[[nodiscard]] OutputOptions parse_presentation(const std::string& text);

}  // namespace tideline::cli
