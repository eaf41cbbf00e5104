// The one parser for expressions over a model's names, whatever language the model was written in: for invariants, progress
// measures and the atoms of formulas.
//
// Names are those that traces show: x, a[2], P.x (also P->x), P.s (1 if process P is in location s), c.length, labels, constants.
// Operators, weakest first: imply; or ||; and &&; |; ^; &; == !=; < <= > >=; << >>; + -; * / %; unary - ~ not !.
#pragma once

#include "model/model.hpp"
#include "support/diagnostic.hpp"

namespace tideline {

// Whether the name of a process may stand for the number of its location: in measures it may, in conditions that is a mistake.
enum class LocationNumbers : std::uint8_t { refused, allowed };

Result<Expression> parse_expression(const Model& model, const SourceText& source,
                                    LocationNumbers locations = LocationNumbers::refused);
// The same for a part of a text; messages show the whole.
Result<Expression> parse_expression(const Model& model, const SourceText& source, SourceSpan part, LocationNumbers locations);

}  // namespace tideline
