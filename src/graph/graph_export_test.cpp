// Random graphs as text, read again: the numbers of the states and the order of the edges stay.
#include "graph/graph_export.hpp"

#include <gtest/gtest.h>

#include <random>

#include "graph/build_graph.hpp"
#include "graph/graph_states.hpp"
#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "input/lts/translate.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

using input::lts::Graph;

Graph random_graph(std::mt19937& random, bool one_initial) {
    Graph graph;
    graph.format = "kripke";
    graph.state_count = 1 + random() % 40;
    graph.initial = {static_cast<input::lts::StateNumber>(random() % graph.state_count)};
    if (const auto other = static_cast<input::lts::StateNumber>(random() % graph.state_count);
        !one_initial && other != graph.initial[0])
        graph.initial.push_back(other);
    graph.actions = {"", "a", "b, \"c\"", "(d)"};
    const std::size_t edges = random() % (3 * graph.state_count);
    for (std::size_t i = 0; i < edges; ++i)
        graph.edges.push_back({static_cast<input::lts::StateNumber>(random() % graph.state_count),
                               static_cast<input::lts::StateNumber>(random() % graph.state_count),
                               static_cast<input::lts::ActionNumber>(random() % graph.actions.size()),
                               {}});
    for (std::uint64_t i = 0; i < graph.state_count; ++i)
        graph.progress.push_back(static_cast<std::int64_t>(random() % 5) * 7);
    return graph;
}

std::shared_ptr<const successor::System> system_of(const Graph& graph, const successor::KeyProgram& key = {}) {
    support::Result<model::Model> model = input::lts::translate(graph);
    auto shared = std::make_shared<const model::Model>(*std::move(model));
    successor::Layout layout = successor::Layout::declared(*shared);
    return successor::make_interpreted_system(shared, {}, std::move(layout), key);
}

// The edges of a graph that was read: source, target, name.
using Edges = std::vector<std::tuple<std::uint64_t, std::uint64_t, std::string>>;
Edges edges_of(const Graph& graph) {
    Edges result;
    for (const input::lts::Edge& edge : graph.edges) result.emplace_back(edge.from, edge.to, graph.action(edge));
    return result;
}

// The same of a system, by following it.
Edges edges_of(const BuiltGraph& built) {
    Edges result;
    const support::Budget unlimited;
    EXPECT_EQ(for_each_state(built.graph, *built.system, unlimited,
                             [&](StateNumber number, const successor::Word* state) {
                                 MemoryGraph::Cursor row = built.graph.successors(number);
                                 MemoryGraph::Edge edge;
                                 for (const successor::StepDetail& step : built.system->steps(state)) {
                                     EXPECT_TRUE(built.graph.next(row, edge));
                                     result.emplace_back(number, edge.target, step.label);
                                 }
                                 return true;
                             }),
              support::StopReason::none);
    return result;
}

TEST(GraphExport, WhatIsWrittenIsReadAgain) {
    std::mt19937 random(5);
    const support::Budget unlimited;
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        const bool one_initial = round % 2 == 0;
        const BuiltGraph built = build_graph(system_of(random_graph(random, one_initial)), {});
        ASSERT_TRUE(built.complete);
        const ExportedGraph exported{
            .graph = built.graph, .system = *built.system, .name = "random", .names_are_labels = true};
        const Edges expected = edges_of(built);
        ASSERT_EQ(expected.size(), built.graph.edge_count());
        std::string text;
        ASSERT_EQ(write_kripke(exported, support::sink_into(text), unlimited), support::StopReason::none);
        const support::Result<Graph> kripke = input::lts::parse_kripke(support::SourceText("k", text));
        ASSERT_TRUE(kripke) << text;
        EXPECT_EQ(kripke->state_count, built.graph.state_count());
        EXPECT_EQ(kripke->initial.size(), built.graph.initial_states().size());
        EXPECT_EQ(edges_of(*kripke), expected);
        if (!one_initial) continue;
        text.clear();
        ASSERT_EQ(write_aut(exported, support::sink_into(text), unlimited), support::StopReason::none);
        const support::Result<Graph> aut = input::lts::parse_aut(support::SourceText("a", text));
        ASSERT_TRUE(aut) << text;
        EXPECT_EQ(aut->state_count, built.graph.state_count());
        EXPECT_EQ(edges_of(*aut), expected);
    }
}

TEST(GraphExport, ProgressIsTheRankOfTheKey) {
    std::mt19937 random(6);
    const support::Budget unlimited;
    for (int round = 0; round < 50; ++round) {
        const Graph graph = random_graph(random, true);
        support::Result<model::Model> model = input::lts::translate(graph);
        successor::KeyProgram key;
        key.components.push_back({model->progress.at(0).at(0), 0, 8});
        const auto system = system_of(graph, key);
        const BuiltGraph built = build_graph(system, {});
        const ProgressRanks ranks = progress_ranks(built.graph, *built.system, unlimited);
        ASSERT_EQ(ranks.stopped, support::StopReason::none);
        ASSERT_EQ(ranks.of.size(), built.graph.state_count());
        std::vector<std::int64_t> values;
        ASSERT_EQ(for_each_state(built.graph, *built.system, unlimited,
                                 [&](StateNumber /*number*/, const successor::Word* state) {
                                     const auto at = static_cast<std::size_t>(built.system->decode(state).at(0));
                                     values.push_back(graph.progress.at(at));
                                     return true;
                                 }),
                  support::StopReason::none);
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            most = std::max(most, ranks.of[i]);
            for (std::size_t j = 0; j < values.size(); ++j) ASSERT_EQ(values[i] < values[j], ranks.of[i] < ranks.of[j]);
        }
        for (std::uint64_t rank = 0; rank <= most; ++rank)
            ASSERT_NE(std::ranges::find(ranks.of, rank), ranks.of.end()) << "without gaps";
    }
}

TEST(GraphExport, AnInterruptLeavesNothingThatCouldBeRead) {
    std::mt19937 random(8);
    Graph graph = random_graph(random, true);
    graph.state_count = 2000;
    graph.initial = {0};
    graph.progress.clear();
    graph.edges.clear();
    for (input::lts::StateNumber i = 0; i + 1 < graph.state_count; ++i) graph.edges.push_back({i, i + 1, 1, {}});
    const BuiltGraph built = build_graph(system_of(graph), {});
    const ExportedGraph exported{.graph = built.graph, .system = *built.system, .name = "ring"};
    const support::Budget interrupted({}, [] { return true; });
    for (const auto& write : {write_aut, write_kripke, write_dot}) {
        std::string text;
        EXPECT_EQ(write(exported, support::sink_into(text), interrupted), support::StopReason::interrupted);
        EXPECT_FALSE(input::lts::parse_aut(support::SourceText("a", text)));
        EXPECT_FALSE(input::lts::parse_kripke(support::SourceText("k", text)));
    }
}

}  // namespace
}  // namespace tideline::graph
