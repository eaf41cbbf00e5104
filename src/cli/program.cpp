// The common main function: parse the command line, run the command, and report every failure.
#include "cli/cpp_main.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "check/reachability.hpp"
#include "cli/commands.hpp"
#include "cli/terminal_output.hpp"
#include "ledger/error.hpp"
#include "support/standard_streams.hpp"

namespace tideline::cli {
namespace {

// A resource error: the disk, the machine or a limit is the cause, not the input.
bool is_resource_error(ledger::LedgerFault fault) {
    return fault == ledger::LedgerFault::disk_full || fault == ledger::LedgerFault::limit ||
           fault == ledger::LedgerFault::io;
}

}  // namespace

static int run(const UsageError& error, const Caller& /*caller*/) {
    std::fputs(error.text.c_str(), error.status == 0 ? stdout : stderr);
    return error.status == 0 ? end_of_output(0) : error.status;
}

int run_program(int argc, char** argv, const CppProgram* program) {
    support::occupy_standard_streams();
    support::end_quietly_on_closed_pipe();
    support::let_too_large_writes_fail();
    const support::Interrupt interrupt;
    const Caller caller{program, interrupt};
    try {
        return std::visit([&](const auto& command) { return run(command, caller); },
                          parse_command_line(argc, argv, program == nullptr ? nullptr : &program->options));
    } catch (const check::UnconfirmedTrace& fault) {
        std::fprintf(
            stderr,
            "tideline: internal error: a trace was found that the reference implementation does not confirm: %s\n"
            "  No verdict is given. Please report this with the model.\n",
            fault.what());
    } catch (const ledger::LedgerError& error) {
        std::fprintf(stderr, "tideline: error: %s\n", error.what());
        return is_resource_error(error.kind()) ? kUndecided : kWrongInput;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "tideline: error: out of memory\n");
        return kUndecided;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "tideline: internal error: %s\n", fault.what());
    }
    return kInternalError;
}

}  // namespace tideline::cli
