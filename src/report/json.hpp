// A run as a JSON object, for programs. The names are fixed: scripts rely on them.
#pragma once

#include <string>

#include "run/run_report.hpp"

namespace tideline {

// One object, ended by a newline. Bytes of the model's text that are not UTF-8 are replaced.
std::string to_json(const run::RunReport& report);

}  // namespace tideline
