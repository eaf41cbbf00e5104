#include "input/lts/aut.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace tideline::input::lts {
namespace {

Graph graph_of(std::string text) {
    support::Result<Graph> result = parse_aut(support::SourceText("m.aut", std::move(text)));
    EXPECT_TRUE(result) << (result.diagnostics().empty() ? "" : support::to_text(result.diagnostics().front()));
    return result ? *std::move(result) : Graph();
}

support::Diagnostic error_of(std::string text) {
    support::Result<Graph> result = parse_aut(support::SourceText("m.aut", std::move(text)));
    EXPECT_FALSE(result);
    return result.diagnostics().empty() ? support::Diagnostic() : result.diagnostics().front();
}

void expect_error(std::string text, std::uint32_t line, std::uint32_t column, const std::string& message) {
    const support::Diagnostic error = error_of(std::move(text));
    EXPECT_EQ(error.message, message);
    EXPECT_EQ(error.position, (support::SourcePosition{line, column})) << support::to_text(error);
}

TEST(Aut, ReadsHeaderAndEdges) {
    const Graph graph = graph_of("des (1, 2, 3)\n(0, \"send\", 1)\n(1, \"take\", 2)\n");
    EXPECT_EQ(graph.format, "aut");
    EXPECT_EQ(graph.state_count, 3U);
    EXPECT_EQ(graph.initial, std::vector<StateNumber>{1});
    ASSERT_EQ(graph.edges.size(), 2U);
    EXPECT_EQ(graph.edges[0].from, 0U);
    EXPECT_EQ(graph.edges[0].to, 1U);
    EXPECT_EQ(graph.action(graph.edges[0]), "send");
    EXPECT_EQ(graph.action(graph.edges[1]), "take");
    EXPECT_EQ(graph.source.text(graph.edges[1].span), "(1, \"take\", 2)");
    EXPECT_EQ(graph.source.line_number(graph.edges[1].span.begin), 3U);
}

TEST(Aut, ASystemWithoutEdgesIsOneState) {
    const Graph graph = graph_of("des (0,0,1)");
    EXPECT_EQ(graph.state_count, 1U);
    EXPECT_TRUE(graph.edges.empty());
}

TEST(Aut, BlanksBlankLinesAndCarriageReturnsDoNotMatter) {
    const Graph graph = graph_of("\r\n  des(0 ,\t2, 2 )  \r\n\r\n( 0 ,a , 1 )\r\n\t(1,  b,0)\r\n\r\n");
    ASSERT_EQ(graph.edges.size(), 2U);
    EXPECT_EQ(graph.action(graph.edges[0]), "a");
    EXPECT_EQ(graph.action(graph.edges[1]), "b");
    EXPECT_EQ(graph.edges[1].to, 0U);
}

TEST(Aut, LabelsMayHoldCommasParenthesesAndQuotes) {
    const Graph graph =
        graph_of("des (0, 3, 1)\n(0, \"put (1, 2)\", 0)\n(0, put (1, 2), 0)\n(0, \"say \"hi\", now\", 0)\n");
    ASSERT_EQ(graph.edges.size(), 3U);
    EXPECT_EQ(graph.action(graph.edges[0]), "put (1, 2)");
    EXPECT_EQ(graph.edges[0].action, graph.edges[1].action);
    EXPECT_EQ(graph.action(graph.edges[2]), "say \"hi\", now");
}

TEST(Aut, LabelsMayBeEmpty) {
    const Graph graph = graph_of("des (0, 2, 1)\n(0, \"\", 0)\n(0, , 0)\n");
    ASSERT_EQ(graph.edges.size(), 2U);
    EXPECT_EQ(graph.action(graph.edges[0]), "");
    EXPECT_EQ(graph.action(graph.edges[1]), "");
}

TEST(Aut, EqualEdgesAreKeptApart) { EXPECT_EQ(graph_of("des (0,2,1)\n(0,a,0)\n(0,a,0)").edges.size(), 2U); }

TEST(Aut, AnEmptyFileIsRefused) {
    EXPECT_EQ(error_of("").message, "the file is empty");
    EXPECT_EQ(error_of("\n \n").message, "the file is empty");
}

TEST(Aut, AMissingHeaderIsRefused) {
    expect_error("(0, a, 1)\n", 1, 1, "the header is missing");
    EXPECT_EQ(error_of("(0, a, 1)\n").hint,
              "the first line must be: des (initial state, number of transitions, number of states)");
}

TEST(Aut, AMalformedHeaderIsRefused) {
    expect_error("des (0, 1)\n", 1, 1, "the header is malformed");
    expect_error("des 0, 1, 1\n", 1, 1, "the header is malformed");
    expect_error("des", 1, 1, "the header is malformed");
    expect_error("des (0, x, 1)\n", 1, 9, "the number of transitions must be a number, not 'x'");
    expect_error("des (0, 1, 1, 4)\n", 1, 12, "the number of states must be a number, not '1, 4'");
    expect_error("des (-1, 1, 1)\n", 1, 6, "the initial state must be a number, not '-1'");
    expect_error("des (, 1, 1)\n", 1, 6, "the initial state is missing");
}

TEST(Aut, AHeaderWithoutStatesIsRefused) { expect_error("des (0, 0, 0)\n", 1, 12, "a system has at least one state"); }

TEST(Aut, TooManyStatesAreRefused) {
    expect_error("des (0, 0, 99999999999)\n", 1, 12, "99999999999 states are more than the 67108864 that can be read");
    expect_error("des (0, 0, 99999999999999999999999)\n", 1, 12,
                 "the number of states '99999999999999999999999' is too large");
}

TEST(Aut, TheInitialStateMustExist) { expect_error("des (2, 0, 2)\n", 1, 6, "the initial state 2 does not exist"); }

TEST(Aut, SourceAndTargetMustExist) {
    expect_error("des (0, 1, 2)\n(2, a, 0)\n", 2, 2, "the source state 2 does not exist");
    expect_error("des (0, 1, 2)\n(0, a, 7)\n", 2, 8, "the target state 7 does not exist");
    EXPECT_EQ(error_of("des (0, 1, 2)\n(0, a, 7)\n").hint, "the header announces 2 states, numbered from 0 to 1");
}

TEST(Aut, MalformedEdgesAreRefused) {
    expect_error("des (0, 1, 2)\n0, a, 1)\n", 2, 1, "expected '('");
    expect_error("des (0, 1, 2)\n(0, a, 1\n", 2, 8, "expected ')' at the end of the line");
    expect_error("des (0, 1, 2)\n(0, 1)\n", 2, 1, "a transition has three parts, separated by commas");
    expect_error("des (0, 1, 2)\n()\n", 2, 1, "a transition has three parts, separated by commas");
    expect_error("des (0, 1, 2)\n(a, b, 1)\n", 2, 2, "the source state must be a number, not 'a'");
    expect_error("des (0, 1, 2)\n(0, b, )\n", 2, 8, "the target state is missing");
    expect_error("des (0, 1, 2)\n(0, \"b, 1)\n", 2, 5, "the label '\"b' has no closing quote");
    expect_error("des (0, 1, 2)\n(\n", 2, 1, "expected ')' at the end of the line");
}

TEST(Aut, TheNumberOfTransitionsMustBeRight) {
    expect_error("des (0, 3, 2)\n(0, a, 1)\n", 1, 9, "the header announces 3 transitions, but the file has 1");
    expect_error("des (0, 0, 2)\n(0, a, 1)\n", 1, 9, "the header announces 0 transitions, but the file has 1");
}

TEST(Aut, AMillionEdgesAreReadQuickly) {
    std::string text = "des (0, 1000000, 500000)\n";
    for (int i = 0; i < 1000000; ++i)
        text += '(' + std::to_string(i / 2) + ", \"action " + std::to_string(i % 7) + "\", " +
                std::to_string((i * 7919LL) % 500000) + ")\n";
    const auto start = std::chrono::steady_clock::now();
    const Graph graph = graph_of(std::move(text));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(graph.edges.size(), 1000000U);
    EXPECT_EQ(graph.actions.size(), 7U);
    // Generous, for slow machines and sanitizers: what is excluded is work that grows faster than the file.
    EXPECT_LT(taken.count(), 30.0);
}

}  // namespace
}  // namespace tideline::input::lts
