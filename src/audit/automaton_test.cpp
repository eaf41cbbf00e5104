#include "audit/automaton.hpp"

#include <gtest/gtest.h>

#include "audit/error.hpp"

namespace tideline::audit {
namespace {

std::string with_atoms(const std::string& atoms) {
    return "HOA: v1\nname: \"G\\\"\nStart: 7\"\nStates: 2\nStart: 1\nAP: " + atoms +
           "\nacc-name: all\nAcceptance: 0 t\n--BODY--\nState: 0\n[0&!1] 1\nState: 1\n[t] 0\n--END--\n";
}

TEST(AuditedAutomaton, HasAtomsStatesAndEdges) {
    const Automaton automaton(with_atoms(R"(2 "x < 3" "y")"));
    EXPECT_EQ(automaton.atoms(), (std::vector<std::string>{"x < 3", "y"}));
    EXPECT_EQ(automaton.states(), 2U);
    EXPECT_EQ(automaton.initial(), 1U);
    const std::vector<Automaton::Target> targets = automaton.choose(0, 1, 0).targets;
    ASSERT_EQ(targets.size(), 1U);
    EXPECT_EQ(targets[0].state, 1U);
    EXPECT_TRUE(automaton.choose(0, 3, 0).targets.empty());
}

TEST(AuditedAutomaton, ReadsAtomsThatHaveSeveralLines) {
    const Automaton automaton(with_atoms("2 \"x <\n 3\" \"y\nStates: 9\n--BODY--\n\\\" \\\\\""));
    EXPECT_EQ(automaton.atoms(), (std::vector<std::string>{"x <\n 3", "y\nStates: 9\n--BODY--\n\" \\"}));
    EXPECT_EQ(automaton.states(), 2U);
    EXPECT_EQ(automaton.initial(), 1U);
}

TEST(AuditedAutomaton, RefusesWhatItCannotUnderstand) {
    EXPECT_THROW(Automaton(""), Objection);
    EXPECT_THROW(Automaton(with_atoms("1 \"x\"")), Objection);
    EXPECT_THROW(Automaton(with_atoms("2 \"x\" \"y")), Objection);
    EXPECT_THROW(Automaton("HOA: v1\nStates: 99999999\nStart: 0\nAP: 0\n--BODY--\n--END--\n"), Objection);
}

}  // namespace
}  // namespace tideline::audit
