// The subcommands: each runs to its end and returns the exit status.
#pragma once

#include "cli/command_line.hpp"
#include "cli/cpp_main.hpp"
#include "support/signals.hpp"

namespace tideline::cli {

// The context of a command, besides its options.
struct Caller {
    const CppProgram* program = nullptr;  // the system written in C++ that it works on; null where there is a file
    const support::Interrupt& interrupt;  // the process's signals
};

int run(const ExploreCommand& command, const Caller& caller);
int run(const CheckCommand& command, const Caller& caller);
int run(const ProgressCommand& command, const Caller& caller);
int run(const ConvertCommand& command, const Caller& caller);
int run(const ResumeCommand& command, const Caller& caller);
int run(const AuditCommand& command, const Caller& caller);
int run(const SimulateCommand& command, const Caller& caller);
int run(const TraceCommand& command, const Caller& caller);

}  // namespace tideline::cli
