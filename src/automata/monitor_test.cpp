#include "automata/monitor.hpp"

#include <random>

#include <gtest/gtest.h>

#include "automata/components.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "logic/parse.hpp"
#include "logic/random_formula.hpp"

namespace tideline::automata {
namespace {

logic::Formula parsed(logic::Formulas& formulas, const std::string& text) {
    return *logic::parse_formula(formulas, support::SourceText("f", text), {logic::Logic::ltl, {}, {}});
}

std::optional<Automaton> monitor_of(logic::Formulas& formulas, const std::string& text, Labels& labels) {
    const logic::Formula f = parsed(formulas, text);
    return safety_monitor(formulas, f, labels, logic::atoms(formulas, f), {});
}

TEST(Monitor, ExistsForSafetyPropertiesOnly) {
    logic::Formulas formulas;
    Labels labels;
    for (const char* text : {"G a", "a", "a W b", "G (a -> X b)", "G (a -> b R c)", "a U b || G a", "G (a -> X X X b)",
                             "false", "!F (a && F b)"}) {
        const std::optional<Automaton> monitor = monitor_of(formulas, text, labels);
        ASSERT_TRUE(monitor) << text;
        EXPECT_TRUE(is_deterministic(*monitor)) << text;
    }
    for (const char* text : {"F a", "G F a", "F G a", "a U b", "G (a -> F b)", "G a && F b", "G a || F b"})
        EXPECT_FALSE(monitor_of(formulas, text, labels)) << text;
}

TEST(Monitor, StopsAtTheFirstLetterAfterWhichNothingHelps) {
    logic::Formulas formulas;
    Labels labels;
    // Two branches of a nondeterministic automaton, neither of which has failed alone: after a, !b nothing helps.
    const std::optional<Automaton> monitor = monitor_of(formulas, "X (G a && G !b) || X (G a && G b)", labels);
    ASSERT_TRUE(monitor);
    // Atoms in the order of the formula: a is bit 0.
    StateNumber s = monitor->initial;
    const auto step = [&](std::uint64_t letter) {
        for (const Edge& edge : monitor->states[s])
            if (labels.evaluate(edge.label, letter)) {
                s = edge.target;
                return true;
            }
        return false;
    };
    EXPECT_TRUE(step(0));
    EXPECT_TRUE(step(1));
    EXPECT_TRUE(step(1));
    EXPECT_FALSE(step(3));
}

// By the meaning of random formulas: a word that leaves the monitor is false however it goes on, and a bad prefix is
// left with its last letter, where the shorter one has a continuation that is true.
TEST(Monitor, LeavesARandomFormulaWithItsShortestBadPrefix) {
    std::mt19937_64 random(7);
    std::size_t monitors = 0;
    std::size_t left = 0;
    for (int i = 0; i < 600; ++i) {
        logic::Formulas formulas;
        Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        const logic::Formula f = logic::random_ltl(formulas, random, atoms, 7);
        const std::optional<Automaton> monitor = safety_monitor(formulas, f, labels, atoms, {});
        if (!monitor) continue;
        ++monitors;
        const Automaton good = *translate(formulas, f, labels, AutomatonKind::generalised, {}, atoms);
        const TranslationLimits limits;
        const TranslationBudget budget(limits);
        for (int word = 0; word < 20; ++word) {
            std::vector<std::uint64_t> letters;
            StateNumber s = monitor->initial;
            bool is_bad = false;
            for (int n = 0; n < 8 && !is_bad; ++n) {
                letters.push_back(random() % 4);
                is_bad = true;
                for (const Edge& edge : monitor->states[s])
                    if (labels.evaluate(edge.label, letters.back())) {
                        s = edge.target;
                        is_bad = false;
                        break;
                    }
            }
            // The words that begin like this, as an automaton.
            const auto begins_with = [&](std::size_t count) {
                Automaton prefix = empty_like(good);
                for (std::size_t n = 0; n < count; ++n)
                    prefix.states.push_back(
                        {{static_cast<StateNumber>(n + 1), labels.cube({letters[n], ~letters[n] & 3}), 0}});
                prefix.states.push_back({{static_cast<StateNumber>(count), labels.truth(), 0}});
                return prefix;
            };
            EXPECT_EQ(is_bad, is_empty(product(begins_with(letters.size()), good, budget)));
            if (!is_bad) continue;
            ++left;
            EXPECT_FALSE(is_empty(product(begins_with(letters.size() - 1), good, budget)) && letters.size() > 1);
        }
    }
    EXPECT_GT(monitors, 100U);
    EXPECT_GT(left, 500U);
}

}  // namespace
}  // namespace tideline::automata
