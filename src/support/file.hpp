// Whole files as text, with errors a user can act on.
#pragma once

#include <string>

#include "support/diagnostic.hpp"

namespace tideline {

Result<std::string> read_text_file(const std::string& path);

}  // namespace tideline
