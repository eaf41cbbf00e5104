#include "automata/components.hpp"

#include "automata/check_automaton.hpp"

namespace tideline::automata {
namespace {

TEST(Components, KindsAndRanks) {
    Labels labels;
    const Label a = labels.variable(0);
    Automaton automaton;
    automaton.labels = &labels;
    automaton.atoms = {"a"};
    automaton.sets = 1;
    automaton.states = {
        {{1, a, 0}, {2, labels.truth(), 0}},                 // 0: transient
        {{1, a, 0}, {3, a, 0}},                              // 1: rejecting
        {{2, a, 1}, {2, labels.negation(a), 0}, {3, a, 0}},  // 2: some cycles accept
        {{4, a, 1}},                                         // 3 and 4: every cycle accepts
        {{3, labels.truth(), 0}, {5, labels.negation(a), 0}},
        {{5, a, 1}, {5, labels.negation(a), 1}},  // 5: whatever comes
    };
    const Components c = components(automaton);
    EXPECT_EQ(c.count(), 5U);
    const auto kind = [&](StateNumber s) { return c.kinds[c.of[s]]; };
    EXPECT_EQ(kind(0), ComponentKind::transient);
    EXPECT_EQ(kind(1), ComponentKind::rejecting);
    EXPECT_EQ(kind(2), ComponentKind::accepting);
    EXPECT_EQ(kind(3), ComponentKind::weak);
    EXPECT_EQ(c.of[3], c.of[4]);
    EXPECT_EQ(kind(5), ComponentKind::terminal);
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (const Edge& e : automaton.states[s]) EXPECT_LE(c.rank(s), c.rank(e.target));
    EXPECT_EQ(c.rank(0), 0U);
    EXPECT_EQ(c.rank(5), 4U);
}

TEST(Components, AStateThatLeadsToNoAcceptingCycleIsUseless) {
    Labels labels;
    Automaton automaton;
    automaton.labels = &labels;
    automaton.sets = 2;
    automaton.states = {{{1, labels.truth(), 3}, {0, labels.truth(), 1}}, {{1, labels.truth(), 2}}};
    const Components c = components(automaton);
    EXPECT_FALSE(c.useful[c.of[0]]);
    EXPECT_TRUE(is_empty(automaton));
}

}  // namespace
}  // namespace tideline::automata
