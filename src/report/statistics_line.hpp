// What a search has counted so far, as one line of JSON: a stream of them is easily plotted.
#pragma once

#include <string>

#include "explore/statistics.hpp"

namespace tideline::report {

// An object in one line, ended by a newline. `seconds` since the run began.
[[nodiscard]] std::string statistics_line(const explore::Statistics& statistics, double seconds);

}  // namespace tideline::report
