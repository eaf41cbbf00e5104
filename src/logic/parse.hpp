// The parser for formulas of LTL, CTL and CTL*.
//
//   constants   true false 1 0
//   atoms       a name (x, P.critical, a[2]);
//               two sums of names and numbers, compared (x + 1 < y);
//               any expression of the model in braces or double quotes ({x + 1 == y}, "x < 3")
//   prefix      ! ~ not;  X () next;  F <> eventually finally;  G [] always globally;  E exists;  A forall
//   infix       U until;  R V release;  W unless "weak until";  M "strong release"        from right to left
//               & && /\ and;  ^ xor;  | || \/ or;  -> => implies;  <-> <=> iff
//
// Weakest last: prefix operators bind most strongly, then U R W M, and, xor, or, implies, iff. After A and E brackets
// may take the place of parentheses: A[p U q]. Implication, too, is read from right to left. Where other tools read a
// text differently, a warning says so.
//
// The work is done with explicit stacks, so that no input, however deeply nested, exhausts the call stack.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "logic/formula.hpp"
#include "support/diagnostic.hpp"

namespace tideline::logic {

enum class Logic : std::uint8_t { ltl, ctl, ctl_star };

struct FormulaContext {
    Logic logic = Logic::ctl_star;
    // Names that a bare atom may be; empty: any. A bare atom that is none of them is an error, unless check_atom is
    // given: then they only serve for suggestions.
    std::vector<std::string> names;
    // Looks at an atom, in the order of the text (an atom that occurs twice is shown twice); what it returns is
    // reported. Errors end the parsing.
    std::function<support::Diagnostics(const support::SourceText& source, support::SourceSpan span,
                                       const std::string& atom)>
        check_atom;
};

// In LTL a path quantifier, and in CTL a temporal operator without its quantifier, is an error.
support::Result<Formula> parse_formula(Formulas& formulas, const support::SourceText& source,
                                       const FormulaContext& context = {});
// The same for a part of a text; messages show the whole.
support::Result<Formula> parse_formula(Formulas& formulas, const support::SourceText& source, support::SourceSpan part,
                                       const FormulaContext& context);

}  // namespace tideline::logic
