#include "reference/lts_machine.hpp"

#include <gtest/gtest.h>

#include "reference/explorer.hpp"

namespace tideline::reference {
namespace {

std::unique_ptr<Machine> diamond() {
    ExplicitGraph graph;
    graph.states = 6;
    graph.initial = {1};
    graph.edges = {{1, 2, 4, "a"}, {1, 3, 5, "b"}, {2, 4, 6, ""}, {3, 4, 7, ""}, {0, 1, 8, ""}, {4, 9, 9, "outside"}};
    graph.labels = {{"goal", {4}}, {"side", {2, 3}}};
    return make_lts_machine(std::move(graph));
}

TEST(LtsMachine, WalksTheEdgesInTheirOrder) {
    const auto machine = diamond();
    EXPECT_EQ(machine->names(), std::vector<std::string>{"state"});
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[1].participants, (std::vector<Participant>{{"lts", 5}}));
    EXPECT_EQ(steps[1].next, State{3});
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.states, (std::vector<State>{{1}, {2}, {3}, {4}}));
    EXPECT_EQ(graph.transitions, 4u);
    EXPECT_EQ(graph.deadlocks, std::vector<std::size_t>{3});
}

TEST(LtsMachine, EvaluatesLabelsAndTheNumberOfTheState) {
    const auto machine = diamond();
    EXPECT_EQ(machine->evaluate("side and not goal", State{2})->value, 1);
    EXPECT_EQ(machine->evaluate("goal or state == 1", State{1})->value, 1);
    EXPECT_EQ(machine->evaluate("state * 10 + state", State{3})->value, 33);
    EXPECT_EQ(machine->evaluate("goal", State{1})->value, 0);
    EXPECT_FALSE(machine->evaluate("states == 1", State{1}));
    EXPECT_FALSE(machine->evaluate("stat0 == 1", State{1}));
    EXPECT_FALSE(machine->evaluate("gaol", State{1}));
    EXPECT_FALSE(machine->evaluate("lts.goal", State{1}));
    EXPECT_FALSE(machine->evaluate("goal and", State{1}));
}

TEST(LtsMachine, HasNoStepsOutsideItsStates) {
    const auto machine = diamond();
    EXPECT_TRUE(machine->steps(State{6}).empty());
    EXPECT_TRUE(machine->steps(State{-1}).empty());
}

}  // namespace
}  // namespace tideline::reference
