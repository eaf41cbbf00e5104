// The subcommands with all their options and help, and where the command-line library puts the values.
#pragma once

#include "cli/option_values.hpp"

namespace CLI {
class App;
}

namespace tideline::cli {

// Of a program that is named already. For a system written in C++ (`program` is not null) there are its own options in
// place of a model, and no commands that only read files.
void declare_commands(CLI::App& app, OptionValues& values, const CppOptions* program);

}  // namespace tideline::cli
