// On models where it is known what a path must be; build_graph_test.cpp compares paths of many models with a naive
// search.
#include "graph/graph_paths.hpp"

#include <gtest/gtest.h>

#include "graph/build_graph.hpp"
#include "graph/naive_graph.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

using namespace model::examples;

std::shared_ptr<const successor::System> interpreted(const model::Model& model) {
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::declared(model));
}

// Counters from 0 to `limit`: every state (a, b) has a shortest path of a + b steps.
struct Counters {
    explicit Counters(model::Value limit) : system(interpreted(two_counters(limit))), built(build_graph(system, {})) {}
    std::shared_ptr<const successor::System> system;
    BuiltGraph built;
};

TEST(GraphPaths, ToAnInitialStateHasNoEdge) {
    const Counters counters(3);
    const GraphPath path = path_to(counters.built.graph, 0);
    EXPECT_EQ(path.states, (std::vector<StateNumber>{0}));
    EXPECT_TRUE(path.edges.empty());
    const std::optional<explore::PackedPath> packed =
        replay(path, counters.built.graph, counters.built.system, support::Budget());
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->size(), 1U);
    EXPECT_TRUE(packed->transitions.empty());
}

TEST(GraphPaths, AreShortestAndReplayToTheState) {
    const Counters counters(12);
    const NaiveGraph expected = naive_graph(*counters.system, 0);
    for (StateNumber v = 0; v < counters.built.graph.state_count(); ++v) {
        const GraphPath path = path_to(counters.built.graph, v);
        const Values& last = expected.states[v];
        ASSERT_EQ(path.edges.size(), static_cast<std::size_t>(last[0] + last[1]));
        const std::optional<explore::PackedPath> packed =
            replay(path, counters.built.graph, counters.built.system, support::Budget());
        ASSERT_TRUE(packed);
        ASSERT_EQ(packed->size(), path.states.size());
        for (std::size_t i = 0; i < packed->size(); ++i)
            ASSERT_EQ(counters.built.system->decode(packed->state(i)), expected.states[path.states[i]]);
    }
}

// A choice with several targets for one transition: only positions tell its edges apart.
TEST(GraphPaths, APositionNamesTheEdgeWhereTransitionsDoNot) {
    model::Model model;
    const model::VariableId n = add_scalar(model, "n", {0, 9}, 0);
    for (const model::Value to : {4, 0, 4, 9}) {
        model::Transition step;
        step.guards.push_back(model::Expression::binary(model::Op::equal, model.read(n), number(0)));
        step.effects.emplace_back(assign(n, number(to)));
        model.add_transition(step);
    }
    const std::shared_ptr<const successor::System> system = interpreted(model);
    const BuiltGraph built = build_graph(system, {});
    ASSERT_EQ(built.graph.state_count(), 3U);
    const auto any = [](const MemoryGraph::Edge&) { return true; };
    EXPECT_EQ(position_of_edge(built.graph, 0, 1, any), 0U) << "the first of two";
    EXPECT_EQ(position_of_edge(built.graph, 0, 0, any), 1U);
    EXPECT_EQ(position_of_edge(built.graph, 0, 2, any), 3U);
    EXPECT_EQ(position_of_edge(built.graph, 1, 0, any), std::nullopt);
    const auto third = [](const MemoryGraph::Edge& edge) { return edge.transition == 2; };
    EXPECT_EQ(position_of_edge(built.graph, 0, 1, third), 2U);
    EXPECT_EQ(position_of_edge(built.graph, 0, 2, third), std::nullopt);
    const StateNumber targets[] = {1, 0, 1, 2};
    for (std::uint64_t position = 0; position < 4; ++position) {
        const MemoryGraph::Edge edge = edge_at(built.graph, 0, position);
        EXPECT_EQ(edge.target, targets[position]);
        EXPECT_EQ(edge.transition, position);
        // A path may take any of them, not only the one by which the state was discovered.
        const GraphPath path{{0, targets[position]}, {position}};
        const std::optional<explore::PackedPath> packed = replay(path, built.graph, built.system, support::Budget());
        ASSERT_TRUE(packed);
        EXPECT_EQ(packed->transitions, (std::vector<model::TransitionId>{static_cast<model::TransitionId>(position)}));
    }
}

TEST(GraphPaths, AReplayEndsWithItsBudget) {
    const Counters counters(400);
    const BuiltGraph& built = counters.built;
    const GraphPath path = path_to(built.graph, built.graph.state_count() - 1);
    ASSERT_EQ(path.edges.size(), 800U);
    EXPECT_TRUE(replay(path, built.graph, built.system, support::Budget()));
    EXPECT_FALSE(replay(path, built.graph, built.system, support::Budget({}, [] { return true; })));
}

}  // namespace
}  // namespace tideline::graph
