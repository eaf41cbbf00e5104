#include "report/summary.hpp"

#include <gtest/gtest.h>

#include "trace/example_traces.hpp"

namespace tideline::report {
namespace {

run::RunReport finished() {
    run::RunReport report;
    report.model_path = "m.dve";
    report.peak_rss_bytes = 12 << 20;
    report.outcome.engine = "bfs";
    report.outcome.complete = true;
    report.outcome.statistics = {.states = 1119560,
                                 .transitions = 4000000,
                                 .deadlocks = 0,
                                 .expanded = 1119560,
                                 .peak_states = 1119560,
                                 .layers = 1,
                                 .depth = 118,
                                 .state_bytes = 7,
                                 .seconds = 3.2};
    return report;
}

check::Verdict verdict(std::string name, std::string formula, check::Answer answer, std::string reason = "") {
    check::Verdict result;
    result.name = std::move(name);
    result.formula = std::move(formula);
    result.answer = answer;
    result.reason = std::move(reason);
    return result;
}

constexpr const char* kFigures =
    "\n"
    "states        1,119,560\n"
    "transitions   4,000,000\n"
    "deadlocks     0\n"
    "depth         118\n"
    "engine        bfs\n"
    "time          3.2 s (states: 350 k/s)\n"
    "memory        12.0 MB at most (11.2 bytes per state, 7 bytes packed)\n";

TEST(Summary, AnExplorationSaysThatItIsCompleteAndGivesFigures) {
    EXPECT_EQ(summary(finished(), {}), std::string("all reachable states were visited\n") + kFigures);
}

TEST(Summary, AnswersComeFirstAndTracesOfViolatedPropertiesBeforeFigures) {
    run::RunReport report = finished();
    report.outcome.verdicts = {verdict("invariant 1", "x <  3", check::Answer::holds),
                               verdict("deadlock", "", check::Answer::violated),
                               verdict("invariant 2", "y < 3", check::Answer::unknown, "fault")};
    report.outcome.verdicts[1].trace = trace::examples::start();
    EXPECT_EQ(summary(report, {}),
              std::string("HOLDS     invariant 1: x < 3\n"
                          "VIOLATED  deadlock\n"
                          "UNKNOWN   invariant 2: y < 3 (a run-time fault of the model came in between)\n"
                          "\n"
                          "deadlock is violated by this run:\n"
                          " 0  initial state (no step is needed)\n"
                          "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n") +
                  kFigures);
}

TEST(Summary, AViolationWithoutATraceSaysSo) {
    run::RunReport report = finished();
    report.outcome.verdicts = {verdict("deadlock", "", check::Answer::violated)};
    EXPECT_EQ(summary(report, {}),
              std::string("VIOLATED  deadlock\n\ndeadlock is violated; no run was kept that shows it\n") + kFigures);
}

TEST(Summary, AMissingTraceHasItsReason) {
    run::RunReport report = finished();
    report.outcome.verdicts = {verdict("deadlock", "", check::Answer::violated)};
    report.outcome.verdicts[0].trace_reason = "memory";
    report.outcome.faults = {{model::FaultKind::index, false, "index 5 of a[3]", 1, {}, "the reason"},
                             {model::FaultKind::index, false, "index 6 of a[3]", 1, {}, "the reason"},
                             {model::FaultKind::index, false, "index 7 of a[3]", 1, {}, "time"}};
    const std::string text = summary(report, {});
    EXPECT_NE(text.find("\ndeadlock is violated; no run is shown: memory limit reached\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nno run is shown for 2 faults: the reason\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\nno run is shown for 1 fault: time limit reached\n"), std::string::npos) << text;
}

TEST(Summary, ExpectationsAreToldWhereTheyAreNotMet) {
    run::RunReport report = finished();
    report.outcome.verdicts = {verdict("a", "", check::Answer::holds), verdict("longer", "", check::Answer::violated),
                               verdict("c", "", check::Answer::violated), verdict("d", "", check::Answer::holds)};
    report.outcome.verdicts[2].expected = check::Answer::violated;
    report.outcome.verdicts[3].expected = check::Answer::unknown;
    EXPECT_EQ(expectations(report),
              "\n2 of 4 verdicts not as expected:\n  longer  expected holds     found violated\n"
              "  d       expected unknown   found holds\n");
    report.outcome.verdicts.resize(1);
    EXPECT_EQ(expectations(report), "\n1 verdict as expected\n");
}

TEST(Summary, AStoppedSearchSaysWhyAndHowFarItCame) {
    run::RunReport report = finished();
    report.outcome.complete = false;
    report.outcome.reason = support::StopReason::memory;
    report.outcome.verdicts = {verdict("deadlock", "", check::Answer::unknown)};
    report.outcome.verdicts[0].reason = "memory";
    const SummaryOptions brief{
        .utf8 = false, .colour = false, .brief = true, .style = trace::TraceStyle::changes, .width = 100};
    EXPECT_EQ(summary(report, brief),
              "UNKNOWN   deadlock (memory limit reached)\n"
              "stopped: memory limit reached; 1,119,560 states so far; this is not a full answer\n");
    report.outcome.reason = support::StopReason::violation;
    report.outcome.statistics.states = 1;
    report.outcome.verdicts = {verdict("deadlock", "", check::Answer::violated)};
    EXPECT_EQ(summary(report, brief), "VIOLATED  deadlock\ndecided before all states were visited; 1 state so far\n");
    report.outcome.verdicts.clear();
    report.outcome.reason = support::StopReason::none;
    EXPECT_EQ(summary(report, brief), "stopped: the search did not end; 1 state so far; this is not a full answer\n");
}

TEST(Summary, FaultsAreShownWithTheirTraces) {
    run::RunReport report = finished();
    report.outcome.statistics.faults = 12;
    report.outcome.faults = {{model::FaultKind::index, false, "index 5 of a[3]", 12, trace::examples::faulty()},
                             {model::FaultKind::none, true, "assertion P.s: x < 3", 1, {}}};
    const std::string text = summary(
        report, {.utf8 = false, .colour = false, .brief = false, .style = trace::TraceStyle::actions, .width = 100});
    EXPECT_TRUE(
        text.starts_with("FAULT     index: index 5 of a[3] (12 times)\n"
                         "FAILED    assertion P.s: x < 3\n"
                         "all reachable states were visited\n"
                         "\n"
                         "index: index 5 of a[3] (12 times), first by this run:\n"
                         " 0  initial state\n"
                         " 1  P: idle -> busy (m.dve:12)\n"
                         " 2  P: busy -> idle (m.dve:40)\n"
                         "      this step is faulty (index): index 5 of a[3]\n"
                         "\n"
                         "states        1,119,560\n"))
        << text;
    EXPECT_NE(text.find("\nfaulty steps  12\n"), std::string::npos);
}

TEST(Summary, FiguresThatAreNotKnownAreNotInvented) {
    run::RunReport report = finished();
    report.outcome.counts_known = false;
    report.outcome.statistics = {.states = 5, .peak_states = 2};
    report.outcome.statistics.layers = 4;
    report.outcome.statistics.widest_layer = 1;
    report.outcome.statistics.sweeps = 2;
    report.outcome.statistics.expanded = 9;
    report.outcome.statistics.persistent = 3;
    report.outcome.statistics.regress_edges = 7;
    report.components = {"n", "k + 1"};
    report.monotonic = "refuted";
    EXPECT_EQ(summary(report, {}),
              "all reachable states were visited\n"
              "\n"
              "states        not known\n"
              "transitions   not known\n"
              "deadlocks     not known\n"
              "measure       n, k + 1 (not monotonic: 7 steps back)\n"
              "layers        4, the widest with 1 state\n"
              "sweeps        2, 9 states expanded in all\n"
              "persistent    3 states\n"
              "peak          2 states in memory\n"
              "engine        bfs\n"
              "time          0 ms\n"
              "memory        12.0 MB at most\n");
}

TEST(Summary, AMonotonicSweepComparesItsPeakWithTheStates) {
    run::RunReport report = finished();
    report.outcome.statistics = {.states = 200, .transitions = 300, .peak_states = 50, .layers = 10, .sweeps = 1};
    report.outcome.statistics.widest_layer = 40;
    report.components = {"n"};
    report.monotonic = "proven";
    const std::string text = summary(report, {});
    EXPECT_NE(text.find("measure       n (monotonic on the reachable states)\n"
                        "layers        10, the widest with 40 states\n"
                        "peak          50 states in memory (25.0 % of the states)\n"),
              std::string::npos)
        << text;
}

TEST(Summary, TheEngineAndTheWholeTimeAreNamed) {
    run::RunReport report = finished();
    report.engine_reason = "the fastest where all states fit into memory";
    report.seconds = 4;
    report.measure_seconds = 0.1;
    report.outcome.statistics.threads = 2;
    report.outcome.statistics.compile_seconds = 0.5;
    const std::string text = summary(report, {});
    EXPECT_NE(text.find("engine        bfs, 2 threads (the fastest where all states fit into memory)\n"
                        "time          4.0 s (states: 350 k/s)\n"
                        "  compiling   500 ms\n"
                        "memory "),
              std::string::npos)
        << text;
}

TEST(Summary, BytesPerStateOfASweepAreNotTold) {
    run::RunReport report = finished();
    report.outcome.statistics.sweeps = 1;
    EXPECT_EQ(summary(report, {}).find("bytes per state"), std::string::npos);
}

TEST(Summary, AMeasureWithATermForEveryStateIsCutBetweenCharacters) {
    run::RunReport report = finished();
    report.outcome.statistics = {.states = 200, .transitions = 300, .peak_states = 50, .layers = 10, .sweeps = 1};
    report.components = {std::string(399, 'x') + "\xc3\xa4" + std::string(1000, 'y'), "n"};
    report.monotonic = "proven";
    const std::string text = summary(report, {});
    EXPECT_NE(text.find("measure       " + std::string(399, 'x') + "..., n (monotonic"), std::string::npos) << text;
}

TEST(Summary, ColoursAreUsedWhereAllowed) {
    run::RunReport report = finished();
    report.outcome.verdicts = {verdict("deadlock", "", check::Answer::holds)};
    const std::string text = summary(
        report, {.utf8 = true, .colour = true, .brief = true, .style = trace::TraceStyle::changes, .width = 100});
    EXPECT_EQ(text, "\x1b[1;32mHOLDS\x1b[0m     deadlock\n");
}

}  // namespace
}  // namespace tideline::report
