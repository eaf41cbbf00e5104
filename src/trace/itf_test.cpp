#include "trace/itf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "trace/example_traces.hpp"

namespace tideline {
namespace {

using nlohmann::json;

const ItfOptions kOptions{"deadlock is violated", "m.dve"};

TEST(Itf, StatesHaveTheirValuesUnderTheNamesOfTheVariables) {
    const json itf = to_itf(examples::two_steps(), kOptions);
    EXPECT_EQ(itf.at("vars"), json::parse(R"(["x", "a", "P", "Q"])"));
    ASSERT_EQ(itf.at("states").size(), 3U);
    EXPECT_EQ(itf["states"][0], json::parse(R"({"#meta": {"index": 0}, "x": 0, "a": [0, 1, 2], "P": "idle", "Q": "wait"})"));
    EXPECT_EQ(itf["states"][2]["x"], 4);
    EXPECT_EQ(itf["states"][2]["P"], "idle");
    EXPECT_FALSE(itf.contains("loop"));
}

TEST(Itf, TheFormatIsNamed) {
    const json itf = to_itf(examples::two_steps(), kOptions);
    EXPECT_EQ(itf.at("#meta").at("format"), "ITF");
    EXPECT_EQ(itf["#meta"].at("format-description"), "https://apalache-mc.org/docs/adr/015adr-trace.html");
    EXPECT_EQ(itf["#meta"].at("description"), "deadlock is violated");
    EXPECT_EQ(itf["#meta"].at("source"), "m.dve");
    EXPECT_FALSE(to_itf(examples::two_steps(), {}).at("#meta").contains("source"));
}

TEST(Itf, AStateTellsTheStepThatLedToIt) {
    const json itf = to_itf(examples::two_steps(), kOptions);
    EXPECT_EQ(itf["states"][2]["#meta"], json::parse(R"({"index": 2, "action": "c", "process": "P", "line": 16, "parts": [
        {"process": "P", "from": "busy", "to": "idle", "line": 16, "text": "busy -> idle { sync c!x; }"},
        {"process": "Q", "from": "wait", "to": "done", "line": 23, "text": "wait -> done { sync c?x; }"}]})"));
    EXPECT_FALSE(itf["states"][1]["#meta"].contains("action"));
    EXPECT_EQ(itf["states"][1]["#meta"]["process"], "P");
}

TEST(Itf, ALassoHasTheStateWhereItsCycleBegins) {
    const json itf = to_itf(examples::lasso(), kOptions);
    EXPECT_EQ(itf.at("loop"), 1);
    EXPECT_EQ(itf.at("states").size(), 3U);
    EXPECT_EQ(itf["#meta"].at("closing-step").at("line"), 30);
}

TEST(Itf, AFaultIsPartOfTheDescription) {
    const json itf = to_itf(examples::faulty(), kOptions);
    EXPECT_EQ(itf["#meta"].at("fault").at("kind"), "index");
    EXPECT_EQ(itf["#meta"]["fault"].at("text"), "index 5 of a[3]");
    EXPECT_EQ(itf["#meta"]["fault"].at("line"), 40);
    EXPECT_EQ(itf["states"].size(), 2U);
}

TEST(Itf, NumbersThatDoublesCannotHoldAreTexts) {
    constexpr Value limit = Value{1} << 53;
    Trace trace{{"a", "b", "c", "d", "e"}, {}, {}, {}, {}};
    TraceState state;
    state.values = {limit - 1, limit, -limit + 1, -limit, INT64_MIN};
    for (const Value value : state.values) state.texts.push_back(std::to_string(value));
    trace.states = {state};
    const json itf = to_itf(trace, {});
    EXPECT_EQ(itf["states"][0], json::parse(R"({"#meta": {"index": 0}, "a": 9007199254740991, "b": {"#bigint": "9007199254740992"},
        "c": -9007199254740991, "d": {"#bigint": "-9007199254740992"}, "e": {"#bigint": "-9223372036854775808"}})"));
}

TEST(Itf, AVariableIsATextInAllStatesOrInNone) {
    const Trace trace{{"mode"}, {{{0}, {"0"}}, {{1}, {"on"}}}, {{{}, "switch"}}, {}, {}};
    const json itf = to_itf(trace, {});
    EXPECT_EQ(itf["states"][0]["mode"], "0");
    EXPECT_EQ(itf["states"][1]["mode"], "on");
}

TEST(Itf, BytesThatAreNotUtf8DoNotSpoilTheText) {
    Trace trace = examples::two_steps();
    trace.steps[0].parts[0].text = "a /* \xe4 */";
    const json itf = json::parse(to_itf_text(trace, kOptions));
    EXPECT_EQ(itf["states"][1]["#meta"]["parts"][0]["text"], "a /* \ufffd */");
}

}  // namespace
}  // namespace tideline
