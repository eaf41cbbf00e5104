#include "input/dve/lexer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace tideline::input::dve {
namespace {

std::vector<Token> tokens_of(const support::SourceText& source) {
    Lexer lexer(source);
    std::vector<Token> result;
    for (;;) {
        result.push_back(lexer.next());
        if (result.back().kind == TokenKind::end) return result;
    }
}

std::vector<TokenKind> kinds_of(std::string text) {
    const support::SourceText source("m.dve", std::move(text));
    std::vector<TokenKind> result;
    for (const Token& token : tokens_of(source)) result.push_back(token.kind);
    result.pop_back();
    return result;
}

support::Diagnostic error_of(std::string text) {
    const support::SourceText source("m.dve", std::move(text));
    try {
        (void)tokens_of(source);
    } catch (const SyntaxError& error) {
        return error.diagnostic;
    }
    return {};
}

using K = TokenKind;

TEST(Lexer, GivesTheEndAgainAndAgain) {
    const support::SourceText source("m.dve", " \n ");
    Lexer lexer(source);
    EXPECT_EQ(lexer.next().kind, K::end);
    EXPECT_EQ(lexer.next().kind, K::end);
}

TEST(Lexer, TellsKeywordsFromNames) {
    EXPECT_EQ(kinds_of("byte bytes int _int const Const state2 trans buchi genbuchi"),
              (std::vector<K>{K::kw_byte, K::name, K::kw_int, K::name, K::kw_const, K::name, K::name, K::kw_trans,
                              K::name, K::name}));
}

TEST(Lexer, KnowsEveryKeyword) {
    const std::vector<std::string> words{"byte",  "int",    "const",  "channel", "process",  "state",
                                         "init",  "commit", "accept", "assert",  "trans",    "guard",
                                         "sync",  "effect", "system", "async",   "property", "true",
                                         "false", "and",    "or",     "imply",   "not"};
    for (const std::string& word : words) {
        const std::vector<K> kinds = kinds_of(word);
        ASSERT_EQ(kinds.size(), 1U) << word;
        EXPECT_EQ(spelling(kinds[0]), "'" + word + "'");
    }
}

TEST(Lexer, TakesTheLongestSign) {
    EXPECT_EQ(kinds_of("->=>==!=<=>=<<>>&&||"),
              (std::vector<K>{K::arrow, K::fat_arrow, K::equal, K::not_equal, K::less_equal, K::greater_equal,
                              K::shift_left, K::shift_right, K::kw_and, K::kw_or}));
    EXPECT_EQ(kinds_of("- = ! < > & | ^ ~ + * / % ? . : , ; ( ) [ ] { }"),
              (std::vector<K>{K::minus,        K::assign,        K::bang,       K::less,       K::greater,
                              K::ampersand,    K::bar,           K::caret,      K::tilde,      K::plus,
                              K::star,         K::slash,         K::percent,    K::question,   K::dot,
                              K::colon,        K::comma,         K::semicolon,  K::left_paren, K::right_paren,
                              K::left_bracket, K::right_bracket, K::left_brace, K::right_brace}));
}

TEST(Lexer, DoesNotGlueSignsOverSpaces) {
    EXPECT_EQ(kinds_of("- > = = & &"),
              (std::vector<K>{K::minus, K::greater, K::assign, K::assign, K::ampersand, K::ampersand}));
}

TEST(Lexer, GivesEachTokenItsSpanAndText) {
    const support::SourceText source("m.dve", "ab  12;");
    const std::vector<Token> tokens = tokens_of(source);
    ASSERT_EQ(tokens.size(), 4U);
    EXPECT_EQ(tokens[0].text, "ab");
    EXPECT_EQ(tokens[0].span, (support::SourceSpan{0, 2}));
    EXPECT_EQ(tokens[1].span, (support::SourceSpan{4, 6}));
    EXPECT_EQ(tokens[1].number, 12);
    EXPECT_EQ(tokens[3].span, (support::SourceSpan{7, 7}));
}

TEST(Lexer, SkipsBothKindsOfComments) {
    EXPECT_EQ(kinds_of("a // b \xE9 * /* \n/* c // \n ** /* */ d /**/ e //"),
              (std::vector<K>{K::name, K::name, K::name}));
}

TEST(Lexer, ReportsAnUnterminatedCommentAtItsStart) {
    const support::Diagnostic error = error_of("a\n  /* b\n c /");
    EXPECT_EQ(error.position, (support::SourcePosition{2, 3}));
    EXPECT_EQ(error.message, "expected '*/' at the end of this comment, found the end of the text");
    EXPECT_EQ(error_of("/*/").position, (support::SourcePosition{1, 1}));
}

TEST(Lexer, ReadsNumbersUpTo63Bits) {
    const support::SourceText source("m.dve", "007 9223372036854775807");
    const std::vector<Token> tokens = tokens_of(source);
    EXPECT_EQ(tokens[0].number, 7);
    EXPECT_EQ(tokens[1].number, 9223372036854775807);
    const support::Diagnostic error = error_of("1 9223372036854775808");
    EXPECT_EQ(error.position, (support::SourcePosition{1, 3}));
    EXPECT_EQ(error.message, "the number '9223372036854775808' is too large");
}

TEST(Lexer, RefusesANumberThatRunsIntoAName) {
    const support::Diagnostic error = error_of("x = 0x1F;");
    EXPECT_EQ(error.position, (support::SourcePosition{1, 5}));
    EXPECT_EQ(error.message, "'0x1F' is neither a number nor a name");
    EXPECT_EQ(error.caret, "    ^^^^");
}

TEST(Lexer, ShowsACharacterThatDveDoesNotHave) {
    EXPECT_EQ(error_of("a $").message, "unexpected character '$'");
    EXPECT_EQ(error_of("a \xC3\xA9").message, "unexpected character '\xC3\xA9'");
    EXPECT_EQ(error_of("a \xC3\xA9").position, (support::SourcePosition{1, 3}));
}

TEST(Lexer, SaysThatABinaryFileIsNoText) {
    EXPECT_EQ(error_of(std::string("a\0b", 3)).message, "this is not a text file (byte 0x00 at offset 1)");
    EXPECT_EQ(error_of("\x7F"
                       "ELF")
                  .message,
              "this is not a text file (byte 0x7F at offset 0)");
    EXPECT_EQ(error_of("a\n\xFF\xFE").message, "this is not a text file (byte 0xFF at offset 2)");
    EXPECT_EQ(error_of("\xC3").message, "this is not a text file (byte 0xC3 at offset 0)");
}

TEST(Lexer, SkipsAByteOrderMark) {
    EXPECT_EQ(kinds_of("\xEF\xBB\xBF"
                       "byte"),
              (std::vector<K>{K::kw_byte}));
}

TEST(Lexer, AcceptsANameOf4096CharactersAndNoMore) {
    EXPECT_EQ(kinds_of(std::string(4096, 'x')), (std::vector<K>{K::name}));
    const support::Diagnostic error = error_of(" " + std::string(4097, 'x'));
    EXPECT_EQ(error.position, (support::SourcePosition{1, 2}));
    EXPECT_EQ(error.message, "the name '" + std::string(40, 'x') +
                                 "...' is too long: it has 4097 characters, at most 4096 are allowed");
}

TEST(Lexer, RefusesTokensOfTenMegabytesWithAShortExcerpt) {
    for (const char c : {'x', '7'}) {
        const support::Diagnostic error = error_of(std::string(10'000'000, c));
        EXPECT_FALSE(error.message.empty());
        EXPECT_LT(error.message.size() + error.excerpt.size() + error.caret.size(), 600U);
    }
}

}  // namespace
}  // namespace tideline::input::dve
