#include "trace/itf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "trace/example_traces.hpp"

namespace tideline::trace {
namespace {

using nlohmann::json;

json to_itf(const Trace& trace, const ItfOptions& options) { return json::parse(to_itf_text(trace, options)); }

const ItfOptions kOptions{"deadlock is violated", "m.dve"};

TEST(Itf, StatesHaveTheirValuesUnderTheNamesOfTheVariables) {
    const json itf = to_itf(examples::two_steps(), kOptions);
    EXPECT_EQ(itf.at("vars"), json::parse(R"(["x", "a", "P", "Q"])"));
    ASSERT_EQ(itf.at("states").size(), 3U);
    EXPECT_EQ(itf["states"][0],
              json::parse(R"({"#meta": {"index": 0}, "x": 0, "a": [0, 1, 2], "P": "idle", "Q": "wait"})"));
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
    EXPECT_EQ(itf["states"][2]["#meta"],
              json::parse(R"({"index": 2, "action": "c", "process": "P", "line": 16, "parts": [
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
    constexpr model::Value limit = model::Value{1} << 53;
    examples::WrittenTrace trace{{"a", "b", "c", "d", "e"}, {}, {}, {}, {}};
    examples::WrittenState state;
    state.values = {limit - 1, limit, -limit + 1, -limit, INT64_MIN};
    for (const model::Value value : state.values) state.texts.push_back(std::to_string(value));
    trace.states = {state};
    const json itf = to_itf(trace, {});
    EXPECT_EQ(itf["states"][0],
              json::parse(R"({"#meta": {"index": 0}, "a": 9007199254740991, "b": {"#bigint": "9007199254740992"},
        "c": -9007199254740991, "d": {"#bigint": "-9007199254740992"}, "e": {"#bigint": "-9223372036854775808"}})"));
}

TEST(Itf, AVariableIsATextInAllStatesOrInNone) {
    const examples::WrittenTrace trace{{"mode"}, {{{0}, {"0"}}, {{1}, {"on"}}}, {{{}, "switch"}}, {}, {}};
    const json itf = to_itf(trace, {});
    EXPECT_EQ(itf["states"][0]["mode"], "0");
    EXPECT_EQ(itf["states"][1]["mode"], "on");
}

TEST(Itf, BytesThatAreNotUtf8DoNotSpoilTheText) {
    examples::WrittenTrace trace = examples::two_steps();
    trace.steps[0].parts[0].text = "a /* \xe4 */";
    const json itf = json::parse(to_itf_text(trace, kOptions));
    EXPECT_EQ(itf["states"][1]["#meta"]["parts"][0]["text"], "a /* \ufffd */");
}

TEST(Itf, TheTextIsThatOfOneObjectWithItsNamesInOrder) {
    for (const Trace& trace :
         {Trace(examples::two_steps()), Trace(examples::lasso()), Trace(examples::faulty()), Trace(examples::start())})
        EXPECT_EQ(to_itf_text(trace, kOptions), to_itf(trace, kOptions).dump(2) + '\n');
}

TEST(Itf, InsideAnotherObjectItIsIndentedWithIt) {
    const Trace trace = examples::lasso();
    std::string text;
    const support::Budget unlimited;
    EXPECT_EQ(write_itf(trace, {"d", "m.dve", 4}, support::sink_into(text), unlimited), support::StopReason::none);
    const json outer{{"a", {{"trace", to_itf(trace, {"d", "m.dve"})}}}};
    EXPECT_EQ("{\n  \"a\": {\n    \"trace\": " + text + "\n  }\n}", outer.dump(2));
}

TEST(Itf, AnExhaustedBudgetLeavesOutStatesAndSaysSo) {
    examples::WrittenTrace trace = examples::two_steps();
    while (trace.states.size() < 1000) {
        trace.states.push_back(trace.states[1]);
        trace.steps.push_back(examples::work());
    }
    const support::Budget spent({.memory = {}, .disk = {}, .time = std::chrono::nanoseconds(0)});
    std::string text;
    EXPECT_EQ(write_itf(trace, kOptions, support::sink_into(text), spent), support::StopReason::time);
    const json itf = json::parse(text);
    EXPECT_EQ(itf.at("incomplete"), "time");
    EXPECT_LT(itf.at("states").size(), 1000U);
    EXPECT_FALSE(to_itf(trace, kOptions).contains("incomplete"));
}

}  // namespace
}  // namespace tideline::trace
