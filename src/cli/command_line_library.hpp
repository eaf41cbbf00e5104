// The only place that includes the command-line library: it takes long to compile. What reads the values of options
// (read_*.hpp) does without it.
#pragma once

#include <CLI/CLI.hpp>
