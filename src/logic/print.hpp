// Formulas as text that parses back to the same formula.
#pragma once

#include <string>

#include "logic/formula.hpp"

namespace tideline::logic {

std::string to_text(const Formulas& formulas, Formula f);

// A formula of LTL in SPIN's spelling, for other translators: [] <> U V X ! && || -> <-> only. Its atoms are written as
// they are.
std::string to_spin_text(Formulas& formulas, Formula f);

// An atom as written in a formula: a name unquoted, any other expression in double quotes.
std::string atom_text(const std::string& atom);

}  // namespace tideline::logic
