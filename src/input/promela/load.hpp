// Promela as a row of the table of languages.
#pragma once

#include "input/language.hpp"

namespace tideline::input::promela {

support::Result<input::Translation> load(const support::SourceText& source, const LoadOptions& options,
                                         const support::Budget& budget);

}  // namespace tideline::input::promela
