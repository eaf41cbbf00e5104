#include "automata/label.hpp"

#include <gtest/gtest.h>

#include "logic/random_formula.hpp"

namespace tideline::automata {
namespace {

// A random function of `atoms` variables, and its truth table.
Label random_label(Labels& labels, logic::RandomEngine& random, std::uint32_t atoms, std::uint64_t& table) {
    table = random() & random();
    Label result = labels.falsity();
    const std::uint64_t letters = std::uint64_t{1} << atoms;
    for (std::uint64_t letter = 0; letter < letters; ++letter)
        if (((table >> letter) & 1U) != 0)
            result = labels.either(result, labels.cube({letter, ~letter & (letters - 1)}));
    return result;
}

TEST(Label, OperationsAreThoseOfTruthTables) {
    logic::RandomEngine random(1);
    for (int round = 0; round < 300; ++round) {
        Labels labels;
        std::uint64_t table_a = 0;
        std::uint64_t table_b = 0;
        const Label a = random_label(labels, random, 5, table_a);
        const Label b = random_label(labels, random, 5, table_b);
        for (std::uint64_t letter = 0; letter < 32; ++letter) {
            const bool in_a = ((table_a >> letter) & 1U) != 0;
            const bool in_b = ((table_b >> letter) & 1U) != 0;
            ASSERT_EQ(labels.evaluate(a, letter), in_a);
            ASSERT_EQ(labels.evaluate(labels.both(a, b), letter), in_a && in_b);
            ASSERT_EQ(labels.evaluate(labels.either(a, b), letter), in_a || in_b);
            ASSERT_EQ(labels.evaluate(labels.minus(a, b), letter), in_a && !in_b);
            ASSERT_EQ(labels.evaluate(labels.negation(a), letter), !in_a);
        }
        const std::uint64_t low = 0xFFFFFFFFU;
        EXPECT_EQ(labels.implies(a, b), (table_a & ~table_b & low) == 0);
        EXPECT_EQ(labels.intersect(a, b), (table_a & table_b & low) != 0);
        EXPECT_EQ(labels.negation(labels.negation(a)), a);
        EXPECT_EQ(labels.either(labels.both(a, b), labels.minus(a, b)), a);
        EXPECT_TRUE(a == labels.falsity() || labels.evaluate(a, labels.example(a)));
    }
}

TEST(Label, CubesAddUpAndNoneIsNeedless) {
    logic::RandomEngine random(2);
    for (int round = 0; round < 300; ++round) {
        Labels labels;
        std::uint64_t table = 0;
        const Label a = random_label(labels, random, 5, table);
        const std::vector<Cube> cubes = labels.cubes(a);
        for (std::uint64_t letter = 0; letter < 32; ++letter) {
            bool covered = false;
            for (const Cube& c : cubes) covered = covered || c.contains(letter);
            ASSERT_EQ(covered, ((table >> letter) & 1U) != 0);
        }
        for (std::size_t i = 0; i < cubes.size(); ++i) {
            Label others = labels.falsity();
            for (std::size_t j = 0; j < cubes.size(); ++j)
                if (j != i) others = labels.either(others, labels.cube(cubes[j]));
            EXPECT_NE(others, a);
        }
    }
}

TEST(Label, ThousandsOfVariablesNeedNoDeepStack) {
    Labels labels;
    Label all = labels.truth();
    for (std::uint32_t v = 20'000; v-- > 0;) all = labels.both(labels.variable(v), all);
    EXPECT_EQ(labels.both(all, labels.negation(all)), labels.falsity());
    EXPECT_EQ(labels.support(all).size(), 20'000U);
}

}  // namespace
}  // namespace tideline::automata
