#include "logic/word.hpp"

#include <gtest/gtest.h>

#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"

namespace tideline::logic {
namespace {

TEST(Word, AgreesWithTheLiteralDefinition) {
    RandomEngine random(11);
    std::size_t held = 0;
    constexpr std::size_t kRounds = 4000;
    for (std::size_t round = 0; round < kRounds; ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b"), formulas.atom("c")};
        const Formula f = random_ltl(formulas, random, atoms, 1 + below(random, 14));
        for (int i = 0; i < 5; ++i) {
            const Lasso word = random_lasso(random, atoms.size());
            const bool expected = holds_on(formulas, f, word, atoms);
            ASSERT_EQ(is_true_of(formulas, f, word, atoms), expected) << to_text(formulas, f);
            held += expected ? 1 : 0;
        }
    }
    EXPECT_GT(held, kRounds);
    EXPECT_LT(held, 4 * kRounds);
}

// The text for other translators means the same, and has only what they know.
TEST(Word, SpinsSpellingMeansTheSame) {
    RandomEngine random(13);
    for (int round = 0; round < 1000; ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("p0"), formulas.atom("p1")};
        const Formula f = random_ltl(formulas, random, atoms, 1 + below(random, 12));
        const std::string text = to_spin_text(formulas, f);
        ASSERT_EQ(text.find_first_of("GFRWM^"), std::string::npos) << text;
        const support::Result<Formula> again = parse_formula(formulas, support::SourceText("formula", text));
        ASSERT_TRUE(again) << text;
        for (int i = 0; i < 5; ++i) {
            const Lasso word = random_lasso(random, atoms.size());
            ASSERT_EQ(is_true_of(formulas, *again, word, atoms), is_true_of(formulas, f, word, atoms)) << text;
        }
    }
    Formulas formulas;
    const Formula f = *parse_formula(formulas, support::SourceText("formula", "G F p0 && (p0 W X p1)"));
    EXPECT_EQ(to_spin_text(formulas, f), "[]<>p0 && (X p1 V (p0 || X p1))");
}

TEST(Word, LongWordsAreNoTrouble) {
    Formulas formulas;
    const Formula a = formulas.atom("a");
    const Formula b = formulas.atom("b");
    Lasso word;
    word.letters.assign(300'000, 1);
    word.letters.back() = 2;
    word.loop = 1000;
    EXPECT_TRUE(is_true_of(formulas, formulas.always(formulas.eventually(b)), word, {a, b}));
    EXPECT_TRUE(is_true_of(formulas, formulas.until(a, b), word, {a, b}));
    EXPECT_FALSE(is_true_of(formulas, formulas.eventually(formulas.always(a)), word, {a, b}));
    word.letters.back() = 1;
    EXPECT_FALSE(is_true_of(formulas, formulas.until(a, b), word, {a, b}));
    EXPECT_TRUE(is_true_of(formulas, formulas.weak_until(a, b), word, {a, b}));
}

}  // namespace
}  // namespace tideline::logic
