// tideline resume: continues a run that was interrupted, as its plan in the ledger says; or reports how far it got.
#include <cstdio>

#include "cli/run_command.hpp"
#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "run/run_ledger.hpp"
#include "support/quantity.hpp"

namespace tideline::cli {
namespace {

int print_status(const std::string& directory) {
    const run::RunStatus status = run::read_status(directory);
    std::printf("model      %s\nengine     %s\n", status.plan.spec.model.path.c_str(),
                std::string(run::to_string(status.plan.engine)).c_str());
    if (!status.has_checkpoint) {
        std::printf("nothing has been committed yet\n");
        return end_of_output(kHolds);
    }
    std::printf("expanded   %s states\nwaiting    %s states at most\npasses     %s\ntime       %.1f s\n%s\n",
                support::count_text(status.expanded).c_str(), support::count_text(status.frontier).c_str(),
                support::count_text(status.passes).c_str(), status.seconds,
                status.complete ? "complete" : "can be resumed");
    return end_of_output(kHolds);
}

}  // namespace

int run(const ResumeCommand& command, const Caller& caller) {
    if (command.status) return print_status(command.directory);
    run::StoredRun stored = run::read_stored_run(command.directory);
    run::RunSpec& spec = stored.plan.spec;
    const bool is_program = spec.model.language == run::kCppLanguage;
    if (is_program != (caller.program != nullptr))
        throw ledger::LedgerError(
            ledger::LedgerFault::exists, command.directory,
            is_program ? "the run is one of a system written in C++: resume it with its own program, " + spec.model.path
                       : "the run is one of a model: resume it with tideline");
    // The limits of the first run are used up, except those on peak usage (memory, disk).
    support::BudgetLimits limits = command.limits;
    if (!limits.memory) limits.memory = spec.limits.memory;
    if (!limits.disk) limits.disk = spec.limits.disk;
    spec.limits = limits;
    spec.states.reset();
    if (command.threads) spec.threads = *command.threads;
    OutputOptions output = parse_presentation(spec.presentation);
    if (command.output.json) output.json = command.output.json;
    if (command.output.html) output.html = command.output.html;
    output.command = command.output.command;
    output.quiet = output.quiet || command.output.quiet;

    if (is_program && !caller.program->options.set(spec.model.options))
        throw ledger::LedgerError(ledger::LedgerFault::exists, command.directory,
                                  "the program has other options than when the run began");
    const support::Budget budget = budget_for(limits, caller);
    TerminalSink sink(output.quiet);
    run::RunSpec asked = spec;
    asked.ledger = {run::LedgerChoice::Kind::directory, stored.directory};
    if (!outputs_are_safe(output, asked)) return kWrongInput;
    run::OrRefusal<run::LoadedInput> loaded = load(asked, caller, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) {
        sink.progress_ended();
        return write_refusal(*refusal, asked, output);
    }
    if (!outputs_are_writable(output)) return kWrongInput;
    remove_old_results(output);
    run::OrRefusal<run::RunReport> result =
        run::resume(std::move(stored.plan), stored.directory, std::get<run::LoadedInput>(loaded), sink, budget);
    sink.progress_ended();
    if (const auto* refusal = std::get_if<run::Refusal>(&result)) return write_refusal(*refusal, asked, output);
    return write_report(std::get<run::RunReport>(result), sink.history(), output, budget);
}

}  // namespace tideline::cli
