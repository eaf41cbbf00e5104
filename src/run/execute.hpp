// A whole run as a library call: load() reads the model, plan() decides, execute() does it. Nothing here prints, ends
// the process, changes the directory, reads the environment or handles signals; several runs may be active in one
// process.
#pragma once

#include <string>

#include "run/plan.hpp"
#include "run/refusal.hpp"
#include "run/run_report.hpp"
#include "run/sink.hpp"
#include "support/budget.hpp"

namespace tideline::run {

// Resolves what the plan leaves open, searches, and decides the verdicts. Throws LedgerError where a ledger cannot be
// made or used, UnconfirmedTrace where a trace is refuted by the second implementation.
[[nodiscard]] OrRefusal<RunReport> execute(RunPlan plan, const LoadedInput& input, Sink& sink,
                                           const support::Budget& budget);

// Continues the run whose plan is stored in `directory`, which plan and input must be those of (stored_plan.hpp).
[[nodiscard]] OrRefusal<RunReport> resume(RunPlan stored, const std::string& directory, const LoadedInput& input,
                                          Sink& sink, const support::Budget& budget);

// Loads, plans and executes.
[[nodiscard]] OrRefusal<RunReport> run(RunSpec spec, Sink& sink, const support::Budget& budget);

}  // namespace tideline::run
