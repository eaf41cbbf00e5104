// The formats of explicit systems as rows of the table of languages.
#pragma once

#include "input/language.hpp"

namespace tideline::lts {

// Begins with the header of the Aldebaran format.
bool looks_like_aut(std::string_view text);

Result<input::Translation> load_aut(const SourceText& source, const LoadOptions& options, const Budget& budget);
Result<input::Translation> load_kripke(const SourceText& source, const LoadOptions& options, const Budget& budget);

}  // namespace tideline::lts
