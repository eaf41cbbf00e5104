// What the commands that run something have in common: the budget, the model, and the report of the run.
#pragma once

#include <optional>
#include <variant>

#include "cli/commands.hpp"
#include "run/execute.hpp"
#include "run/loaded_system.hpp"

namespace tideline::cli {

// The limits of a command, and of the machine where no limit on memory was given.
[[nodiscard]] Budget budget_for(const BudgetLimits& limits, const Caller& caller);

// Where temporary ledgers go, from the environment.
[[nodiscard]] std::string temporary_folder();

// The model of the spec, or the system of the program.
[[nodiscard]] run::OrRefusal<run::LoadedInput> load(run::RunSpec& spec, const Caller& caller, const Budget& budget);

// Plans and executes; writes the report where it belongs; the exit status.
int run_and_report(run::RunSpec spec, const OutputOptions& output, const Caller& caller);

// Writes a report where it belongs, traces as far as the budget allows; the exit status.
int write_report(run::OrRefusal<run::RunReport> result, const OutputOptions& output, const Budget& budget);

// Output options as a ledger keeps them for `resume`, with paths that mean the same from everywhere.
[[nodiscard]] std::string stored_presentation(const OutputOptions& output);
[[nodiscard]] OutputOptions parse_presentation(const std::string& text);

}  // namespace tideline::cli
