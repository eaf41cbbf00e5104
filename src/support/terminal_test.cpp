#include "support/terminal.hpp"

#include <unistd.h>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

Environment with_term(std::string term) {
    Environment environment;
    environment.term = std::move(term);
    return environment;
}

TEST(Terminal, APipeIsNotATerminal) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    Environment environment = with_term("xterm");
    environment.lang = "C.UTF-8";
    const TerminalTraits traits = terminal_traits(ends[1], environment);
    EXPECT_FALSE(traits.terminal);
    EXPECT_FALSE(traits.colour);
    EXPECT_TRUE(traits.utf8);
    EXPECT_EQ(traits.width, 80U);
    close(ends[0]);
    close(ends[1]);
    EXPECT_FALSE(terminal_traits(-1, environment).terminal);
}

TEST(Terminal, ColoursNeedATerminalThatIsNotDumbAndNoRefusal) {
    EXPECT_TRUE(may_colour(true, with_term("xterm-256color")));
    EXPECT_FALSE(may_colour(false, with_term("xterm-256color")));
    EXPECT_FALSE(may_colour(true, with_term("dumb")));
    EXPECT_FALSE(may_colour(true, with_term("")));
    Environment refused = with_term("xterm");
    refused.no_color = "1";
    EXPECT_FALSE(may_colour(true, refused));
}

TEST(Terminal, TheFirstLocaleVariableWithAValueDecides) {
    const auto utf8 = [](std::string all, std::string ctype, std::string lang) {
        return is_utf8({.no_color = {},
                        .term = {},
                        .lc_all = std::move(all),
                        .lc_ctype = std::move(ctype),
                        .lang = std::move(lang)});
    };
    EXPECT_TRUE(utf8("", "", "en_GB.UTF-8"));
    EXPECT_TRUE(utf8("", "", "C.utf8"));
    EXPECT_TRUE(utf8("", "de_DE.UTF-8@euro", "C"));
    EXPECT_FALSE(utf8("C", "en_GB.UTF-8", "en_GB.UTF-8"));
    EXPECT_FALSE(utf8("", "POSIX", "en_GB.UTF-8"));
    EXPECT_FALSE(utf8("", "", "de_DE.ISO-8859-1"));
    EXPECT_FALSE(utf8("", "", ""));
}

TEST(Terminal, PaintIsLeftOutWhereThereAreNoColours) {
    EXPECT_EQ(painted("x", Ink::red, false), "x");
    EXPECT_EQ(painted("x", Ink::red, true), "\x1b[1;31mx\x1b[0m");
    EXPECT_EQ(painted("", Ink::red, true), "");
}

TEST(Terminal, WidthCountsCharacters) {
    EXPECT_EQ(text_width(""), 0U);
    EXPECT_EQ(text_width("abc"), 3U);
    EXPECT_EQ(text_width("a\u2192\u00e4"), 3U);
}

TEST(Terminal, LongTextIsCutBetweenCharacters) {
    EXPECT_EQ(cut_to_width("abcdef", 6, true), "abcdef");
    EXPECT_EQ(cut_to_width("abcdefg", 6, true), "abcde\u2026");
    EXPECT_EQ(cut_to_width("abcdefg", 6, false), "abc...");
    EXPECT_EQ(cut_to_width("\u00e4\u00e4\u00e4\u00e4", 3, true), "\u00e4\u00e4\u2026");
    EXPECT_EQ(cut_to_width("abcdefg", 2, false), "ab");
    EXPECT_EQ(cut_to_width("abcdefg", 0, true), "");
}

TEST(Terminal, OneLineHasNoControlCharacters) {
    EXPECT_EQ(one_line("  a ->\n\t b  {\r\n}\n"), "a -> b { }");
    EXPECT_EQ(one_line("a\x1b[31mb\x7f"), "a?[31mb?");
    EXPECT_EQ(one_line("\u2192"), "\u2192");
    EXPECT_EQ(one_line(" \n"), "");
}

}  // namespace
}  // namespace tideline::support
