// DVE as a row of the table of languages.
#pragma once

#include "input/language.hpp"

namespace tideline::dve {

Result<input::Translation> load(const SourceText& source, const LoadOptions& options, const Budget& budget);

}  // namespace tideline::dve
