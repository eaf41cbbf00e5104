#include "reference/explorer.hpp"

#include <gtest/gtest.h>

#include "reference/machine_from_text.hpp"

namespace tideline::reference {
namespace {

// x counts to 2 and back to 0; at 2 it may also be divided by 0, and y be stopped in a state without a step.
constexpr const char* kCounter =
    "byte x; byte y;\nprocess P { state s, stop; init s; assert stop: x == 0; trans\n"
    "s -> s { effect x = (x + 1) % 3; },\ns -> s { guard x == 2; effect y = x / y; },\ns -> stop { guard x == 1; }; }\n"
    "system async;";

TEST(Explorer, FindsAllStatesStepsDeadlocksFaultsAndFailedAssertions) {
    const auto machine = machine_from_text(kCounter);
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.states, (std::vector<State>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 1}}));
    EXPECT_EQ(graph.transitions, 4u);
    ASSERT_EQ(graph.edges.size(), 4u);
    EXPECT_EQ(graph.edges[3].from, 2u);
    EXPECT_EQ(graph.edges[3].to, 0u);
    EXPECT_EQ(graph.edges[3].participants, (std::vector<Participant>{{"P", 3}}));
    EXPECT_EQ(graph.deadlocks, (std::vector<std::size_t>{3}));
    EXPECT_EQ(graph.faults, (std::vector<FaultyStep>{{2, {{"P", 4}}, model::FaultKind::division}}));
    EXPECT_EQ(graph.assertions, (std::vector<BrokenAssertion>{{3, 0, model::FaultKind::none}}));
    EXPECT_FALSE(graph.limit_hit);
}

TEST(Explorer, StopsAtTheLimitAndSaysSo) {
    const auto machine = machine_from_text(kCounter);
    EXPECT_FALSE(explore(*machine, {.max_states = 4}).limit_hit);
    const Graph graph = explore(*machine, {.max_states = 3, .keep_edges = false});
    EXPECT_TRUE(graph.limit_hit);
    EXPECT_EQ(graph.states.size(), 3u);
    EXPECT_TRUE(graph.edges.empty());
}

TEST(Explorer, CountsStepsBetweenTheSameStatesSeparately) {
    const auto machine =
        machine_from_text("process P { state s; init s; trans s -> s { }, s -> s { }; }\nsystem async;");
    EXPECT_EQ(explore(*machine).transitions, 2u);
}

TEST(Explorer, FindsAShortestRunThatReplays) {
    const auto machine = machine_from_text(kCounter);
    const auto run = shortest_run(*machine, [&](const State& state) { return value_of(*machine, state, "P") == 1; });
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->states.size(), 3u);
    EXPECT_EQ(run->steps.size(), 2u);
    EXPECT_EQ(replay(*machine, *run), std::nullopt);
    EXPECT_FALSE(shortest_run(*machine, [](const State& state) { return state[0] == 7; }).has_value());
}

}  // namespace
}  // namespace tideline::reference
