#include "logic/rewrite.hpp"

#include <gtest/gtest.h>

#include "logic/normal_form.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"

namespace tideline::logic {
namespace {

Formula parse(Formulas& formulas, const std::string& text) {
    const support::Result<Formula> result = parse_formula(formulas, support::SourceText("f", text));
    if (!result) {
        ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
        return formulas.falsity();
    }
    return *result;
}

std::string rewritten(const std::string& text) {
    Formulas formulas;
    return to_text(formulas, simplified(formulas, parse(formulas, text)));
}

// The same formula, whatever the order of operands.
void expect_rewritten(const std::string& text, const std::string& expected) {
    Formulas formulas;
    const Formula f = simplified(formulas, parse(formulas, text));
    EXPECT_EQ(f, negation_normal_form(formulas, parse(formulas, expected)))
        << text << " became " << to_text(formulas, f) << ", not " << expected;
}

TEST(Rewrite, NormalFormHasNegationsBeforeAtomsOnly) {
    Formulas formulas;
    EXPECT_EQ(negation_normal_form(formulas, parse(formulas, "!(p U (q -> G r))")),
              parse(formulas, "!p R (q && F !r)"));
    EXPECT_EQ(negation_normal_form(formulas, parse(formulas, "!(p <-> X q)")),
              parse(formulas, "(p && X !q) || (!p && X q)"));
    EXPECT_EQ(negation_normal_form(formulas, parse(formulas, "!A[p W E X q]")), parse(formulas, "E[!p M A X !q]"));
    EXPECT_EQ(negation_normal_form(formulas, parse(formulas, "!(p xor q)")), parse(formulas, "(p && q) || (!p && !q)"));
}

TEST(Rewrite, LawsApply) {
    expect_rewritten("F F p", "F p");
    expect_rewritten("F X p", "X F p");
    expect_rewritten("X G F p", "G F p");
    expect_rewritten("G F X p", "G F p");
    expect_rewritten("F(p U q)", "F q");
    expect_rewritten("F p || F q", "F(p || q)");
    expect_rewritten("G p && G q", "G(p && q)");
    expect_rewritten("(p U q) || G p", "p W q");
    expect_rewritten("p U (q && p)", "q M p");
    expect_rewritten("p U F q", "F q");
    expect_rewritten("p R G q", "G q");
    expect_rewritten("(X p) U (X q)", "X(p U q)");
    expect_rewritten("G(p && X F(q && X F r))", "G p && G F q && G F r");
    expect_rewritten("!p U p", "F p");
    expect_rewritten("p || (!p && q)", "p || q");
    expect_rewritten("q || (p && X(p U q))", "p U q");
    expect_rewritten("F p && G !p", "false");
    expect_rewritten("(p W q) && F q", "p U q");
    expect_rewritten("F(p && G F q)", "F p && G F q");
    expect_rewritten("G F p || G F q", "G F(p || q)");
    expect_rewritten("F G p || G F q", "F(G p || G F q)");
    expect_rewritten("X true", "true");
}

TEST(Rewrite, FormulasOfCtlKeepTheirMeaningInDeadlocks) {
    expect_rewritten("EX true", "EX true");
    expect_rewritten("!AX false", "EX true");
    expect_rewritten("A(F X p)", "A(X F p)");
    EXPECT_EQ(rewritten("E(F F(p && EX true))"), "EF (p && EX true)");
}

TEST(Rewrite, MeaningIsKeptOnRandomWords) {
    RandomEngine random(1);
    for (int round = 0; round < 4000; ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b"), formulas.atom("c")};
        const Formula f = random_ltl(formulas, random, atoms, 4 + below(random, 14));
        const Formula normal = negation_normal_form(formulas, f);
        ASSERT_TRUE(formulas.has(normal, Trait::negation_normal));
        const Formula g = simplified(formulas, f);
        ASSERT_EQ(simplified(formulas, g), g) << to_text(formulas, f);
        for (int i = 0; i < 25; ++i) {
            const Lasso word = random_lasso(random, atoms.size());
            const bool expected = holds_on(formulas, f, word, atoms);
            ASSERT_EQ(holds_on(formulas, normal, word, atoms), expected)
                << to_text(formulas, f) << " became " << to_text(formulas, normal);
            ASSERT_EQ(holds_on(formulas, g, word, atoms), expected)
                << to_text(formulas, f) << " became " << to_text(formulas, g);
        }
    }
}

}  // namespace
}  // namespace tideline::logic
