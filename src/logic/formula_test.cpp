#include "logic/formula.hpp"

#include <gtest/gtest.h>

#include "logic/classify.hpp"
#include "logic/implication.hpp"
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

bool has(const std::string& text, Trait trait) {
    Formulas formulas;
    return formulas.has(parse(formulas, text), trait);
}

TEST(Formula, EqualFormulasAreTheSame) {
    Formulas formulas;
    const Formula p = formulas.atom("p");
    const Formula q = formulas.atom("q");
    EXPECT_EQ(formulas.conjunction(p, q), formulas.conjunction(q, p));
    EXPECT_EQ(formulas.conjunction({p, formulas.conjunction(q, p)}), formulas.conjunction(p, q));
    EXPECT_EQ(formulas.conjunction(p, formulas.negation(p)), formulas.falsity());
    EXPECT_EQ(formulas.disjunction({p, q, formulas.negation(q)}), formulas.truth());
    EXPECT_EQ(formulas.conjunction(std::vector<Formula>{}), formulas.truth());
    EXPECT_EQ(formulas.negation(formulas.negation(p)), p);
    EXPECT_EQ(formulas.exists(formulas.negation(p)), formulas.negation(p));
    EXPECT_NE(formulas.next(formulas.truth()), formulas.truth());
    EXPECT_NE(p, q);
}

TEST(Formula, ClassesOfTheHierarchy) {
    EXPECT_TRUE(has("G p", Trait::safety));
    EXPECT_FALSE(has("G p", Trait::guarantee));
    EXPECT_TRUE(has("p W (q R r)", Trait::safety));
    EXPECT_TRUE(has("!F p", Trait::safety));
    EXPECT_TRUE(has("F p", Trait::guarantee));
    EXPECT_FALSE(has("F p", Trait::safety));
    EXPECT_TRUE(has("p U X q", Trait::guarantee));
    EXPECT_TRUE(has("G p || F q", Trait::obligation));
    EXPECT_FALSE(has("G p || F q", Trait::safety));
    EXPECT_TRUE(has("G p -> G q", Trait::obligation));
    EXPECT_TRUE(has("G F p", Trait::recurrence));
    EXPECT_FALSE(has("G F p", Trait::persistence));
    EXPECT_TRUE(has("G(p -> F q)", Trait::recurrence));
    EXPECT_TRUE(has("F G p", Trait::persistence));
    EXPECT_FALSE(has("F G p", Trait::recurrence));
    EXPECT_TRUE(has("!(G F p)", Trait::persistence));
    EXPECT_FALSE(has("G F p || F G q", Trait::obligation));
    EXPECT_TRUE(has("p && X q", Trait::safety) && has("p && X q", Trait::guarantee));
    EXPECT_TRUE(has("p <-> X q", Trait::safety));
    EXPECT_FALSE(has("p <-> F q", Trait::guarantee));
    EXPECT_TRUE(has("p <-> F q", Trait::obligation));
}

TEST(Formula, EventualUniversalAndNextFree) {
    EXPECT_TRUE(has("F p", Trait::eventual));
    EXPECT_TRUE(has("G p", Trait::universal));
    EXPECT_TRUE(has("G F p", Trait::eventual) && has("G F p", Trait::universal));
    EXPECT_TRUE(has("p U F q", Trait::eventual));
    EXPECT_FALSE(has("p U q", Trait::eventual));
    EXPECT_TRUE(has("p U q", Trait::next_free));
    EXPECT_FALSE(has("F X p", Trait::next_free));
}

TEST(Formula, Fragments) {
    EXPECT_TRUE(has("p && q", Trait::boolean));
    EXPECT_FALSE(has("G(p U q)", Trait::quantified));
    EXPECT_TRUE(has("AG(p -> E[q U AX r])", Trait::ctl));
    EXPECT_TRUE(has("AG p", Trait::state));
    EXPECT_FALSE(has("G p", Trait::state));
    EXPECT_FALSE(has("A(G F p)", Trait::ctl));
    EXPECT_TRUE(has("A(G F p)", Trait::state));
    EXPECT_FALSE(has("E(F p && G q)", Trait::ctl));
    EXPECT_TRUE(has("!EF p || q", Trait::ctl));
    EXPECT_TRUE(has("F p", Trait::ctl_path));
}

TEST(Formula, ClassesAndLogicsHaveNames) {
    Formulas formulas;
    const auto name = [&](const std::string& text) { return to_text(property_class(formulas, parse(formulas, text))); };
    EXPECT_EQ(name("G !p"), "safety");
    EXPECT_EQ(name("F p"), "guarantee");
    EXPECT_EQ(name("F p -> G q"), "safety");
    EXPECT_EQ(name("F p && G q"), "obligation");
    EXPECT_EQ(name("G F p"), "recurrence");
    EXPECT_EQ(name("F G p"), "persistence");
    EXPECT_EQ(name("G F p -> G F q"), "reactivity");
    EXPECT_TRUE(belongs_to(formulas, parse(formulas, "p U q"), Logic::ltl));
    EXPECT_FALSE(belongs_to(formulas, parse(formulas, "p U q"), Logic::ctl));
    EXPECT_TRUE(belongs_to(formulas, parse(formulas, "A[p U q]"), Logic::ctl));
    EXPECT_FALSE(belongs_to(formulas, parse(formulas, "A[p U q]"), Logic::ltl));
    EXPECT_TRUE(belongs_to(formulas, parse(formulas, "A(G F p)"), Logic::ctl_star));
    EXPECT_TRUE(is_stutter_invariant_by_shape(formulas, parse(formulas, "G(p -> F q)")));
    EXPECT_FALSE(is_stutter_invariant_by_shape(formulas, parse(formulas, "X p")));
}

// The word without its first letters.
Lasso suffix(Lasso word, std::size_t letters) {
    for (std::size_t i = 0; i < letters; ++i) {
        if (word.loop == 0) {
            std::rotate(word.letters.begin(), word.letters.begin() + 1, word.letters.end());
        } else {
            word.letters.erase(word.letters.begin());
            --word.loop;
        }
    }
    return word;
}

// Every letter of the prefix and the loop, repeated.
Lasso stuttered(const Lasso& word, RandomEngine& random) {
    Lasso result;
    for (std::size_t i = 0; i < word.letters.size(); ++i) {
        if (i == word.loop) result.loop = result.letters.size();
        const std::size_t times = 1 + below(random, 3);
        result.letters.insert(result.letters.end(), times, word.letters[i]);
    }
    return result;
}

// What the traits promise is checked against the meaning of formulas.
TEST(Formula, TraitsTellTheTruth) {
    RandomEngine random(3);
    for (int round = 0; round < 3000; ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const Formula f = random_ltl(formulas, random, atoms, 3 + below(random, 8));
        for (int i = 0; i < 15; ++i) {
            const Lasso word = random_lasso(random, 2);
            const bool here = holds_on(formulas, f, word, atoms);
            const bool later = holds_on(formulas, f, suffix(word, 1 + below(random, 3)), atoms);
            ASSERT_TRUE(!formulas.has(f, Trait::eventual) || !later || here) << to_text(formulas, f);
            ASSERT_TRUE(!formulas.has(f, Trait::universal) || !here || later) << to_text(formulas, f);
            ASSERT_TRUE(!formulas.has(f, Trait::next_free) ||
                        holds_on(formulas, f, stuttered(word, random), atoms) == here)
                << to_text(formulas, f);
        }
    }
}

TEST(Formula, ImplicationsTellTheTruth) {
    RandomEngine random(6);
    int found = 0;
    for (int round = 0; round < 20'000; ++round) {
        Formulas formulas;
        Implications implications(formulas);
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const Formula f = negation_normal_form(formulas, random_ltl(formulas, random, atoms, 1 + below(random, 5)));
        const Formula g = negation_normal_form(formulas, random_ltl(formulas, random, atoms, 1 + below(random, 5)));
        if (!implications.implies(f, g)) continue;
        ++found;
        for (int i = 0; i < 20; ++i) {
            const Lasso word = random_lasso(random, 2);
            ASSERT_TRUE(!holds_on(formulas, f, word, atoms) || holds_on(formulas, g, word, atoms))
                << to_text(formulas, f) << " => " << to_text(formulas, g);
        }
    }
    EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace tideline::logic
