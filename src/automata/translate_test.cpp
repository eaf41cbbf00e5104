#include "automata/translate.hpp"

#include "automata/check_automaton.hpp"
#include "automata/tableau.hpp"
#include "logic/normal_form.hpp"

namespace tideline {
namespace {

TEST(Translate, RandomFormulasMeanTheSame) {
    RandomEngine random(7);
    for (std::size_t round = 0; round < rounds(2000); ++round) {
        Formulas formulas;
        std::vector<Formula> atoms;
        const std::size_t count = 1 + below(random, 4);
        for (std::size_t i = 0; i < count; ++i) atoms.push_back(formulas.atom(std::string(1, static_cast<char>('a' + i))));
        const Formula f = random_ltl(formulas, random, atoms, 3 + below(random, 12));
        expect_right(formulas, f, atoms, random, 15);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

// Without rewriting beforehand: the unfolding alone has to be right for any formula in normal form.
TEST(Translate, UnfoldingsMeanTheSame) {
    RandomEngine random(11);
    for (std::size_t round = 0; round < rounds(1500); ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const Formula f = negation_normal_form(formulas, random_ltl(formulas, random, atoms, 3 + below(random, 9)));
        for (const Branching branching : {Branching::letters, Branching::products}) {
            Labels labels;
            const TranslationLimits limits;
            const Automaton automaton = tableau(formulas, f, atoms, labels, branching, Budget(limits));
            for (int i = 0; i < 20; ++i) {
                const Lasso word = random_lasso(random, atoms.size());
                ASSERT_EQ(accepts(automaton, word), holds_on(formulas, f, word, atoms)) << to_text(formulas, f);
            }
        }
    }
}

// Leaving out F b beside G X F b, which implies it, would lose the promise of b.
TEST(Translate, PromisesAreNotForgotten) {
    Formulas formulas;
    Labels labels;
    const Formula f = parsed(formulas, "G X F b");
    const TranslationLimits limits;
    const Automaton automaton = tableau(formulas, f, {formulas.atom("b")}, labels, Branching::letters, Budget(limits));
    EXPECT_FALSE(accepts(automaton, {{1, 0}, 1}));
    EXPECT_TRUE(accepts(automaton, {{1, 0}, 0}));
}

TEST(Translate, SizesOfSimpleFormulas) {
    const auto size = [](const std::string& text, AutomatonKind kind) {
        Formulas formulas;
        Labels labels;
        const Formula f = parsed(formulas, text);
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
        Formulas formulas;
        Labels labels;
        const Formula f = parsed(formulas, "G(p -> (q U r)) && (G F p <-> F G q)");
        return to_hoa(*translate(formulas, f, labels, AutomatonKind::state_based));
    };
    EXPECT_EQ(text(), text());
}

// The 2^n subsets of n things that are awaited at once cannot be avoided here.
TEST(Translate, WhatWouldExplodeIsRefused) {
    Formulas formulas;
    Labels labels;
    std::string text = "true";
    for (int i = 0; i < 24; ++i) text += " && F(p" + std::to_string(i) + " && X F q" + std::to_string(i) + ')';
    const Formula f = parsed(formulas, text);
    TranslationLimits limits;
    limits.states = 3000;
    const Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::generalised, limits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message.substr(0, 40), "the formula's automaton exceeds a limit:");
}

TEST(Translate, CanBeInterrupted) {
    Formulas formulas;
    Labels labels;
    TranslationLimits limits;
    int asked = 0;
    limits.stop = [&] { return ++asked > 3; };
    const Formula f = parsed(formulas, "G(p -> (q U r)) && (G F p <-> F G q)");
    const Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::generalised, limits);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message, "the formula's automaton exceeds a limit: interrupted");
}

TEST(Translate, OtherThanLtlOver64AtomsIsRefused) {
    Formulas formulas;
    Labels labels;
    EXPECT_FALSE(translate(formulas, parsed(formulas, "AG p"), labels, AutomatonKind::generalised));
    std::string text = "p0";
    for (int i = 1; i < 64; ++i) text += " || p" + std::to_string(i);
    const Result<Automaton> just = translate(formulas, parsed(formulas, "G(" + text + ")"), labels, AutomatonKind::generalised);
    ASSERT_TRUE(just);
    EXPECT_EQ(just->size(), 1U);
    EXPECT_FALSE(accepts(*just, {{0}, 0}));
    EXPECT_TRUE(accepts(*just, {{std::uint64_t{1} << 63U, 1}, 0}));
    const Result<Automaton> over = translate(formulas, parsed(formulas, "G(" + text + " || p64)"), labels, AutomatonKind::generalised);
    ASSERT_FALSE(over);
    EXPECT_EQ(over.diagnostics().at(0).message, "the formula has 65 atoms; an automaton reads at most 64");
}

TEST(Translate, LongChainsOfNext) {
    Formulas formulas;
    Labels labels;
    const Formula f = parsed(formulas, std::string(300, 'X') + " p");
    const Result<Automaton> result = translate(formulas, f, labels, AutomatonKind::generalised);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->size(), 302U);
}

}  // namespace
}  // namespace tideline
