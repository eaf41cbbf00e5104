// Files of properties: one a line, with a name and, if wanted, the verdict that is expected.
//
//   # what follows a number sign at the beginning of a line is a comment
//   mutex:             invariant not (P0.critical and P1.critical)
//   response violated: ltl G (P0.waiting -> F P0.critical)
//   never stuck:       deadlock
//   bad runs:          automaton bad.hoa
//
// A line that begins with a blank goes on with the property before it. docs/manual.md describes the format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "support/diagnostic.hpp"

namespace tideline {

struct PropertyLine {
    enum class Kind : std::uint8_t { invariant, deadlock, ltl, automaton };
    std::string name;
    Kind kind = Kind::invariant;
    SourceSpan text;                 // what follows the kind; of an automaton its file
    std::optional<Answer> expected;
};

Result<std::vector<PropertyLine>> parse_properties(const SourceText& source);

}  // namespace tideline
