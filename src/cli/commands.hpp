// The subcommands: each runs to its end and returns the exit status.
#pragma once

#include "cli/command_line.hpp"

namespace tideline {

int run(const ExploreCommand& command);
int run(const CheckCommand& command);
int run(const ConvertCommand& command);

}  // namespace tideline
