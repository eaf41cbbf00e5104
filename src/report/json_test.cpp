#include "report/json.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "trace/example_traces.hpp"

namespace tideline::report {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

run::RunReport small_report() {
    run::RunReport report;
    report.version = "0.1.0";
    report.model_path = "m.dve";
    report.format = "dve";
    report.peak_rss_bytes = 4096;
    report.outcome.engine = "bfs";
    report.outcome.complete = true;
    report.outcome.statistics = {.states = 10,
                                 .transitions = 20,
                                 .deadlocks = 1,
                                 .expanded = 10,
                                 .peak_states = 10,
                                 .layers = 1,
                                 .depth = 4,
                                 .state_bytes = 3,
                                 .seconds = 0.5};
    return report;
}

check::Verdict verdict(check::Answer answer) {
    check::Verdict result;
    result.name = "invariant 1";
    result.logic = "invariant";
    result.formula = "x < 3";
    result.answer = answer;
    return result;
}

std::vector<std::string> names(const ordered_json& object) {
    std::vector<std::string> result;
    for (const auto& [name, value] : object.items()) result.push_back(name);
    return result;
}

TEST(Json, TheFixedNamesAreThereInTheirOrder) {
    const ordered_json object = ordered_json::parse(to_json(small_report()));
    const std::vector<std::string> expected{
        "tool",          "model",          "engine",       "complete",        "reason",         "progress",
        "engine_reason", "states",         "states_exact", "transitions",     "deadlocks",      "layers",
        "sweeps",        "sweep_details",  "expanded",     "reread",          "spilled",        "persistent",
        "peak_states",   "peak_rss_bytes", "ledger_bytes", "seconds",         "depth",          "regress_edges",
        "widest_layer",  "state_bytes",    "threads",      "compile_seconds", "search_seconds", "measure_seconds",
        "changed_over",  "faults",         "properties"};
    EXPECT_EQ(names(object), expected);
    EXPECT_EQ(names(object["tool"]), (std::vector<std::string>{"name", "version"}));
    EXPECT_EQ(names(object["model"]), (std::vector<std::string>{"path", "format"}));
    EXPECT_EQ(names(object["progress"]),
              (std::vector<std::string>{"source", "monotonic", "components", "predicted_share"}));
}

TEST(Json, TheValuesAreThoseOfTheRun) {
    const json object = json::parse(to_json(small_report()));
    EXPECT_EQ(
        object,
        json::parse(R"({"tool": {"name": "tideline", "version": "0.1.0"}, "model": {"path": "m.dve", "format": "dve"},
        "engine": "bfs", "complete": true, "reason": null, "progress": {"source": "none", "monotonic": "unknown", "components": [], "predicted_share": null}, "engine_reason": null,
        "states": 10, "states_exact": true, "transitions": 20, "deadlocks": 1, "layers": 1, "sweeps": 0, "sweep_details": [], "expanded": 10, "reread": 0,
        "spilled": 0, "persistent": 0, "peak_states": 10, "peak_rss_bytes": 4096, "ledger_bytes": 0, "seconds": 0.5, "depth": 4,
        "regress_edges": 0, "widest_layer": 0, "state_bytes": 3, "threads": 1, "compile_seconds": 0.0, "search_seconds": 0.5, "measure_seconds": 0.0, "changed_over": null, "faults": [], "properties": []})"));
}

TEST(Json, AChangeToTheSweepAndTheWholeTimeAreThere) {
    run::RunReport report = small_report();
    report.seconds = 2.5;
    report.measure_seconds = 0.25;
    report.outcome.statistics.changed_over = explore::ChangedOver{7, 0.125, "memory limit 4 MB"};
    const json object = json::parse(to_json(report));
    EXPECT_EQ(object["seconds"], 2.5);
    EXPECT_EQ(object["search_seconds"], 0.5);
    EXPECT_EQ(object["measure_seconds"], 0.25);
    EXPECT_EQ(object["changed_over"], json::parse(R"({"states": 7, "seconds": 0.125, "reason": "memory limit 4 MB"})"));
}

TEST(Json, CountsThatAreNotKnownAreNull) {
    run::RunReport report = small_report();
    report.outcome.counts_known = false;
    const json object = json::parse(to_json(report));
    EXPECT_TRUE(object["states"].is_null());
    EXPECT_TRUE(object["transitions"].is_null());
    EXPECT_TRUE(object["deadlocks"].is_null());
    EXPECT_EQ(object["expanded"], 10);
}

TEST(Json, AStoppedSearchHasItsReason) {
    run::RunReport report = small_report();
    report.outcome.complete = false;
    for (const auto& [reason, text] : {std::pair{support::StopReason::memory, "memory"},
                                       {support::StopReason::disk, "disk"},
                                       {support::StopReason::time, "time"},
                                       {support::StopReason::interrupted, "interrupted"},
                                       {support::StopReason::violation, "violation"}}) {
        report.outcome.reason = reason;
        EXPECT_EQ(json::parse(to_json(report))["reason"], text);
    }
}

TEST(Json, AViolatedPropertyHasItsTrace) {
    run::RunReport report = small_report();
    report.outcome.verdicts = {verdict(check::Answer::violated)};
    report.outcome.verdicts[0].trace = trace::examples::two_steps();
    const ordered_json property = ordered_json::parse(to_json(report))["properties"].at(0);
    EXPECT_EQ(names(property), (std::vector<std::string>{"name", "logic", "formula", "verdict", "reason", "seconds",
                                                         "states", "expanded", "peak_states", "trace"}));
    EXPECT_EQ(property["name"], "invariant 1");
    EXPECT_EQ(property["logic"], "invariant");
    EXPECT_EQ(property["formula"], "x < 3");
    EXPECT_EQ(property["verdict"], "violated");
    EXPECT_TRUE(property["reason"].is_null());
    EXPECT_EQ(property["trace"]["#meta"]["format"], "ITF");
    EXPECT_EQ(property["trace"]["#meta"]["description"], "invariant 1: violated");
    EXPECT_EQ(property["trace"]["#meta"]["source"], "m.dve");
    EXPECT_EQ(property["trace"]["states"].size(), 3U);
}

TEST(Json, APropertyThatHoldsHasNoTraceAndNoReason) {
    run::RunReport report = small_report();
    report.outcome.verdicts = {verdict(check::Answer::holds)};
    const json property = json::parse(to_json(report))["properties"].at(0);
    EXPECT_EQ(property["verdict"], "holds");
    EXPECT_TRUE(property["reason"].is_null());
    EXPECT_TRUE(property["trace"].is_null());
}

TEST(Json, FaultsHaveKindTextOccurrencesAndTrace) {
    run::RunReport report = small_report();
    report.outcome.faults = {{model::FaultKind::index, false, "index 5 of a[3]", 12, trace::examples::faulty()},
                             {model::FaultKind::none, true, "assertion P.s: x < 3", 1, {}},
                             {model::FaultKind::division, true, "division by zero", 1, {}}};
    const json faults = json::parse(to_json(report))["faults"];
    EXPECT_EQ(faults[0]["kind"], "index");
    EXPECT_EQ(faults[0]["text"], "index 5 of a[3]");
    EXPECT_EQ(faults[0]["occurrences"], 12);
    EXPECT_EQ(faults[0]["trace"]["#meta"]["fault"]["kind"], "index");
    EXPECT_EQ(faults[1]["kind"], "assertion");
    EXPECT_TRUE(faults[1]["trace"].is_null());
    EXPECT_EQ(faults[2]["kind"], "division");
}

TEST(Json, AMissingTraceHasItsReason) {
    run::RunReport report = small_report();
    report.outcome.verdicts = {verdict(check::Answer::violated)};
    report.outcome.verdicts[0].trace_reason = "memory";
    report.outcome.faults = {{model::FaultKind::index, false, "index 5 of a[3]", 12, {}, "time"}};
    const json object = json::parse(to_json(report));
    EXPECT_TRUE(object["properties"][0]["trace"].is_null());
    EXPECT_EQ(object["properties"][0]["trace_reason"], "memory");
    EXPECT_EQ(object["properties"][0]["verdict"], "violated");
    EXPECT_EQ(object["faults"][0]["trace_reason"], "time");
}

TEST(Json, TheTextIsThatOfOneObject) {
    run::RunReport report = small_report();
    EXPECT_EQ(to_json(report), ordered_json::parse(to_json(report)).dump(2) + '\n');
    report.outcome.verdicts = {verdict(check::Answer::violated), verdict(check::Answer::violated)};
    report.outcome.verdicts[0].trace = trace::examples::lasso();
    report.outcome.verdicts[1].trace_reason = "time";
    report.outcome.faults = {{model::FaultKind::index, false, "index 5 of a[3]", 12, trace::examples::faulty()},
                             {model::FaultKind::none, true, "a\nb", 1, {}}};
    EXPECT_EQ(to_json(report), ordered_json::parse(to_json(report)).dump(2) + '\n');
}

TEST(Json, AnExhaustedBudgetLeavesOutTracesAndNothingElse) {
    run::RunReport report = small_report();
    report.outcome.verdicts = {verdict(check::Answer::violated)};
    report.outcome.verdicts[0].trace = trace::examples::lasso();
    const support::Budget spent({}, [] { return true; });
    std::string text;
    write_json(report, support::sink_into(text), spent);
    const json property = json::parse(text)["properties"].at(0);
    EXPECT_TRUE(property["trace"].is_null());
    EXPECT_EQ(property["trace_reason"], "interrupted");
    EXPECT_EQ(property["verdict"], "violated");
}

TEST(Json, OddBytesInNamesDoNotSpoilTheObject) {
    run::RunReport report = small_report();
    report.model_path = "m\xff\"\n.dve";
    EXPECT_EQ(json::parse(to_json(report))["model"]["path"], "m\ufffd\"\n.dve");
}

}  // namespace
}  // namespace tideline::report
