// DVE as a row of the table of languages.
#pragma once

#include "input/language.hpp"

namespace tideline::input::dve {

support::Result<input::Translation> load(const support::SourceText& source, const LoadOptions& options,
                                         const support::Budget& budget);

}  // namespace tideline::input::dve
