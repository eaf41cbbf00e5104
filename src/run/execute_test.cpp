#include "run/execute.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "run/run_ledger.hpp"
#include "run/sample_input.hpp"
#include "run/stored_plan.hpp"

namespace tideline::run {
namespace {

RunReport report_of(OrRefusal<RunReport> result) {
    if (const auto* refusal = std::get_if<Refusal>(&result))
        throw std::runtime_error(refusal->diagnostics.empty() ? "refused" : refusal->diagnostics.front().message);
    return std::get<RunReport>(std::move(result));
}

class ExecuteTest : public ::testing::Test {
protected:
    RunReport finished(RunSpec spec, const support::Budget& budget = support::Budget()) {
        return report_of(run(std::move(spec), sink_, budget));
    }
    OrRefusal<RunReport> resumed(const std::string& directory) {
        StoredRun stored = read_stored_run(directory);
        RunSpec spec = stored.plan.spec;
        const LoadedInput input = loaded(spec);
        return resume(std::move(stored.plan), stored.directory, input, sink_, support::Budget());
    }

    Sink sink_;
    SampleFolder folder_;
    std::string model_ = folder_.write("m.dve", counter_model(3000));  // 21,007 states
};

TEST_F(ExecuteTest, ExploresByEveryEngine) {
    for (const Engine engine : {Engine::automatic, Engine::bfs, Engine::dfs, Engine::sweep}) {
        RunSpec spec = spec_for(model_, Task::explore);
        spec.engine = engine;
        const RunReport report = finished(spec);
        EXPECT_TRUE(report.outcome.complete);
        EXPECT_EQ(report.outcome.statistics.states, 21'007U);
        EXPECT_TRUE(report.resumable.empty());
    }
}

TEST_F(ExecuteTest, DecidesEveryPropertyAndKeepsTheirOrder) {
    const RunReport report = finished(spec_for(
        model_, Task::check,
        {ltl("G {x >= 0}", "always"), invariant("x < 40", "low"), no_deadlock("stuck"), invariant("y < 7", "small")}));
    ASSERT_EQ(report.outcome.verdicts.size(), 4U);
    const std::pair<const char*, check::Answer> expected[] = {{"always", check::Answer::holds},
                                                              {"low", check::Answer::violated},
                                                              {"stuck", check::Answer::violated},
                                                              {"small", check::Answer::holds}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(report.outcome.verdicts[i].name, expected[i].first);
        EXPECT_EQ(report.outcome.verdicts[i].answer, expected[i].second);
    }
    ASSERT_TRUE(report.outcome.verdicts[1].trace);
    EXPECT_EQ(report.outcome.verdicts[1].trace->size(), 41U);
    EXPECT_EQ(result_of(report), Conclusion::violated);
}

TEST_F(ExecuteTest, AResumedRunIsTheOneThatWasPlanned) {
    for (const Engine engine : {Engine::automatic, Engine::bfs, Engine::sweep}) {
        const std::string directory = folder_ / std::string(to_string(engine));
        RunSpec spec = spec_for(model_, Task::explore);
        spec.engine = engine;
        spec.ledger = {LedgerChoice::Kind::directory, directory};
        spec.states = 4000;
        const RunReport first = finished(spec);
        ASSERT_FALSE(first.outcome.complete);
        EXPECT_EQ(first.resumable, directory);
        const StoredRun stored = read_stored_run(directory);
        EXPECT_EQ(to_string(stored.plan.engine), first.outcome.engine);
        const RunReport second = report_of(resumed(directory));
        EXPECT_TRUE(second.outcome.complete);
        EXPECT_EQ(second.outcome.engine, first.outcome.engine);
        EXPECT_EQ(second.outcome.statistics.states, 21'007U);
        EXPECT_EQ(second.outcome.statistics.expanded, 21'007U);
    }
}

TEST_F(ExecuteTest, AChangedModelIsNotResumedWith) {
    RunSpec spec = spec_for(model_, Task::explore);
    spec.engine = Engine::bfs;
    spec.ledger = {LedgerChoice::Kind::directory, folder_ / "ledger"};
    spec.states = 4000;
    (void)finished(spec);
    folder_.write("m.dve", counter_model(3001));
    const OrRefusal<RunReport> result = resumed(folder_ / "ledger");
    ASSERT_TRUE(std::holds_alternative<Refusal>(result));
    EXPECT_NE(std::get<Refusal>(result).diagnostics.front().message.find("the model has changed"), std::string::npos);
}

TEST_F(ExecuteTest, ABudgetThatIsSpentLeavesNoLedgerAndNoVerdict) {
    for (const Engine engine : {Engine::automatic, Engine::bfs, Engine::sweep, Engine::dfs}) {
        RunSpec spec = spec_for(model_, Task::check, {invariant("x >= 0"), invariant("x < 0", "false")});
        spec.engine = engine;
        if (engine != Engine::dfs) spec.ledger = {LedgerChoice::Kind::directory, folder_ / "none"};
        const LoadedInput input = loaded(spec);
        RunPlan planned = std::get<RunPlan>(plan(spec, input));
        const support::Budget spent({.time = std::chrono::nanoseconds(0)});
        const RunReport report = report_of(execute(std::move(planned), input, sink_, spent));
        EXPECT_FALSE(report.outcome.complete);
        EXPECT_EQ(report.outcome.reason, support::StopReason::time);
        EXPECT_EQ(report.outcome.verdicts[0].answer, check::Answer::unknown);
        EXPECT_EQ(result_of(report), Conclusion::undecided);
        EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
    }
}

TEST_F(ExecuteTest, SeveralRunsMayBeUnderWay) {
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&, i] {
                Sink sink;
                RunSpec spec = spec_for(model_, Task::check, {invariant("x < " + std::to_string(100 + i))});
                spec.engine = i == 0 ? Engine::sweep : Engine::automatic;
                const RunReport report = report_of(run(std::move(spec), sink, support::Budget()));
                if (report.outcome.verdicts[0].answer == check::Answer::violated) ++right;
            });
    }
    EXPECT_EQ(right, 3);
}

}  // namespace
}  // namespace tideline::run
