// What the shape of a formula tells about it, in words: its logic and its class in the hierarchy of Manna and Pnueli.
#pragma once

#include <string_view>

#include "logic/formula.hpp"
#include "logic/parse.hpp"

namespace tideline {

// In a class are also all formulas of the classes that it contains: every safety property is an obligation, every obligation a recurrence
// and a persistence property, everything is reactivity.
enum class PropertyClass : std::uint8_t { safety, guarantee, obligation, recurrence, persistence, reactivity };

// The smallest class that the shape of an LTL formula shows; rewriting beforehand may show a smaller one.
PropertyClass property_class(const Formulas& formulas, Formula f);

std::string_view to_text(PropertyClass property_class);

// Whether `f` is a formula of the logic: of LTL without quantifiers, of CTL a state formula with a quantifier before each temporal
// operator, of CTL* always. A boolean formula is of all three.
bool belongs_to(const Formulas& formulas, Formula f, Logic logic);

// That the truth of an LTL formula does not depend on how often a letter is repeated; there are formulas with X for which it holds
// nevertheless.
bool is_stutter_invariant_by_shape(const Formulas& formulas, Formula f);

}  // namespace tideline
