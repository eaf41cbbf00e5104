#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"

namespace tideline::automata {
namespace {

Automaton read(Labels& labels, const std::string& text) {
    support::Result<Automaton> result = parse_hoa(support::SourceText("a.hoa", text), labels);
    if (result) return std::move(*result);
    ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
    return {};
}

std::string with_body(const std::string& body, const std::string& acceptance = "1 Inf(0)") {
    return "HOA: v1 States: 2 Start: 0 AP: 2 \"a\" \"b\" Acceptance: " + acceptance + " --BODY-- " + body + " --END--";
}

TEST(Hoa, WhatIsPrintedIsReadBack) {
    logic::RandomEngine random(5);
    for (int round = 0; round < 300; ++round) {
        Labels labels;
        Automaton automaton = random_automaton(labels, random, 6, logic::below(random, 4));
        automaton.initial = static_cast<StateNumber>(logic::below(random, automaton.size()));
        automaton.atoms = {"x == \"1\"", "back\\slash"};
        expect_round_trip(automaton);
        if (HasFatalFailure()) return;
    }
}

TEST(Hoa, IsPrintedAsOthersReadIt) {
    Labels labels;
    logic::Formulas formulas;
    const support::Result<Automaton> result =
        translate(formulas, parsed(formulas, "G F p"), labels, AutomatonKind::generalised);
    ASSERT_TRUE(result);
    EXPECT_EQ(
        to_hoa(*result, "G F p"),
        "HOA: v1\nname: \"G F p\"\nStates: 1\nStart: 0\nAP: 1 \"p\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
        "properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\nState: 0\n[!0] 0\n[0] 0 {0}\n--END--\n");
}

TEST(Hoa, AllWaysToWriteLabelsMeanTheSame) {
    Labels labels;
    const Automaton explicit_labels =
        read(labels, with_body("State: 0 [0&!1 | !0&1] 1 {0} [!(0|1)] 0 [0&1] 1 State: 1 [t] 1"));
    const Automaton implicit = read(labels, with_body("State: 0 0 1 {0} 1 {0} 1 State: 1 1 1 1 1"));
    const Automaton aliased = read(
        labels,
        "HOA: v1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 1 Inf(0) Alias: @one (0|1)&!(0&1) Alias: @none !0&!1 --BODY-- "
        "State: 0 [@one] 1 {0} [@none] 0 [!@one & !@none] 1 State: [t] 1 1 --END--");
    EXPECT_EQ(explicit_labels.states, implicit.states);
    EXPECT_EQ(explicit_labels.states, aliased.states);
}

TEST(Hoa, StatesAndEdgesMayCarryMarks) {
    Labels labels;
    const Automaton automaton =
        read(labels, with_body("State: 0 \"start\" {1} [t] 1 {2} State: 1 [0] 1 [1] 0", "3 Inf(1) & (Inf(2))"));
    EXPECT_EQ(automaton.sets, 2U);
    EXPECT_EQ(automaton.states[0].at(0).marks, 3U);
    EXPECT_FALSE(automaton.state_based);
    EXPECT_TRUE(read(labels, with_body("State: 0 {0} [t] 1 State: 1 [0] 1 [1] 0")).state_based);
}

TEST(Hoa, SeveralStartsBecomeOne) {
    Labels labels;
    const Automaton automaton = read(
        labels,
        "HOA: v1 States: 2 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 0 t --BODY-- State: 0 [0] 0 State: 1 [!0] 1 --END--");
    EXPECT_TRUE(accepts(automaton, {{1}, 0}));
    EXPECT_TRUE(accepts(automaton, {{0}, 0}));
    EXPECT_FALSE(accepts(automaton, {{0, 1}, 0}));
    EXPECT_TRUE(is_empty(read(labels, "HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--")));
}

TEST(Hoa, MistakesAndUnsupportedThingsAreNamed) {
    struct Case {
        std::string text;
        std::string message;
        std::uint32_t column;
    };
    const std::vector<Case> cases = {
        {"", "expected 'HOA:' at the beginning", 1},
        {"never { }", "expected 'HOA:' at the beginning", 1},
        {"HOA: v2", "expected version 'v1', found 'v2'", 6},
        {"HOA: v1 AP: 1 \"a\" --BODY--", "the header has no 'Acceptance:'", 19},
        {"HOA: v1 Acceptance: 1 Fin(0) --BODY--",
         "only Büchi and generalised Büchi acceptance are supported, not 'Fin'", 23},
        {"HOA: v1 Acceptance: 2 Inf(0)|Inf(1) --BODY--",
         "only Büchi and generalised Büchi acceptance are supported, not disjunctions", 29},
        {"HOA: v1 Acceptance: 1 Inf(!0) --BODY--", "complements of acceptance sets are not supported", 27},
        {"HOA: v1 Acceptance: 1 Inf(1) --BODY--", "there is no acceptance set 1", 27},
        {"HOA: v1 Acceptance: 65 t --BODY--", "automata with more than 64 acceptance sets are not supported", 21},
        {"HOA: v1 AP: 65 \"a\"", "automata with more than 64 atoms are not supported", 13},
        {"HOA: v1 AP: 2 \"a\" Start: 0", "expected 2 names of atoms in double quotes, found 'Start:'", 19},
        {"HOA: v1 Start: 0&1", "alternating automata (conjunctions of states) are not supported", 17},
        {"HOA: v1 States: 99999999999", "more than 10000000 states are not supported", 17},
        {"HOA: v1 States: 99999999999999999999999", "this number is too large", 17},
        {"HOA: v1 Spell: 3", "the header item 'Spell' is not supported", 9},
        {"HOA: v1 AP: 1 \"a\" AP: 1 \"b\"", "the header item 'AP:' occurs a second time", 19},
        {"HOA: v1 States: 2 States: 2", "the header item 'States:' occurs a second time", 19},
        {"HOA: v1 Acceptance: 0 t Acceptance: 0 t", "the header item 'Acceptance:' occurs a second time", 25},
        {"HOA: v1 name: \"a\" name: \"b\"", "the header item 'name:' occurs a second time", 19},
        {"HOA: v1 tool: \"a\" tool: \"b\"", "the header item 'tool:' occurs a second time", 19},
        {"HOA: v1 name: \"x", "this quotation mark is never closed", 15},
        {"HOA: v1 /* x", "this comment is never closed", 9},
        {with_body("State: 2"), "there is no state 2", 79},
        {with_body("State: 0 [2] 0"), "there is no atom 2", 82},
        {with_body("State: 0 [@x] 0"), "unknown alias '@x'", 82},
        {with_body("State: 0 [(0] 0"), "this '(' is never closed", 82},
        {with_body("State: 0 [0 1] 0"), "expected ']', found '1'", 84},
        {with_body("State: 0 [t] 0 {1}"), "there is no acceptance set 1", 88},
        {with_body("State: 0 [t] 0&1"), "alternating automata (conjunctions of states) are not supported", 86},
        {with_body("State: [t] 0 [t] 0"), "this edge has a label although its state has one", 85},
        {with_body("State: 0 [t] 0 State: 0"), "state 0 occurs a second time", 94},
        {with_body("State: 0 0 0 0"), "expected 4 edges, one for each letter, or labels; found 3 edges", 87},
        {with_body("State: 0 [t] 0 --ABORT--"), "the automaton is incomplete: whoever wrote it gave up here", 87},
        {with_body("Edge: 0"), "expected 'State:', found 'Edge:'", 72},
        {with_body("") + " HOA: v1", "only one automaton is read from a text", 81},
    };
    for (const Case& c : cases) {
        Labels labels;
        const support::Result<Automaton> result = parse_hoa(support::SourceText("a.hoa", c.text), labels);
        ASSERT_FALSE(result) << c.text;
        EXPECT_EQ(result.diagnostics().at(0).message, c.message) << c.text;
        EXPECT_EQ(result.diagnostics().at(0).position.column, c.column) << support::to_text(result.diagnostics().at(0));
    }
}

TEST(Hoa, TheBudgetEndsReading) {
    std::string body;
    for (int i = 0; i < 3000; ++i) body += " [0] 1";
    const support::Budget interrupted({}, [] { return true; });
    Labels labels;
    EXPECT_TRUE(parse_hoa(support::SourceText("a.hoa", with_body("State: 0" + body)), labels));
    EXPECT_EQ(parse_hoa(support::SourceText("a.hoa", with_body("State: 0" + body)), labels, interrupted).stopped(),
              support::StopReason::interrupted);
}

TEST(Hoa, ALongWordIsAskedWithinTheStatesThatItReaches) {
    // A ring of 20,000 states and a word of 200,000 letters: four thousand million pairs, of which 200,000 are
    // reachable.
    constexpr std::size_t kStates = 20'000;
    constexpr std::size_t kLetters = 200'000;
    Labels labels;
    std::string text = "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- ";
    for (std::size_t s = 0; s < kStates; ++s)
        text +=
            "State: " + std::to_string(s) + (s == 0 ? " {0}" : "") + " [0] " + std::to_string((s + 1) % kStates) + ' ';
    const Automaton automaton = read(labels, text + "--END--");
    logic::Lasso word{std::vector<std::uint64_t>(kLetters, 1), 0};
    const support::Budget budget({.memory = std::uint64_t{100} << 20U, .time = std::chrono::seconds(20)});
    EXPECT_EQ(accepts(automaton, word, budget), true);
    word.letters[kLetters / 2] = 0;
    EXPECT_EQ(accepts(automaton, word, budget), false);
    const support::Budget interrupted({}, [] { return true; });
    EXPECT_EQ(accepts(automaton, word, interrupted), std::nullopt);
}

TEST(Hoa, DamagedTextsDoNoHarm) {
    logic::RandomEngine random(6);
    Labels labels;
    for (int round = 0; round < 3000; ++round) {
        std::string text = with_body("State: 0 [0&!1 | !(0|1)] 1 {0} State: 1 \"x\" [t] 1 /* c */ [@a] 0");
        for (std::size_t i = logic::below(random, 4); i < 4; ++i)
            text[logic::below(random, text.size())] = "HOA:0123 \"@[](){}|&!t-/*"[logic::below(random, 24)];
        (void)parse_hoa(support::SourceText(
                            "a.hoa", text.substr(0, logic::below(random, 2) == 0 ? text.size()
                                                                                 : logic::below(random, text.size()))),
                        labels);
    }
}

}  // namespace
}  // namespace tideline::automata
