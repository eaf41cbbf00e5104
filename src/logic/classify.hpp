// What the syntax of a formula shows: its logic and its class in the hierarchy of Manna and Pnueli.
#pragma once

#include <string_view>

#include "logic/formula.hpp"
#include "logic/parse.hpp"

namespace tideline::logic {

// A class contains all formulas of its subclasses. Every safety property is an obligation, every obligation a
// recurrence and a persistence property; every property is a reactivity property.
enum class PropertyClass : std::uint8_t { safety, guarantee, obligation, recurrence, persistence, reactivity };

// The smallest class that the syntax of an LTL formula shows; rewriting beforehand may show a smaller one.
PropertyClass property_class(const Formulas& formulas, Formula f);

std::string_view to_text(PropertyClass property_class);

// Whether `f` is a formula of the logic: of LTL without quantifiers, of CTL a state formula with a quantifier before
// each temporal operator, of CTL* always. A boolean formula is of all three.
bool belongs_to(const Formulas& formulas, Formula f, Logic logic);

// Whether the syntax shows that an LTL formula is stutter-invariant: its truth does not depend on how often a letter is
// repeated. Some formulas with X are stutter-invariant too.
bool is_stutter_invariant_by_shape(const Formulas& formulas, Formula f);

}  // namespace tideline::logic
