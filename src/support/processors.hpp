// How many processors the process may use.
#pragma once

#include <filesystem>

namespace tideline::support {

// Those that the process may run on (its affinity), or fewer where a control group (version 1 or 2, its own or one
// above it) allows less time: a quota of one and a half processors counts as two, since threads that wait leave some of
// it. At least 1. `root` is where proc and sys are found.
[[nodiscard]] unsigned available_processors(const std::filesystem::path& root = "/");

}  // namespace tideline::support
