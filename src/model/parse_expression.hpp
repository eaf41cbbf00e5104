// The only parser for expressions over a model's names, for every input language: for invariants, progress measures and
// the atoms of formulas.
//
// Names are those that traces show: x, a[2], P.x (also P->x), P.s (1 if process P is in location s), c.length, labels,
// constants. Operators, weakest first: imply; or ||; and &&; |; ^; &; == !=; < <= > >=; << >>; + -; * / %; unary - ~
// not !.
#pragma once

#include "model/model.hpp"
#include "support/diagnostic.hpp"

namespace tideline::model {

// Whether the name of a process may stand for the number of its location: yes in measures, an error in conditions.
enum class LocationNumbers : std::uint8_t { refused, allowed };

support::Result<Expression> parse_expression(const Model& model, const support::SourceText& source,
                                             LocationNumbers locations = LocationNumbers::refused);
// The same for a part of a text; messages show the whole.
support::Result<Expression> parse_expression(const Model& model, const support::SourceText& source,
                                             support::SourceSpan part, LocationNumbers locations);

}  // namespace tideline::model
