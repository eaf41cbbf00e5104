// What every program with this command line does: parse it, run the command, and never end in silence.
#include "cli/cpp_main.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "check/reachability.hpp"
#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "support/signals.hpp"
#include "support/standard_streams.hpp"

namespace tideline {
namespace {

int run(const Refusal& refusal, const CppProgram* /*program*/) {
    std::fputs(refusal.text.c_str(), refusal.status == 0 ? stdout : stderr);
    return refusal.status == 0 ? end_of_output(0) : refusal.status;
}

}  // namespace

int run_program(int argc, char** argv, const CppProgram* program) {
    occupy_standard_streams();
    end_quietly_on_closed_pipe();
    let_too_large_writes_fail();
    try {
        return std::visit([program](const auto& command) { return run(command, program); },
                          parse_command_line(argc, argv, program == nullptr ? nullptr : &program->options));
    } catch (const UnconfirmedTrace& fault) {
        std::fprintf(stderr, "tideline: internal error: a trace was found that the reference implementation does not confirm: %s\n"
                             "  No verdict is given. Please report this with the model.\n", fault.what());
    } catch (const LedgerError& error) {
        std::fprintf(stderr, "tideline: error: %s\n", error.what());
        const bool bad_luck = error.kind() == LedgerFault::disk_full || error.kind() == LedgerFault::limit || error.kind() == LedgerFault::io;
        return bad_luck ? kUndecided : kWrongInput;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "tideline: error: out of memory\n");
        return kUndecided;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "tideline: internal error: %s\n", fault.what());
    }
    return kProgramFault;
}

}  // namespace tideline
