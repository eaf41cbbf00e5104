// The formats of explicit systems as rows of the table of languages.
#pragma once

#include "input/language.hpp"

namespace tideline::input::lts {

// Begins with the header of the Aldebaran format.
bool looks_like_aut(std::string_view text);

support::Result<input::Translation> load_aut(const support::SourceText& source, const LoadOptions& options,
                                             const support::Budget& budget);
support::Result<input::Translation> load_kripke(const support::SourceText& source, const LoadOptions& options,
                                                const support::Budget& budget);

}  // namespace tideline::input::lts
