#include "automata/translate.hpp"

#include "automata/check_automaton.hpp"
#include "automata/tableau.hpp"
#include "logic/normal_form.hpp"

namespace tideline::automata {
namespace {

TEST(Translate, RandomFormulasMeanTheSame) {
    logic::RandomEngine random(7);
    for (std::size_t round = 0; round < rounds(1500); ++round) {
        logic::Formulas formulas;
        std::vector<logic::Formula> atoms;
        const std::size_t count = 1 + logic::below(random, 4);
        for (std::size_t i = 0; i < count; ++i)
            atoms.push_back(formulas.atom(std::string(1, static_cast<char>('a' + i))));
        const logic::Formula f = logic::random_ltl(formulas, random, atoms, 3 + logic::below(random, 12));
        expect_right(formulas, f, atoms, random, 15);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

// All words of up to three letters over two atoms, with every loop.
std::vector<logic::Lasso> short_words() {
    std::vector<logic::Lasso> result;
    for (std::size_t length = 1; length <= 3; ++length)
        for (std::uint64_t digits = 0; digits < (std::uint64_t{1} << (2 * length)); ++digits)
            for (std::size_t loop = 0; loop < length; ++loop) {
                logic::Lasso word;
                word.loop = loop;
                for (std::size_t i = 0; i < length; ++i) word.letters.push_back((digits >> (2 * i)) & 3U);
                result.push_back(word);
            }
    return result;
}

TEST(Translate, AllShortWordsAreDecidedRightly) {
    logic::RandomEngine random(17);
    const std::vector<logic::Lasso> words = short_words();
    ASSERT_EQ(words.size(), 4U + 2 * 16U + 3 * 64U);
    for (std::size_t round = 0; round < rounds(250); ++round) {
        logic::Formulas formulas;
        Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const logic::Formula f = logic::random_ltl(formulas, random, atoms, 4 + logic::below(random, 10));
        const support::Result<Automaton> tgba = translate(formulas, f, labels, AutomatonKind::generalised, {}, atoms);
        const support::Result<Automaton> ba = translate(formulas, f, labels, AutomatonKind::state_based, {}, atoms);
        ASSERT_TRUE(tgba && ba);
        for (const logic::Lasso& word : words) {
            const bool expected = logic::holds_on(formulas, f, word, atoms);
            ASSERT_EQ(accepts(*tgba, word), expected) << logic::to_text(formulas, f) << '\n' << to_hoa(*tgba);
            ASSERT_EQ(accepts(*ba, word), expected) << logic::to_text(formulas, f) << '\n' << to_hoa(*ba);
        }
    }
}

// Without rewriting beforehand: the unfolding alone has to be right for any formula in normal form.
TEST(Translate, UnfoldingsMeanTheSame) {
    logic::RandomEngine random(11);
    for (std::size_t round = 0; round < rounds(1500); ++round) {
        logic::Formulas formulas;
        const std::vector<logic::Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const logic::Formula f = logic::negation_normal_form(
            formulas, logic::random_ltl(formulas, random, atoms, 3 + logic::below(random, 9)));
        for (const Branching branching : {Branching::letters, Branching::products}) {
            Labels labels;
            const TranslationLimits limits;
            const Automaton automaton = tableau(formulas, f, atoms, labels, branching, TranslationBudget(limits));
            for (int i = 0; i < 20; ++i) {
                const logic::Lasso word = logic::random_lasso(random, atoms.size());
                ASSERT_EQ(accepts(automaton, word), logic::holds_on(formulas, f, word, atoms))
                    << logic::to_text(formulas, f);
            }
        }
    }
}

// Leaving out F b beside G X F b, which implies it, would lose the promise of b.
TEST(Translate, PromisesAreNotForgotten) {
    logic::Formulas formulas;
    Labels labels;
    const logic::Formula f = parsed(formulas, "G X F b");
    const TranslationLimits limits;
    const Automaton automaton =
        tableau(formulas, f, {formulas.atom("b")}, labels, Branching::letters, TranslationBudget(limits));
    EXPECT_FALSE(accepts(automaton, {{1, 0}, 1}));
    EXPECT_TRUE(accepts(automaton, {{1, 0}, 0}));
}

TEST(Translate, SizesOfSimpleFormulas) {
    const auto size = [](const std::string& text, AutomatonKind kind) {
        logic::Formulas formulas;
        Labels labels;
        const logic::Formula f = parsed(formulas, text);
        return translate(formulas, f, labels, kind)->size();
    };
    for (const AutomatonKind kind : {AutomatonKind::generalised, AutomatonKind::state_based}) {
        EXPECT_EQ(size("true", kind), 1U);
        EXPECT_EQ(size("false", kind), 1U);
        EXPECT_EQ(size("G p", kind), 1U);
        EXPECT_EQ(size("F p", kind), 2U);
        EXPECT_EQ(size("p U q", kind), 2U);
        EXPECT_EQ(size("G(p -> F q)", kind), 2U);
        EXPECT_EQ(size("F G p", kind), 2U);
        EXPECT_EQ(size("(p U q) || !(p U q)", kind), 1U);
    }
    EXPECT_EQ(size("G F p && G F q && G F r", AutomatonKind::generalised), 1U);
    EXPECT_EQ(size("G F p && G F q && G F r", AutomatonKind::state_based), 4U);
}

TEST(Translate, SameFormulaSameAutomaton) {
    const auto text = [] {
        logic::Formulas formulas;
        Labels labels;
        const logic::Formula f = parsed(formulas, "G(p -> (q U r)) && (G F p <-> F G q)");
        return to_hoa(*translate(formulas, f, labels, AutomatonKind::state_based));
    };
    EXPECT_EQ(text(), text());
}

// The 2^n subsets of n pending obligations cannot be avoided here.
TEST(Translate, WhatWouldExplodeIsRefused) {
    logic::Formulas formulas;
    Labels labels;
    std::string text = "true";
    for (int i = 0; i < 24; ++i) text += " && F(p" + std::to_string(i) + " && X F q" + std::to_string(i) + ')';
    const logic::Formula f = parsed(formulas, text);
    TranslationLimits limits;
    limits.states = 3000;
    limits.diagram_nodes = 200'000;
    const support::Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::generalised, limits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message.substr(0, 40), "the formula's automaton exceeds a limit:");
}

TEST(Translate, CanBeInterrupted) {
    logic::Formulas formulas;
    Labels labels;
    TranslationLimits limits;
    int asked = 0;
    limits.stop = [&] { return ++asked > 3; };
    const logic::Formula f = parsed(formulas, "G(p -> (q U r)) && (G F p <-> F G q)");
    const support::Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::generalised, limits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message,
              "the formula's automaton exceeds a limit: time or memory ran out, or it was interrupted");
}

// Also where the labels of a single state explode.
TEST(Translate, CanBeInterruptedInsideALabel) {
    logic::Formulas formulas;
    Labels labels;
    std::string text;
    for (int i = 0; i < 20; ++i)
        text += (i == 0 ? "" : " && ") + std::string("(p") + std::to_string(i) + " U (q" + std::to_string(i) + " U r" +
                std::to_string(i) + "))";
    const logic::Formula f = parsed(formulas, text);
    TranslationLimits limits;
    limits.stop = [&] { return labels.size() > 20'000; };
    ASSERT_FALSE(translate(formulas, f, labels, AutomatonKind::generalised, limits));
    EXPECT_LT(labels.size(), 30'000U);
}

TEST(Translate, OtherThanLtlOver64AtomsIsRefused) {
    logic::Formulas formulas;
    Labels labels;
    EXPECT_FALSE(translate(formulas, parsed(formulas, "AG p"), labels, AutomatonKind::generalised));
    std::string text = "p0";
    for (int i = 1; i < 64; ++i) text += " || p" + std::to_string(i);
    const support::Result<Automaton> just =
        translate(formulas, parsed(formulas, "G(" + text + ")"), labels, AutomatonKind::generalised);
    ASSERT_TRUE(just);
    EXPECT_EQ(just->size(), 1U);
    EXPECT_FALSE(accepts(*just, {{0}, 0}));
    EXPECT_TRUE(accepts(*just, {{std::uint64_t{1} << 63U, 1}, 0}));
    const support::Result<Automaton> over =
        translate(formulas, parsed(formulas, "G(" + text + " || p64)"), labels, AutomatonKind::generalised);
    ASSERT_FALSE(over);
    EXPECT_EQ(over.diagnostics().at(0).message, "the formula has 65 atoms; an automaton reads at most 64");
}

// More than the limit: not unfolded together.
TEST(Translate, ManyRecurrences) {
    logic::RandomEngine random(13);
    for (const std::string other : {"true", "a U b", "G(a -> F !b)", "F G a", "F G !a"}) {
        logic::Formulas formulas;
        const logic::Formula f =
            parsed(formulas,
                   "G F a && G F b && G F c && G F d && G F(a && !b) && G F(c && a) && G F(b || d) && (" + other + ")");
        expect_right(formulas, f, logic::atoms(formulas, f), random, 150);
        if (HasFatalFailure()) return;
    }
    std::string text = "G F p0";
    for (int i = 1; i < 40; ++i) text += " && G F p" + std::to_string(i);
    logic::Formulas formulas;
    Labels labels;
    const support::Result<Automaton> result =
        translate(formulas, parsed(formulas, text), labels, AutomatonKind::state_based);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->size(), 41U);
}

TEST(Translate, LongChainsOfNext) {
    for (const std::size_t length : {300U, 3000U}) {
        logic::Formulas formulas;
        Labels labels;
        const logic::Formula f = parsed(formulas, std::string(length, 'X') + " p");
        const support::Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::state_based);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->size(), length + 2);
    }
}

}  // namespace
}  // namespace tideline::automata
