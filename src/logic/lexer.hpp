// The tokens of a formula: one lexer for all spellings of LTL, CTL and CTL* that people use.
//
// A sequence of operator letters is read as operators: GF p is G F p, AGEF p is A G E F p. Anything else that looks
// like a name is one, even if it begins with an operator's letter. Names may be members and elements (P.x, a[2]), and
// two sums of them may be compared (x + 1 < y); every other expression of the model stands between braces or double
// quotes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "logic/formula.hpp"
#include "support/diagnostic.hpp"

namespace tideline::logic {

struct FormulaToken {
    enum class Kind : std::uint8_t { end, atom, constant, prefix, infix, open, close, open_bracket, close_bracket };
    Kind kind = Kind::end;
    Connective connective = Connective::atom;  // of a constant, a prefix or an infix
    bool bare = false;                         // an atom that was neither quoted nor in braces
    std::string atom;                          // its text
    support::SourceSpan span;                  // for a quoted or braced atom, of the text inside
};

class FormulaLexer {
public:
    // Reads a part of the text.
    FormulaLexer(const support::SourceText& source, support::SourceSpan part);

    // The next token; an error ends the lexing.
    support::Result<FormulaToken> next();

private:
    void skip_space();
    support::Result<FormulaToken> comparison(std::size_t end, bool is_negated);
    support::Result<FormulaToken> word();
    support::Result<FormulaToken> quoted();
    support::Result<FormulaToken> braced();
    support::Result<FormulaToken> symbol();
    [[nodiscard]] FormulaToken token(FormulaToken::Kind kind, Connective connective, std::size_t begin) const;
    [[nodiscard]] support::Diagnostic error(std::size_t begin, std::size_t end, std::string message,
                                            std::string hint = {}) const;

    const support::SourceText& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    bool is_behind_negation_ = false;  // the last token was a negation
    std::size_t letters_end_ = 0;      // operator letters of a sequence are returned one by one up to here
};

// Whether `text` is read as a name when it occurs in a formula unquoted.
bool is_bare_atom(std::string_view text);

// The words that are operators, for suggestions.
std::vector<std::string> formula_words();

}  // namespace tideline::logic
