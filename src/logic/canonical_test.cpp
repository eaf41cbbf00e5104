#include "logic/canonical.hpp"

#include <gtest/gtest.h>

#include "logic/parse.hpp"

namespace tideline::logic {
namespace {

std::string canonical(Formulas& formulas, const std::string& text) {
    const support::Result<Formula> f = parse_formula(formulas, support::SourceText("formula", text));
    EXPECT_TRUE(f) << text;
    return canonical_text(formulas, *f);
}

TEST(Canonical, DependsOnTheFormulaAlone) {
    Formulas one(true);
    Formulas other(true);
    // The atoms get their numbers in another order.
    EXPECT_EQ(canonical(one, "z & y"), "and(y,z)");
    EXPECT_EQ(canonical(other, "y & z"), "and(y,z)");
    const std::string nested = "E[(z | !y) U (y & AG z)]";
    EXPECT_EQ(canonical(one, nested), canonical(other, nested));
    EXPECT_EQ(canonical(one, nested), "E(U(or(not(y),z),and(A(G(z)),y)))");
}

TEST(Canonical, TellsFormulasApart) {
    Formulas formulas(true);
    EXPECT_NE(canonical(formulas, "EF p"), canonical(formulas, "AF p"));
    EXPECT_NE(canonical(formulas, "E[p U q]"), canonical(formulas, "E[q U p]"));
    EXPECT_NE(canonical(formulas, "\"and(p,q)\""), canonical(formulas, "p & q"));
    EXPECT_NE(canonical(formulas, "p -> q"), canonical(formulas, "q -> p"));
}

TEST(Canonical, PathsOverTheirLeaves) {
    Formulas one(true);
    Formulas other(true);
    (void)canonical(other, "z & E G F z");  // other numbers
    const std::string text = "E (G F (z & AG y) & (y U !z) | X true)";
    const auto path = [](Formulas& formulas, const std::string& formula) {
        return over_leaves(formulas, formulas.operand(*parse_formula(formulas, support::SourceText("f", formula)), 0));
    };
    const PathFormula first = path(one, text);
    const PathFormula second = path(other, text);
    ASSERT_EQ(first.leaves.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(canonical_text(one, first.leaves[i]), canonical_text(other, second.leaves[i]));
    EXPECT_EQ(canonical_text(one, first.leaves[2]), "and(A(G(y)),z)");
    EXPECT_EQ(canonical_text(first.formulas, first.formula), canonical_text(second.formulas, second.formula));
    EXPECT_EQ(first.formula, second.formula);
    EXPECT_FALSE(first.formulas.has(first.formula, Trait::quantified));
}

}  // namespace
}  // namespace tideline::logic
