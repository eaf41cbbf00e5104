#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"
#include "automata/dot.hpp"
#include "automata/never_claim_parse.hpp"
#include "automata/never_claim_print.hpp"
#include "logic/normal_form.hpp"

namespace tideline::automata {
namespace {

Automaton read(Labels& labels, const std::string& text) {
    support::Result<Automaton> result = parse_never_claim(support::SourceText("claim", text), labels);
    if (result) return std::move(*result);
    ADD_FAILURE() << support::to_text(result.diagnostics().at(0)) << text;
    return {};
}

// The letters of a word for another order of the atoms.
logic::Lasso reordered(const logic::Lasso& word, const std::vector<std::string>& from,
                       const std::vector<std::string>& to) {
    logic::Lasso result = word;
    for (std::uint64_t& letter : result.letters) {
        std::uint64_t other = 0;
        for (std::size_t i = 0; i < to.size(); ++i)
            for (std::size_t j = 0; j < from.size(); ++j)
                if (to[i] == from[j]) other |= ((letter >> j) & 1U) << i;
        letter = other;
    }
    return result;
}

TEST(NeverClaim, WhatIsPrintedIsReadBack) {
    logic::RandomEngine random(5);
    for (std::size_t round = 0; round < 500; ++round) {
        logic::Formulas formulas;
        Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("p"), formulas.atom("x[1] == 3")};
        const logic::Formula f = logic::random_ltl(formulas, random, atoms, 3 + logic::below(random, 10));
        const support::Result<Automaton> automaton =
            translate(formulas, f, labels, AutomatonKind::state_based, {}, atoms);
        ASSERT_TRUE(automaton);
        const std::string text = to_never_claim(*automaton, logic::to_text(formulas, f));
        const Automaton again = read(labels, text);
        ASSERT_TRUE(again.labels != nullptr);
        for (int i = 0; i < 20; ++i) {
            const logic::Lasso word = logic::random_lasso(random, 2);
            ASSERT_EQ(accepts(*automaton, word), accepts(again, reordered(word, automaton->atoms, again.atoms)))
                << text;
        }
    }
}

TEST(NeverClaim, IsPrintedAsSpinReadsIt) {
    logic::Formulas formulas;
    Labels labels;
    const auto claim = [&](const std::string& text) {
        return to_never_claim(*translate(formulas, parsed(formulas, text), labels, AutomatonKind::state_based), text);
    };
    EXPECT_EQ(
        claim("F p"),
        "never {    /* F p */\nT0_init:\n  if\n  :: (!p) -> goto T0_init\n  :: (p) -> goto accept_all\n  fi;\naccept_all:\n  skip\n}\n");
    EXPECT_EQ(claim("G p"), "never {    /* G p */\naccept_init:\n  if\n  :: (p) -> goto accept_init\n  fi;\n}\n");
    EXPECT_EQ(claim("false"), "never {    /* false */\nT0_init:\n  false;\n}\n");
    EXPECT_EQ(claim("true"), "never {    /* true */\naccept_init:\n  skip\n}\n");
}

TEST(NeverClaim, FormsOfOtherToolsAreRead) {
    Labels labels;
    const Automaton spin =
        read(labels,
             "never  {    /* <> p */\nT0_init:\n\tdo\n\t:: atomic { ((p)) -> assert(!((p))) }\n\t:: (1) -> goto "
             "T0_init\n\tod;\naccept_all:\n\tskip\n}\n");
    const Automaton ltl2ba = read(
        labels,
        "never { /* <>p */\nT0_init:\n\tif\n\t:: (1) -> goto T0_init\n\t:: (p) -> goto accept_all\n\tfi;\naccept_all:\n\tskip\n}\n");
    const Automaton two_labels = read(
        labels,
        "never named { T0_init: again: if :: true -> goto again; :: (p && true || 0) -> goto accept_all; fi; accept_all: skip; }");
    for (const Automaton& automaton : {spin, ltl2ba, two_labels}) {
        EXPECT_TRUE(accepts(automaton, {{0, 1, 0}, 2}));
        EXPECT_FALSE(accepts(automaton, {{0}, 0}));
        EXPECT_EQ(automaton.atoms, std::vector<std::string>{"p"});
    }
    EXPECT_TRUE(is_empty(read(labels, "never { accept_init: false; }")));
}

TEST(NeverClaim, MistakesAreNamed) {
    struct Case {
        std::string text;
        std::string message;
    };
    const std::vector<Case> cases = {
        {"", "expected 'never', found the end"},
        {"active proctype P() {}", "expected 'never', found 'a'"},
        {"never { }", "the claim is empty"},
        {"never { if :: (p) -> goto x fi }", "expected the label of a state, found 'i'"},
        {"never { x: if :: (p) -> goto y fi }", "there is no state 'y'"},
        {"never { x: skip x: skip }", "the label 'x' occurs a second time"},
        {"never { x: if :: (p -> goto x fi }", "expected '&&', '||' or ')', found '-'"},
        {"never { x: if :: p -> goto x fi }", "expected a condition in parentheses, found 'p'"},
        {"never { x: if :: (p) -> x fi }", "expected 'goto', found 'x'"},
        {"never { x: if fi }", "expected '::', found 'f'"},
        {"never { x: if :: (p) -> goto x od }", "expected '::' or 'fi', found 'o'"},
        {"never { x: while }", "expected 'if', 'do', 'skip' or 'false', found 'while'"},
        {"never { x: if :: (p && ) -> goto x fi }", "expected a condition, found ')'"},
        {"never { x: if :: atomic { (p) -> goto x } fi }", "expected 'assert' in an atomic step, found 'g'"},
        {"never { x: skip } }", "expected the end after the claim"},
        {"never { x: /* skip }", "this comment is never closed"},
    };
    for (const Case& c : cases) {
        Labels labels;
        const support::Result<Automaton> result = parse_never_claim(support::SourceText("claim", c.text), labels);
        ASSERT_FALSE(result) << c.text;
        EXPECT_EQ(result.diagnostics().at(0).message, c.message) << support::to_text(result.diagnostics().at(0));
    }
}

TEST(NeverClaim, DamagedTextsDoNoHarm) {
    logic::RandomEngine random(8);
    Labels labels;
    const std::string whole =
        "never { a: if :: (p && !q || x == 1) -> goto b :: atomic { (p) -> assert(!(p)) } fi; b: do :: (1) -> goto a "
        "od; accept_all: skip }";
    for (int round = 0; round < 3000; ++round) {
        std::string text = whole;
        for (std::size_t i = logic::below(random, 4); i < 4; ++i)
            text[logic::below(random, text.size())] = "{}():;&|!-> apx1/*"[logic::below(random, 18)];
        (void)parse_never_claim(support::SourceText("claim", text.substr(0, logic::below(random, 2) == 0
                                                                                ? text.size()
                                                                                : logic::below(random, text.size()))),
                                labels);
    }
}

// In the syntax of SPIN, which has neither X (as packaged) nor W and M.
std::string for_spin(const logic::Formulas& formulas, logic::Formula f) {
    const std::span<const logic::Formula> operands = formulas.operands(f);
    const auto at = [&](std::size_t i) { return '(' + for_spin(formulas, operands[i]) + ')'; };
    switch (formulas.connective(f)) {
        case logic::Connective::truth: return "true";
        case logic::Connective::falsity: return "false";
        case logic::Connective::atom: return formulas.text(f);
        case logic::Connective::negation: return '!' + at(0);
        case logic::Connective::eventually: return "<>" + at(0);
        case logic::Connective::always: return "[]" + at(0);
        case logic::Connective::until: return at(0) + " U " + at(1);
        case logic::Connective::release: return at(0) + " V " + at(1);
        case logic::Connective::weak_until: return at(1) + " V (" + at(0) + " || " + at(1) + ')';
        case logic::Connective::strong_release: return at(1) + " U (" + at(0) + " && " + at(1) + ')';
        default: break;
    }
    std::string result;
    for (std::size_t i = 0; i < operands.size(); ++i)
        result += (i > 0 ? (formulas.is(f, logic::Connective::conjunction) ? " && " : " || ") : "") + at(i);
    return result;
}

TEST(NeverClaim, SpinsAutomataAcceptTheSame) {
    if (output_of("spin -V 2>/dev/null").empty()) GTEST_SKIP() << "spin is not installed";
    logic::RandomEngine random(9);
    int compared = 0;
    for (std::size_t round = 0; round < 60; ++round) {
        logic::Formulas formulas;
        Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("p"), formulas.atom("q")};
        const logic::Formula f = logic::negation_normal_form(
            formulas, logic::random_ltl(formulas, random, atoms, 3 + logic::below(random, 5)));
        if (!formulas.has(f, logic::Trait::next_free) || formulas.has(f, logic::Trait::boolean)) continue;
        const std::string text = output_of("timeout 5 spin -f '" + for_spin(formulas, f) + "' 2>/dev/null");
        if (!text.starts_with("never")) continue;
        const Automaton theirs = read(labels, text);
        const support::Result<Automaton> ours = translate(formulas, f, labels, AutomatonKind::state_based, {}, atoms);
        ASSERT_TRUE(ours);
        for (int i = 0; i < 40; ++i) {
            const logic::Lasso word = logic::random_lasso(random, 2);
            ASSERT_EQ(accepts(*ours, word), accepts(theirs, reordered(word, ours->atoms, theirs.atoms)))
                << logic::to_text(formulas, f) << text;
        }
        ++compared;
    }
    EXPECT_GT(compared, 10);
}

TEST(Dot, ShowsStatesEdgesAndAcceptance) {
    logic::Formulas formulas;
    Labels labels;
    const support::Result<Automaton> result =
        translate(formulas, parsed(formulas, "p U \"x == \\\"q\\\"\""), labels, AutomatonKind::state_based);
    ASSERT_TRUE(result);
    EXPECT_EQ(
        to_dot(*result, "until"),
        "digraph \"until\" {\n  rankdir=LR\n  node [shape=circle]\n  start [shape=point, label=\"\"]\n  start -> 0\n"
        "  subgraph cluster_0 { 1 }\n"
        "  0 -> 0 [label=\"p && !\\\"x == \\\\\\\"q\\\\\\\"\\\"\"]\n  0 -> 1 [label=\"\\\"x == \\\\\\\"q\\\\\\\"\\\"\"]\n"
        "  1 [shape=doublecircle]\n  1 -> 1 [label=\"true\"]\n}\n");
}

}  // namespace
}  // namespace tideline::automata
