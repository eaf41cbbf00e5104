// The generator, the printer and the shrinker, compared with the reference implementation.
#include "tests/differential/random_dve.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "reference/explorer.hpp"
#include "reference/machine_from_text.hpp"
#include "tests/differential/print_dve.hpp"
#include "tests/differential/shrink_dve.hpp"

namespace tideline::differential {
namespace {

constexpr std::size_t kLimit = 2000;

reference::Graph graph_of(const std::string& text) {
    return reference::explore(*reference::machine_from_text(text), {.max_states = kLimit, .keep_edges = false});
}

std::string printed(const std::string& text) {
    const support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("model", text));
    return program ? to_dve_text(*program) : support::to_text(program.diagnostics().front());
}

std::string printed_expression(const std::string& text) {
    const support::Result<input::dve::ExprPtr> expression = input::dve::parse_expression(support::SourceText("", text));
    return expression ? to_dve_text(**expression) : support::to_text(expression.diagnostics().front());
}

TEST(RandomDve, GivesTheSameModelForTheSameSeedAndOthersForOthers) {
    EXPECT_EQ(random_dve_model(5), random_dve_model(5));
    EXPECT_NE(random_dve_model(5), random_dve_model(6));
    EXPECT_EQ(random_model(9).text, random_dve_model(9));
}

TEST(RandomDve, MakesModelsThatParseWithInvariantsThatCanBeEvaluated) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomModel model = random_model(seed);
        ASSERT_TRUE(input::dve::parse(support::SourceText("model", model.text))) << model.text;
        const auto machine = reference::machine_from_text(model.text);
        ASSERT_EQ(model.invariants.size(), 3u);
        for (const std::string& invariant : model.invariants) {
            const support::Result<reference::Answer> answer =
                machine->evaluate(invariant, machine->initial_states().front());
            ASSERT_TRUE(answer) << invariant;
            EXPECT_EQ(answer->fault, model::FaultKind::none) << invariant;
        }
    }
}

TEST(RandomDve, MakesFaultsOnlyWhereTheyAreWanted) {
    int faulty = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        EXPECT_TRUE(graph_of(random_dve_model(seed, {.fault_percent = 0})).faults.empty()) << seed;
        if (!graph_of(random_dve_model(seed, {.fault_percent = 100})).faults.empty()) ++faulty;
    }
    EXPECT_GT(faulty, 50);
}

TEST(RandomDve, PrintsModelsThatBehaveTheSame) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const std::string text = random_dve_model(seed);
        const std::string again = printed(text);
        EXPECT_EQ(printed(again), again);
        const reference::Graph left = graph_of(text);
        const reference::Graph right = graph_of(again);
        EXPECT_EQ(left.states, right.states) << text;
        EXPECT_EQ(left.transitions, right.transitions) << text;
        EXPECT_EQ(left.faults.size(), right.faults.size()) << text;
    }
}

TEST(RandomDve, PrintsExpressionsWithTheirParentheses) {
    for (const std::string text : {"a + b * c - 1", "(a + b) * c", "not (a and b) or c", "- - x", "- (~ y)",
                                   "P.s imply P->a[i + 1] == 2", "1 << (2 >> 1)", "((x)) == 1"}) {
        const std::string once = printed_expression(text);
        EXPECT_EQ(printed_expression(once), once);
    }
    EXPECT_EQ(printed_expression("(a + b) * c"), "(a + b) * c");
    EXPECT_EQ(printed_expression("a + b * c - 1"), "a + b * c - 1");
}

TEST(ShrinkDve, KeepsOnlyWhatTheFailureNeeds) {
    const auto divides = [](const std::string& text) {
        if (!input::dve::parse(support::SourceText("model", text))) return false;
        const reference::Graph graph = graph_of(text);
        return std::any_of(graph.faults.begin(), graph.faults.end(),
                           [](const reference::FaultyStep& fault) { return fault.kind == model::FaultKind::division; });
    };
    const std::string text =
        "byte x = 3; byte y[2] = {1, 2}; channel c;\n"
        "process P { byte l; state s, t, u; init s; commit s; trans s -> t { guard x > 2 and y[0] == 1; effect l = 4, x = 0; },\n"
        "t -> u { sync c!x; }, u -> s { effect y[1] = (7 + 2) / x; }; }\n"
        "process Q { byte v; state s; init s; assert s: v < 9; trans s -> s { sync c?v; effect v = v + 1; }; }\nsystem async;";
    ASSERT_TRUE(divides(text));
    const std::string small = shrink_dve_model(text, divides);
    EXPECT_TRUE(divides(small));
    EXPECT_EQ(small,
              "process P {\n  state s;\n  init s;\n  trans\n    s -> s { effect y[0] = 0 / 0; };\n}\nsystem async;\n");
}

TEST(ShrinkDve, GivesBackWhatItCannotShrink) {
    EXPECT_EQ(shrink_dve_model("no model", [](const std::string&) { return true; }), "no model");
    const std::string text = "process P { state s; init s; }  system async;";
    EXPECT_EQ(shrink_dve_model(text, [&](const std::string& attempt) { return attempt == text; }), text);
}

}  // namespace
}  // namespace tideline::differential
