// tideline audit: confirms the results of a finished run from its ledger, with independent code.
#include "audit/audit.hpp"

#include <cstdio>
#include <cstdlib>

#include "cli/commands.hpp"
#include "cli/run_command.hpp"
#include "cli/terminal_output.hpp"
#include "run/automaton_again.hpp"
#include "run/run_ledger.hpp"

namespace tideline::cli {
namespace {

unsigned long long number(std::uint64_t value) { return value; }

void print_report(const audit::AuditReport& report) {
    for (const audit::AuditedProperty& property : report.properties) {
        if (property.kind == "atom") {
            std::printf("atom %s: true in %llu states\n", property.formula.c_str(),
                        number(report.states - property.violations));
            continue;
        }
        std::printf("%s%s%s: %s in %llu states\n", property.kind.c_str(), property.formula.empty() ? "" : " ",
                    property.formula.c_str(), property.violations == 0 ? "not violated" : "violated",
                    number(property.violations == 0 ? report.states : property.violations));
    }
    for (const audit::AuditedFormula& formula : report.formulas)
        std::printf("%s %s: %s%s\n", formula.name.c_str(), formula.formula.c_str(), formula.answer.c_str(),
                    formula.is_confirmed ? ", confirmed by its certificate" : "");
    for (const std::string& name : report.of_runs)
        std::printf("%s: holds, confirmed by its certificate\n", name.c_str());
    std::printf(
        "states        %llu\ntransitions   %llu\ndeadlocks     %llu\nfaults        %llu\ntime          %.1f s\n",
        number(report.states), number(report.transitions), number(report.deadlocks), number(report.faults),
        report.seconds);
}

// The system as it was when the run started; its options are in the ledger.
audit::AuditedProgram program_of_run(const std::string& directory, const CppProgram& program) {
    const run::StoredRun stored = run::read_stored_run(directory);
    if (!program.options.set(stored.plan.spec.model.options))
        throw ledger::LedgerError(ledger::LedgerFault::exists, directory,
                                  "the program has other options than when the run began");
    return program.make_system().audited.value();
}

// Nothing where the ledger or the model cannot be read; the audit says what is wrong with them.
std::optional<std::string> automaton_of_run(const AuditCommand& command, const Caller& caller) try {
    run::StoredRun stored = run::read_stored_run(command.directory);
    if (command.model) stored.plan.spec.model.path = *command.model;
    const support::Budget budget({}, [&] { return caller.interrupt.requested(); });
    run::RunSpec spec = stored.plan.spec;
    const run::OrRefusal<run::LoadedInput> loaded = load(spec, caller, budget);
    const auto* const input = std::get_if<run::LoadedInput>(&loaded);
    if (input == nullptr) return std::nullopt;
    return run::automaton_again(stored.plan, *input, budget);
} catch (const ledger::LedgerError&) {
    return std::nullopt;
}

// Where the plan cannot be read, the audit says why.
bool is_symmetric(const std::string& directory) try {
    return !run::read_stored_run(directory).plan.spec.symmetry.empty();
} catch (const ledger::LedgerError&) {
    return false;
}

}  // namespace

int run(const AuditCommand& command, const Caller& caller) {
    audit::AuditSettings settings;
    if (const char* directory = std::getenv("TMPDIR"); directory != nullptr && *directory != '\0')
        settings.temporary_directory = directory;
    if (command.memory) settings.memory = *command.memory;
    if (command.model) settings.model = *command.model;
    if (caller.program != nullptr) settings.program = program_of_run(command.directory, *caller.program);
    settings.automaton = automaton_of_run(command, caller);
    settings.interrupted = [&] { return caller.interrupt.requested(); };
    if (is_symmetric(command.directory)) {
        std::fprintf(stderr,
                     "tideline: error: %s: its states are representatives of classes (--symmetry); an audit knows the "
                     "states of models alone\n",
                     command.directory.c_str());
        return kWrongInput;
    }
    audit::AuditReport report;
    try {
        report = audit::audit(command.directory, settings);
    } catch (const audit::AuditError& error) {
        std::fprintf(stderr, "tideline: error: %s\n", error.what());
        return error.kind() == audit::AuditFault::io || error.kind() == audit::AuditFault::memory ? kUndecided
                                                                                                  : kWrongInput;
    }
    for (const std::string& finding : report.findings) std::printf("NOT CONFIRMED   %s\n", finding.c_str());
    const char* with = report.labels && report.edges ? " with its labels and steps,"
                       : report.labels               ? " with its labels,"
                       : report.edges                ? " with its steps,"
                                                     : "";
    if (report.confirmed())
        std::printf("CONFIRMED   every reachable state is in the ledger, once,%s and the figures are right\n", with);
    if (report.interrupted) std::printf("interrupted: this is not a full audit\n");
    if (!command.quiet) print_report(report);
    return end_of_output(!report.findings.empty() ? kViolated : report.interrupted ? kUndecided : kHolds);
}

}  // namespace tideline::cli
