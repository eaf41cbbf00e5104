// Tokens of DVE, made one at a time while the parser asks for them. A token's text is a view into the source, which
// must not move in the meantime. Errors are thrown as SyntaxError, which never leaves this folder: parse() catches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "support/budget.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::input::dve {

enum class TokenKind {
    end,
    name,
    number,
    // keywords
    kw_accept,
    kw_and,
    kw_assert,
    kw_async,
    kw_byte,
    kw_channel,
    kw_commit,
    kw_const,
    kw_effect,
    kw_false,
    kw_guard,
    kw_imply,
    kw_init,
    kw_int,
    kw_not,
    kw_or,
    kw_process,
    kw_property,
    kw_state,
    kw_sync,
    kw_system,
    kw_trans,
    kw_true,
    // punctuation
    left_brace,
    right_brace,
    left_bracket,
    right_bracket,
    left_paren,
    right_paren,
    comma,
    semicolon,
    colon,
    dot,
    arrow,
    fat_arrow,
    assign,
    bang,
    question,
    // operators; && and || give kw_and and kw_or
    plus,
    minus,
    star,
    slash,
    percent,
    tilde,
    ampersand,
    bar,
    caret,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    shift_left,
    shift_right,
};

struct Token {
    TokenKind kind = TokenKind::end;
    support::SourceSpan span;
    std::string_view text;
    std::int64_t number = 0;  // of a number
};

struct SyntaxError {
    support::Diagnostic diagnostic;
};

// How a keyword or a sign is written, in quotes; a description of the other kinds.
std::string spelling(TokenKind kind);

class Lexer {
public:
    explicit Lexer(const support::SourceText& source);

    // The next token; at the end of the text, always `end`.
    Token next();

private:
    void skip_space_and_comments();
    void skip_block_comment();
    Token name();
    Token number();
    Token sign();
    Token token(TokenKind kind, std::size_t begin) const;
    [[nodiscard]] char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
    [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message, std::string hint = {}) const;
    [[noreturn]] void fail_at_character() const;

    const support::SourceText& source_;
    std::string_view text_;
    std::size_t offset_ = 0;
};

// Words that a misspelled one may have meant.
using Words = std::initializer_list<std::string_view>;

// The parser's position in the text: the token that comes next, the end of the one before, and the errors about them.
class TokenCursor {
public:
    // `end_name` says what the end of the text is called in errors, as in "the end of the file". Where the budget is
    // exhausted, taking a token throws, as an error does.
    TokenCursor(const support::SourceText& source, std::string end_name, const support::Budget& budget);

    [[nodiscard]] const Token& peek() const { return current_; }
    [[nodiscard]] bool at(TokenKind kind) const { return current_.kind == kind; }
    // The end of the last token that was taken.
    [[nodiscard]] std::uint32_t previous_end() const { return previous_end_; }

    Token take();
    // Takes the next token if it is of this kind.
    bool accept(TokenKind kind);
    // Takes the next token, which must be of this kind; `where` completes the message ("after the guard"),
    // `words` are what a misspelled word there may have meant.
    Token expect(TokenKind kind, std::string_view where = {}, Words words = {});

    // "expected WHAT, found THE NEXT TOKEN".
    [[noreturn]] void fail_expected(std::string_view what, Words words = {}) const;
    [[noreturn]] void fail_expected_hint(std::string_view what, std::string hint) const;
    // "expected WHAT, found FOUND", at the next token.
    [[noreturn]] void fail_found(std::string_view what, std::string_view found, std::string hint) const;
    [[noreturn]] void fail(support::SourceSpan span, std::string message, std::string hint) const;

    // The next token as an error names it.
    [[nodiscard]] std::string found() const;

private:
    const support::SourceText& source_;
    Lexer lexer_;
    std::string end_name_;
    Token current_;
    std::uint32_t previous_end_ = 0;
    support::BudgetPoll poll_;
};

}  // namespace tideline::input::dve
