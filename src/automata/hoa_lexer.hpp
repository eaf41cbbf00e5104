// The tokens of an automaton in the HOA format; used by hoa_parse.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/diagnostic.hpp"

namespace tideline::automata {

// The exception for errors inside the reader.
struct HoaError {
    support::Diagnostic diagnostic;
};

struct HoaToken {
    // A header is a name followed at once by a colon; an alias begins with @; a marker is --BODY-- and the like.
    enum class Kind : std::uint8_t { end, header, name, number, text, alias, marker, symbol };
    Kind kind = Kind::end;
    std::string text;
    std::uint64_t number = 0;
    support::SourceSpan span;
};

class HoaLexer {
public:
    explicit HoaLexer(const support::SourceText& source) : source_(source), text_(source.text()) { advance(); }

    [[nodiscard]] const HoaToken& peek() const { return token_; }
    HoaToken next();
    [[nodiscard]] bool at_symbol(std::string_view s) const {
        return token_.kind == HoaToken::Kind::symbol && token_.text == s;
    }
    bool accept(std::string_view s);
    // These throw HoaError where something else comes.
    void expect(std::string_view s);
    std::uint64_t number(const std::string& what);
    [[nodiscard]] std::string found() const;
    [[noreturn]] void fail(support::SourceSpan span, std::string message, std::string hint = {}) const;

private:
    void skip();
    void skip_comment();
    void advance();
    void read();
    void read_text();

    const support::SourceText& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    HoaToken token_;
};

}  // namespace tideline::automata
