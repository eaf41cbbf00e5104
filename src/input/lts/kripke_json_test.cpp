#include "input/lts/kripke_json.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace tideline::input::lts {
namespace {

Graph graph_of(std::string text) {
    support::Result<Graph> result = parse_kripke(support::SourceText("m.json", std::move(text)));
    EXPECT_TRUE(result) << (result.diagnostics().empty() ? "" : support::to_text(result.diagnostics().front()));
    return result ? *std::move(result) : Graph();
}

support::Diagnostic error_of(std::string text) {
    support::Result<Graph> result = parse_kripke(support::SourceText("m.json", std::move(text)));
    EXPECT_FALSE(result);
    return result.diagnostics().empty() ? support::Diagnostic() : result.diagnostics().front();
}

// `marked` is what the caret points at.
void expect_error(const std::string& text, const std::string& marked, const std::string& message,
                  const std::string& hint = {}) {
    const support::Diagnostic error = error_of(text);
    EXPECT_EQ(error.message, message);
    EXPECT_GT(error.position.line, 0U);
    const support::SourceText source("m.json", text);
    const std::string_view line = source.line(error.position.line);
    ASSERT_LE(error.position.column, line.size() + 1);
    EXPECT_TRUE(line.substr(error.position.column - 1).starts_with(marked)) << support::to_text(error);
    if (!hint.empty()) {
        EXPECT_EQ(error.hint, hint);
    }
}

// A file with two named states and the given edges.
std::string with_edges(const std::string& edges) {
    return R"({"states": ["red", "green"], "initial": "red", "edges": )" + edges + "}";
}

std::string with_states(const std::string& states) {
    return R"({"states": )" + states + R"(, "initial": 0, "edges": []})";
}

TEST(Kripke, ReadsStatesLabelsProgressAndEdges) {
    const Graph graph = graph_of(R"({
        "states": [{"name": "s0", "labels": ["p", "q"], "progress": 0}, {"name": "s1", "labels": ["q"], "progress": 7}],
        "initial": "s1",
        "edges": [["s0", "s1"], ["s1", "s0", "back"], {"from": "s1", "to": 1, "label": "stay"}]
    })");
    EXPECT_EQ(graph.format, "kripke");
    EXPECT_EQ(graph.state_count, 2U);
    EXPECT_EQ(graph.initial, std::vector<StateNumber>{1});
    EXPECT_EQ(graph.names, (std::vector<std::string>{"s0", "s1"}));
    ASSERT_EQ(graph.labels.size(), 2U);
    EXPECT_EQ(graph.labels[0].name, "p");
    EXPECT_EQ(graph.labels[0].states, (std::vector<StateNumber>{0}));
    EXPECT_EQ(graph.labels[1].states, (std::vector<StateNumber>{0, 1}));
    EXPECT_EQ(graph.source.text(graph.labels[1].span), "\"q\"");
    EXPECT_EQ(graph.progress, (std::vector<std::int64_t>{0, 7}));
    ASSERT_EQ(graph.edges.size(), 3U);
    EXPECT_EQ(graph.action(graph.edges[0]), "");
    EXPECT_EQ(graph.action(graph.edges[1]), "back");
    EXPECT_EQ(graph.action(graph.edges[2]), "stay");
    EXPECT_EQ(graph.edges[2].from, 1U);
    EXPECT_EQ(graph.edges[2].to, 1U);
    EXPECT_EQ(graph.source.text(graph.edges[1].span), R"(["s1", "s0", "back"])");
    EXPECT_EQ(graph.source.line_number(graph.edges[1].span.begin), 4U);
}

TEST(Kripke, StatesMayBeANumber) {
    const Graph graph = graph_of(R"({"states": 3, "initial": 2, "edges": [[2, 0], [0, 1, "a"]]})");
    EXPECT_EQ(graph.state_count, 3U);
    EXPECT_EQ(graph.initial, std::vector<StateNumber>{2});
    EXPECT_TRUE(graph.names.empty());
    EXPECT_TRUE(graph.labels.empty());
    EXPECT_TRUE(graph.progress.empty());
}

TEST(Kripke, AStateWithoutANameIsCalledByItsNumber) {
    const Graph graph = graph_of(R"({"states": [{}, {"labels": ["p"]}], "initial": "1", "edges": []})");
    EXPECT_EQ(graph.names, (std::vector<std::string>{"0", "1"}));
    EXPECT_EQ(graph.initial, std::vector<StateNumber>{1});
}

TEST(Kripke, EscapesAndSeparatorsInNamesDoNotShiftPositions) {
    const Graph graph = graph_of(R"({"states": ["a\"],: ", "\u00fcb\\", "c"], "initial": 0, "edges": [ ["c" , 1] ]})");
    EXPECT_EQ(graph.names[0], "a\"],: ");
    EXPECT_EQ(graph.names[1],
              "\xC3\xBC"
              "b\\");
    EXPECT_EQ(graph.source.text(graph.edges[0].span), R"(["c" , 1])");
}

TEST(Kripke, AByteOrderMarkIsSkipped) {
    const Graph graph = graph_of(
        "\xEF\xBB\xBF"
        R"({"states": 1, "initial": 0, "edges": [[0, 0]]})");
    EXPECT_EQ(graph.source.text(graph.edges[0].span), "[0, 0]");
}

TEST(Kripke, SyntaxErrorsHaveALineAndAColumn) {
    const support::Diagnostic error = error_of("{\"states\": 2,\n \"initial\" 0}");
    EXPECT_EQ(error.message, "this is not valid JSON: unexpected number literal");
    EXPECT_EQ(error.hint, "expected ':'");
    EXPECT_EQ(error.position, (support::SourcePosition{2, 12}));
    EXPECT_EQ(error_of("{\"states\": [1,,2]}").position, (support::SourcePosition{1, 15}));
    EXPECT_EQ(error_of("{\"states\": 2").message, "this is not valid JSON: unexpected end of input");
    EXPECT_EQ(error_of("").message, "this is not valid JSON: unexpected end of input");
    EXPECT_EQ(error_of("{} x").message, "this is not valid JSON: invalid literal");
    EXPECT_EQ(error_of("{states: 2}").position, (support::SourcePosition{1, 2}));
    EXPECT_NE(error_of("[\"\xFF\"]").message.find("not valid JSON"), std::string::npos);
}

TEST(Kripke, NumbersBeyondAllBoundsAreRefused) {
    expect_error(with_states("18446744073709551615"), "18446744073709551615",
                 "the number 18446744073709551615 is too large");
    EXPECT_NE(error_of(with_states("1e999")).message.find("not valid JSON"), std::string::npos);
    expect_error(with_states("99999999999"), "99999999999",
                 "99999999999 states are more than the 67108864 that can be read");
}

TEST(Kripke, DeepNestingIsRefused) {
    EXPECT_EQ(error_of(std::string(1000000, '[')).message, "this is nested too deeply");
}

TEST(Kripke, TheFileMustBeAnObject) { expect_error("[1]", "[1]", "the file must be an object, not an array"); }

TEST(Kripke, KeysThatAreMissingAreNamed) {
    expect_error("{}", "{", "the key 'states' is missing");
    expect_error(R"({"states": 1})", "{", "the key 'initial' is missing");
    expect_error(R"({"states": 1, "initial": 0})", "{", "the key 'edges' is missing");
    expect_error(with_edges(R"([{"to": 0}])"), "{\"to\"", "edges[0]: the key 'from' is missing");
    expect_error(with_edges(R"([{"from": 0}])"), "{\"from\"", "edges[0]: the key 'to' is missing");
}

TEST(Kripke, UnknownKeysGetASuggestion) {
    expect_error(R"({"state": 1})", "\"state\"", "unknown key 'state'", "did you mean 'states'?");
    expect_error(with_states(R"([{"lables": []}])"), "\"lables\"", "states[0]: unknown key 'lables'",
                 "did you mean 'labels'?");
    expect_error(with_edges(R"([{"from": 0, "to": 1, "zzzzz": 2}])"), "\"zzzzz\"", "edges[0]: unknown key 'zzzzz'",
                 "the keys are: from, to, label");
}

TEST(Kripke, ManyKeysTakeNoLongerEach) {
    std::string text = "{\"k0\": 0";
    for (int i = 1; i < 300'000; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(parse_kripke(support::SourceText("m.json", text + "}")).diagnostics().at(0).message, "unknown key 'k0'");
    EXPECT_EQ(parse_kripke(support::SourceText("m.json", text + ", \"k5\": 0}")).diagnostics().at(0).message,
              "the key 'k5' is given twice");
    // Comparing each key with all before it would take a minute.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    // Inner objects have keys of their own.
    EXPECT_EQ(
        parse_kripke(support::SourceText("m.json", text + ", \"inner\": {\"k1\": 0}}")).diagnostics().at(0).message,
        "unknown key 'k0'");
}

TEST(Kripke, KeysGivenTwiceAreRefused) {
    expect_error(R"({"states": 1, "states": 2})", "\"states\": 2", "the key 'states' is given twice");
}

TEST(Kripke, ThereMustBeAState) {
    expect_error(with_states("[]"), "[]", "a system has at least one state");
    expect_error(with_states("0"), "0", "a system has at least one state");
    expect_error(with_states("-1"), "-1", "states must not be negative");
}

TEST(Kripke, WrongTypesAreReportedWithTheirPath) {
    expect_error(with_states("\"s\""), "\"s\"", "states must be an array or a number, not a string");
    expect_error(with_states("1.5"), "1.5", "states must be an array or a number, not a fraction");
    expect_error(with_states("[{}, 7]"), "7", "states[1] must be an object, not a number");
    expect_error(with_states(R"([{"name": 3}])"), "3", "states[0].name must be a string, not a number");
    expect_error(with_states(R"([{}, {"labels": "p"}])"), "\"p\"", "states[1].labels must be an array, not a string");
    expect_error(with_states(R"([{"labels": ["p", true]}])"), "true",
                 "states[0].labels[1] must be a string, not a truth value");
    expect_error(with_states(R"([{"progress": null}])"), "null", "states[0].progress must be a number, not null");
    expect_error(with_states(R"([{"progress": -4}])"), "-4", "states[0].progress must not be negative");
    expect_error(with_edges("{}"), "{}", "edges must be an array, not an object");
    expect_error(with_edges("[[0, 1], 3]"), "3", "edges[1] must be an array or an object, not a number");
    expect_error(with_edges("[[0]]"), "[0]", "edges[0] must have 2 or 3 elements, not 1");
    expect_error(with_edges("[[0, [1]]]"), "[1]",
                 "edges[0][1] must be the name or the number of a state, not an array");
    expect_error(with_edges("[[0, 1, 2]]"), "2", "edges[0][2] must be a string, not a number");
    expect_error(with_edges(R"([{"from": 0, "to": 1, "label": 5}])"), "5",
                 "edges[0].label must be a string, not a number");
}

TEST(Kripke, UnknownStatesGetASuggestion) {
    expect_error(with_edges(R"([["red", "gren"]])"), "\"gren\"", "edges[0][1]: there is no state 'gren'",
                 "did you mean 'green'?");
    expect_error(with_edges(R"([{"from": "rde", "to": 0}])"), "\"rde\"", "edges[0].from: there is no state 'rde'",
                 "did you mean 'red'?");
    expect_error(with_edges("[[0, 2]]"), "2", "edges[0][1]: there is no state 2",
                 "there are 2 states, numbered from 0 to 1");
    expect_error(with_edges("[[-1, 0]]"), "-1", "edges[0][0]: there is no state -1");
    expect_error(R"({"states": 2, "initial": "a", "edges": []})", "\"a\"", "initial: there is no state 'a'",
                 "these states have no names: write their numbers, from 0 on");
}

TEST(Kripke, NamesMustDifferAndNotBeEmpty) {
    expect_error(with_states(R"(["a", "b", "a"])"), "\"a\"]", "states[2]: the name 'a' is already that of states[0]");
    expect_error(with_states(R"([{"name": "1"}, {}])"), "{}", "states[1]: the name '1' is already that of states[0]",
                 "a state without a name is called by its number");
    expect_error(with_states(R"([""])"), "\"\"", "states[0]: the name of a state must not be empty");
}

TEST(Kripke, LabelsMustDifferAndNotBeEmpty) {
    expect_error(with_states(R"([{"labels": ["p", "p"]}])"), "\"p\"]",
                 "states[0].labels[1]: the label 'p' is given twice");
    expect_error(with_states(R"([{"labels": [""]}])"), "\"\"", "states[0].labels[0]: a label must not be empty");
}

TEST(Kripke, WordsOfExpressionsCannotBeLabels) {
    expect_error(with_states(R"([{"labels": ["true"]}])"), "\"true\"", "states[0].labels[0]: 'true' cannot be a label",
                 "the word has a meaning of its own in expressions");
    expect_error(with_states(R"([{"labels": ["p", "state"]}])"), "\"state\"",
                 "states[0].labels[1]: 'state' cannot be a label");
}

TEST(Kripke, ProgressIsGivenToAllStatesOrToNone) {
    const std::string hint = "give a progress value to every state or to none";
    expect_error(with_states(R"([{"progress": 1}, {"name": "x"}])"), R"({"name": "x"})",
                 "states[1] has no progress, but states[0] has", hint);
    expect_error(with_states(R"(["x", {}, {"progress": 1}])"), "\"x\"", "states[0] has no progress, but states[2] has",
                 hint);
    expect_error(with_states(R"([{"progress": 1}, "x"])"), "\"x\"", "states[1] has no progress, but states[0] has",
                 hint);
}

TEST(Kripke, HasOneOrSeveralInitialStates) {
    const auto initial_of = [](const std::string& initial) {
        return graph_of(R"({"states": ["red", "green", "off"], "initial": )" + initial + R"(, "edges": []})").initial;
    };
    EXPECT_EQ(initial_of("\"green\""), std::vector<StateNumber>{1});
    EXPECT_EQ(initial_of("[\"green\"]"), std::vector<StateNumber>{1});
    EXPECT_EQ(initial_of("[2, \"red\"]"), (std::vector<StateNumber>{2, 0}));
}

TEST(Kripke, RefusesNoInitialStateAndTheSameTwice) {
    const auto with = [](const std::string& initial) {
        return R"({"states": ["red", "green"], "initial": )" + initial + R"(, "edges": []})";
    };
    expect_error(with("[]"), "[]", "a system has at least one initial state");
    expect_error(with(R"(["red", 0])"), "0", "initial[1]: this initial state is given twice");
    expect_error(with(R"(["red", "gren"])"), "\"gren\"", "initial[1]: there is no state 'gren'",
                 "did you mean 'green'?");
    expect_error(with("[[0]]"), "[0]", "initial[0] must be the name or the number of a state, not an array");
}

}  // namespace
}  // namespace tideline::input::lts
