// Macros, includes and conditions, by the library mcpp, and the tokens of what comes out. Every token knows where it
// was written: mcpp marks every use of a macro in its output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "input/promela/syntax.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::input::promela {

struct PreprocessOptions {
    std::vector<std::string> definitions;  // NAME or NAME=VALUE
    std::vector<std::string> include_dirs;
};

enum class TokenKind : std::uint8_t { end, name, number, text, character, punctuation };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;  // of a string: without the quotes
    Place place;
    std::int32_t macro = -1;  // the outermost macro that it comes from: its place in Preprocessed::macros
};

struct MacroUse {
    std::string name;
    Place use;
};

struct MacroDefinition {
    std::string name;
    Place place;
};

struct Preprocessed {
    std::vector<support::SourceText> files;
    std::vector<support::SourceSpan> include_spans;
    std::vector<Token> tokens;  // the last is `end`
    std::vector<MacroUse> macros;
    std::vector<MacroDefinition> definitions;
    std::string text;
};

support::Result<Preprocessed> preprocess(const support::SourceText& source, const PreprocessOptions& options,
                                         const support::Budget& budget);

}  // namespace tideline::input::promela
