#include "support/diagnostic.hpp"

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

Diagnostic at(const std::string& text, SourceSpan span) {
    return diagnostic_at(SourceText("m.dve", text), span, "wrong", "right");
}

TEST(DiagnosticText, ShowsThePlaceTheLineAndTheCaret) {
    EXPECT_EQ(to_text(at("one\ntwo three\n", {8, 13})), "m.dve:2:5: error: wrong\n  two three\n      ^^^^^\n  right\n");
}

TEST(DiagnosticText, AWarningSaysSo) {
    Diagnostic diagnostic = at("x", {0, 1});
    diagnostic.severity = Severity::warning;
    diagnostic.hint.clear();
    EXPECT_EQ(to_text(diagnostic), "m.dve:1:1: warning: wrong\n  x\n  ^\n");
}

TEST(DiagnosticText, WithoutAFileItIsAboutTheProgram) {
    EXPECT_EQ(to_text(diagnostic_about("", "no model")), "tideline: error: no model\n");
    EXPECT_EQ(to_text(diagnostic_about("m.dve", "empty", "fill it")), "m.dve: error: empty\n  fill it\n");
}

TEST(DiagnosticText, TheCaretStandsUnderTabsAndWideCharacters) {
    EXPECT_EQ(at("\t\tx", {2, 3}).caret, "\t\t^");
    EXPECT_EQ(at("\u00e4\u00e4x", {4, 5}).caret, "  ^");
    EXPECT_EQ(at("\u00e4\u00e4x", {0, 4}).caret, "^^");
}

TEST(DiagnosticText, APlaceAtTheEndHasOneCaret) {
    EXPECT_EQ(at("abc", {3, 3}).caret, "   ^");
    EXPECT_EQ(at("abc\r\n", {4, 4}).caret, "   ^");
    EXPECT_EQ(at("", {0, 0}).caret, "^");
}

TEST(DiagnosticText, ASpanOfSeveralLinesIsMarkedToTheEndOfTheFirst) { EXPECT_EQ(at("ab\ncd", {1, 5}).caret, " ^"); }

TEST(DiagnosticText, OfALongLineThePartAroundTheCaretIsShown) {
    const Diagnostic diagnostic = at(std::string(5000, 'a') + "!" + std::string(5000, 'b'), {5000, 5001});
    EXPECT_EQ(diagnostic.excerpt, "..." + std::string(60, 'a') + "!" + std::string(59, 'b') + "...");
    EXPECT_EQ(diagnostic.caret, std::string(63, ' ') + "^");
    EXPECT_EQ(diagnostic.position.column, 5001U);
}

TEST(DiagnosticText, ControlCharactersAreMadeVisible) { EXPECT_EQ(at("a\x1b[0m", {0, 1}).excerpt, "a?[0m"); }

TEST(ClosestName, FindsMisspellingsOnly) {
    const std::vector<std::string> names = {"guard", "effect", "x", "counter"};
    EXPECT_EQ(closest_name("guad", names), "guard");
    EXPECT_EQ(closest_name("Counter", names), "counter");
    EXPECT_EQ(closest_name("efect", names), "effect");
    EXPECT_EQ(closest_name("zzzzzz", names), "");
    EXPECT_EQ(closest_name("y", names), "");
    EXPECT_EQ(closest_name(std::string(100, 'a'), names), "");
    EXPECT_EQ(suggestion("guad", names), "did you mean 'guard'?");
    EXPECT_EQ(suggestion("zzzzzz", names), "");
}

TEST(InQuotes, CutsLongTextBetweenCharacters) {
    EXPECT_EQ(in_quotes("abc"), "'abc'");
    EXPECT_EQ(in_quotes(""), "''");
    EXPECT_EQ(in_quotes(std::string(40, 'a')), "'" + std::string(40, 'a') + "'");
    EXPECT_EQ(in_quotes(std::string(41, 'a')), "'" + std::string(40, 'a') + "...'");
    EXPECT_EQ(in_quotes(std::string(39, 'a') + "\u00e4b"), "'" + std::string(39, 'a') + "...'");
    EXPECT_EQ(in_quotes(std::string(38, 'a') + "\u00e4b"), "'" + std::string(38, 'a') + "\u00e4...'");
    EXPECT_EQ(in_quotes("a\tb\nc"), "'a b?c'");
}

TEST(Result, HoldsAValueOrErrors) {
    const Result<int> good(7, {diagnostic_about("", "careful")});
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, 7);
    EXPECT_EQ(good.diagnostics().size(), 1U);
    const Result<int> bad(diagnostic_about("", "no"));
    EXPECT_FALSE(bad);
    EXPECT_EQ(bad.diagnostics().at(0).message, "no");
}

}  // namespace
}  // namespace tideline::support
