// Output of the commands: diagnostics, files, and the check of standard output at the end.
#pragma once

#include <cstdio>
#include <functional>
#include <string>

#include "cli/command_line.hpp"
#include "report/summary.hpp"
#include "run/refusal.hpp"
#include "run/sink.hpp"
#include "support/diagnostic.hpp"
#include "support/terminal.hpp"
#include "support/text_sink.hpp"

namespace tideline::cli {

enum ExitStatus : int { kHolds = 0, kViolated = 1, kWrongInput = 2, kUndecided = 3, kInternalError = 4 };

// Diagnostics to standard error.
void print(const support::Diagnostics& diagnostics);
// Its diagnostics; the exit status.
int print(const run::Refusal& refusal);

// False, with a message, where the file could not be written completely.
bool write_file(const std::string& path, const std::string& text);
// The same for text that is produced piece by piece.
bool write_file(const std::string& path, const std::function<void(const support::TextSink&)>& write);

// Writes to a stream.
[[nodiscard]] support::TextSink sink_into(std::FILE* stream);
// False, with a message, where a file that has to be written cannot be.
[[nodiscard]] bool outputs_are_writable(const OutputOptions& output);

// The given exit status, or that of an internal error where standard output could not be written (with a message).
int end_of_output(int status);

// Colours and encoding, by the environment and the descriptor.
[[nodiscard]] support::TerminalTraits traits_of(int descriptor);
[[nodiscard]] report::SummaryOptions summary_options(int descriptor, trace::TraceStyle style);

// A variable of the environment; empty where there is none.
[[nodiscard]] std::string environment_variable(const char* name);

}  // namespace tideline::cli
