// What every program with this command line does: parse it, run the command, and never end in silence.
#include "cli/cpp_main.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "check/reachability.hpp"
#include "cli/commands.hpp"
#include "cli/terminal_output.hpp"
#include "ledger/error.hpp"
#include "support/standard_streams.hpp"

namespace tideline {
namespace {

// The disk, the machine or a limit is in the way, and nothing is wrong with what was asked.
bool is_resource_error(LedgerFault fault) { return fault == LedgerFault::disk_full || fault == LedgerFault::limit || fault == LedgerFault::io; }

}  // namespace

namespace cli {

static int run(const UsageError& error, const Caller& /*caller*/) {
    std::fputs(error.text.c_str(), error.status == 0 ? stdout : stderr);
    return error.status == 0 ? end_of_output(0) : error.status;
}

}  // namespace cli

int run_program(int argc, char** argv, const CppProgram* program) {
    occupy_standard_streams();
    end_quietly_on_closed_pipe();
    let_too_large_writes_fail();
    const Interrupt interrupt;
    const cli::Caller caller{program, interrupt};
    try {
        return std::visit([&](const auto& command) { return cli::run(command, caller); },
                          cli::parse_command_line(argc, argv, program == nullptr ? nullptr : &program->options));
    } catch (const UnconfirmedTrace& fault) {
        std::fprintf(stderr, "tideline: internal error: a trace was found that the reference implementation does not confirm: %s\n"
                             "  No verdict is given. Please report this with the model.\n", fault.what());
    } catch (const LedgerError& error) {
        std::fprintf(stderr, "tideline: error: %s\n", error.what());
        return is_resource_error(error.kind()) ? cli::kUndecided : cli::kWrongInput;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "tideline: error: out of memory\n");
        return cli::kUndecided;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "tideline: internal error: %s\n", fault.what());
    }
    return cli::kInternalError;
}

}  // namespace tideline
