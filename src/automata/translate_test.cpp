#include "automata/translate.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "automata/components.hpp"
#include "automata/product.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"

namespace tideline {
namespace {

std::size_t rounds(std::size_t usual) {
    const char* given = std::getenv("TIDELINE_RANDOM_FORMULAS");
    return given == nullptr ? usual : static_cast<std::size_t>(std::strtoull(given, nullptr, 10));
}

// The automata of f and !f agree with the formula's meaning on random words, and no word is accepted by both.
void expect_right(Formulas& formulas, Formula f, const std::vector<Formula>& atoms, RandomEngine& random) {
    Labels labels;
    const TranslationLimits limits;
    const Budget budget(limits);
    for (const AutomatonKind kind : {AutomatonKind::generalised, AutomatonKind::state_based}) {
        const Result<Automaton> positive = translate(formulas, f, labels, kind, limits, atoms);
        const Result<Automaton> negative = translate(formulas, formulas.negation(f), labels, kind, limits, atoms);
        ASSERT_TRUE(positive && negative) << to_text(formulas, f);
        ASSERT_TRUE(is_empty(product(*positive, *negative, budget))) << to_text(formulas, f);
        for (int i = 0; i < 30; ++i) {
            const Lasso word = random_lasso(random, atoms.size());
            const bool expected = holds_on(formulas, f, word, atoms);
            ASSERT_EQ(accepts(*positive, word), expected) << to_text(formulas, f);
            ASSERT_EQ(accepts(*negative, word), !expected) << "not " << to_text(formulas, f);
        }
    }
}

TEST(Translate, RandomFormulasMeanTheSame) {
    RandomEngine random(7);
    for (std::size_t round = 0; round < rounds(3000); ++round) {
        Formulas formulas;
        const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b"), formulas.atom("c")};
        const Formula f = random_ltl(formulas, random, atoms, 3 + below(random, 12));
        expect_right(formulas, f, atoms, random);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace tideline
