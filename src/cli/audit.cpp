// tideline audit: confirms what a finished run says, from its ledger, with other code.
#include "audit/audit.hpp"

#include <cstdio>

#include "cli/commands.hpp"
#include "cli/run_ledger.hpp"
#include "cli/session.hpp"
#include "support/signals.hpp"

namespace tideline {
namespace {

unsigned long long number(std::uint64_t value) { return value; }

void print_report(const AuditReport& report) {
    for (const AuditedGoal& goal : report.goals)
        std::printf("%s%s%s: %s in %llu states\n", goal.kind.c_str(), goal.formula.empty() ? "" : " ", goal.formula.c_str(), goal.violations == 0 ? "not violated" : "violated",
                    number(goal.violations == 0 ? report.states : goal.violations));
    std::printf("states        %llu\ntransitions   %llu\ndeadlocks     %llu\nfaults        %llu\ntime          %.1f s\n", number(report.states), number(report.transitions),
                number(report.deadlocks), number(report.faults), report.seconds);
}

}  // namespace

int run(const AuditCommand& command, const CppProgram* /*program*/) {
    if (is_of_product(command.directory)) {
        print({diagnostic_about(command.directory, "this is the ledger of a product with an automaton, which cannot be audited yet",
                                "the ledger of a run without --ltl and --automaton can")});
        return kWrongInput;
    }
    const Interrupt interrupt;
    AuditSettings settings;
    if (command.memory) settings.memory = *command.memory;
    if (command.model) settings.model = *command.model;
    settings.interrupted = [&] { return interrupt.requested(); };
    AuditReport report;
    try {
        report = audit(command.directory, settings);
    } catch (const AuditError& error) {
        std::fprintf(stderr, "tideline: error: %s\n", error.what());
        return error.kind() == AuditFault::io || error.kind() == AuditFault::memory ? kUndecided : kWrongInput;
    }
    for (const std::string& finding : report.findings) std::printf("NOT CONFIRMED   %s\n", finding.c_str());
    if (report.confirmed()) std::printf("CONFIRMED   every reachable state is in the ledger, once, and the figures are right\n");
    if (report.interrupted) std::printf("interrupted: this is not a full audit\n");
    if (!command.quiet) print_report(report);
    return end_of_output(!report.findings.empty() ? kViolated : report.interrupted ? kUndecided : kHolds);
}

}  // namespace tideline
