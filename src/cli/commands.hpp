// The subcommands: each runs to its end and returns the exit status.
#pragma once

#include "cli/command_line.hpp"
#include "cli/cpp_main.hpp"

namespace tideline {

// `program`: the system written in C++ that the command works on; null where there is a file.
int run(const ExploreCommand& command, const CppProgram* program);
int run(const CheckCommand& command, const CppProgram* program);
int run(const ProgressCommand& command, const CppProgram* program);
int run(const ConvertCommand& command, const CppProgram* program);
int run(const ResumeCommand& command, const CppProgram* program);
int run(const AuditCommand& command, const CppProgram* program);

}  // namespace tideline
