// Reductions keep the language: tested on random automata, which are less regular than those of formulas.
#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"
#include "automata/degeneralise.hpp"
#include "automata/prune.hpp"
#include "automata/simulation.hpp"

namespace tideline::automata {
namespace {

const TranslationLimits kLimits;

TEST(Reductions, PruningKeepsTheLanguage) {
    logic::RandomEngine random(1);
    for (std::size_t round = 0; round < rounds(1500); ++round) {
        Labels labels;
        const Automaton a = random_automaton(labels, random, 6, logic::below(random, 4), logic::below(random, 3) == 0);
        const Automaton b = pruned(a);
        EXPECT_LE(b.size(), a.size());
        EXPECT_LE(b.sets, std::max<std::size_t>(a.sets, 1));
        expect_same_language(a, b, random);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

TEST(Reductions, SimulationKeepsTheLanguage) {
    logic::RandomEngine random(2);
    for (std::size_t round = 0; round < rounds(3000); ++round) {
        Labels labels;
        const bool state_based = logic::below(random, 3) == 0;
        const Automaton a = random_automaton(labels, random, 8, state_based ? 1 : logic::below(random, 4), state_based);
        const Automaton b = simulation_reduced(a, TranslationBudget(kLimits));
        EXPECT_LE(b.size(), a.size());
        for (const std::vector<Edge>& edges : b.states)
            for (const Edge& e : edges) ASSERT_TRUE(!state_based || e.marks == edges.front().marks);
        expect_same_language(a, b, random);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

TEST(Reductions, DegeneralisationKeepsTheLanguage) {
    logic::RandomEngine random(3);
    for (std::size_t round = 0; round < rounds(1500); ++round) {
        Labels labels;
        const Automaton a = pruned(random_automaton(labels, random, 6, logic::below(random, 4)));
        DegeneralisationChoice choice;
        for (std::size_t i = 0; i < a.sets; ++i) choice.order.push_back(i);
        std::shuffle(choice.order.begin(), choice.order.end(), random);
        choice.look_ahead = logic::below(random, 2) == 0;
        choice.reuse = logic::below(random, 2) == 0;
        const Automaton b = degeneralised(a, choice, TranslationBudget(kLimits));
        ASSERT_TRUE(b.state_based && b.sets == 1);
        EXPECT_LE(b.size(), a.size() * (a.sets + 1));
        expect_same_language(a, b, random);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

TEST(Reductions, ProductsAndSumsAreIntersectionsAndUnions) {
    logic::RandomEngine random(4);
    for (std::size_t round = 0; round < rounds(600); ++round) {
        Labels labels;
        const Automaton a = random_automaton(labels, random, 5, logic::below(random, 3));
        const Automaton b = random_automaton(labels, random, 5, logic::below(random, 3));
        const Automaton both = product(a, b, TranslationBudget(kLimits));
        const Automaton either = sum(a, b);
        for (int i = 0; i < 40; ++i) {
            const logic::Lasso word = logic::random_lasso(random, 2);
            ASSERT_EQ(accepts(both, word), accepts(a, word) && accepts(b, word));
            ASSERT_EQ(accepts(either, word), accepts(a, word) || accepts(b, word));
        }
    }
}

TEST(Reductions, ASetThatOthersImplyIsDropped) {
    Labels labels;
    Automaton a;
    a.labels = &labels;
    a.atoms = {"a"};
    a.sets = 3;
    // Every cycle goes through the edge 0 -> 1, which is in set 1; set 2 is never alone.
    a.states = {{{1, labels.truth(), 0b010}},
                {{0, labels.variable(0), 0b101}, {1, labels.variable(0), 0b000}, {0, labels.truth(), 0b000}}};
    const Automaton b = pruned(a);
    EXPECT_EQ(b.size(), 2U);
    EXPECT_EQ(b.sets, 1U);
}

}  // namespace
}  // namespace tideline::automata
