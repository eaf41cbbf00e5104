#include "graph/memory_graph.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "graph/sample_stream.hpp"
#include "support/components.hpp"

namespace tideline::graph {
namespace {

// Rows as blocks, put together.
struct Collected {
    std::vector<StateNumber> firsts;
    std::vector<std::vector<SampleEdge>> rows;
    void operator()(const RowBlock& block) {
        firsts.push_back(block.first);
        std::size_t at = 0;
        if (rows.size() < block.first + block.degrees.size()) rows.resize(block.first + block.degrees.size());
        for (std::size_t i = 0; i < block.degrees.size(); ++i)
            for (std::uint32_t e = 0; e < block.degrees[i]; ++e, ++at)
                rows[block.first + i].push_back({block.targets[at],
                                                 static_cast<model::TransitionId>(block.transitions[at]),
                                                 block.marks.empty() ? 0 : block.marks[at]});
    }
};

SampleGraph diamond() {
    // 0 leads to 1 and 2, both lead to 3, which has a faulty step; 2 has a loop, too, and 4 is a deadlock.
    SampleGraph graph;
    graph.rows = {{{1, 7, 0}, {2, 8, 1}}, {{3, 7, 0}}, {{3, 9, 0}, {2, 9, 2}, {4, 1, 0}}, {}, {}};
    graph.initial = {0};
    graph.labels = {1, 0, 512, 3, 1024};
    graph.faulty = {3};
    return canonical(graph);
}

MemoryGraph graph_of(const SampleGraph& sample, std::size_t labels = 0, std::size_t levels = ~std::size_t{0}) {
    std::mt19937_64 random(1);
    GraphBuilder builder(labels);
    play(sample, builder, 1, random, kNoLimit, levels);
    return builder.take();
}

TEST(MemoryGraph, AStateWithAFaultyStepIsNoDeadlock) {
    const MemoryGraph graph = graph_of(diamond());
    ASSERT_TRUE(graph.is_complete());
    for (StateNumber v = 0; v < 5; ++v) {
        EXPECT_EQ(graph.has_faulty_step(v), v == 3) << v;
        EXPECT_EQ(graph.is_deadlock(v), v == 4) << v;
    }
    ASSERT_EQ(graph.faulty_steps().size(), 1U);
    EXPECT_EQ(graph.faulty_steps()[0].source, 3U);
    EXPECT_EQ(graph.faulty_steps()[0].transition, 77U);
    EXPECT_EQ(graph.faulty_steps()[0].fault, model::FaultKind::division);
}

TEST(MemoryGraph, KeepsTheLabelsThatWereAskedForAndNoOthers) {
    const MemoryGraph none = graph_of(diamond());
    EXPECT_EQ(none.label_bytes(), 0U);
    const MemoryGraph graph = graph_of(diamond(), 10);
    EXPECT_EQ(graph.label_bytes(), 2U);
    const std::vector<std::vector<std::size_t>> expected{{0}, {}, {9}, {0, 1}, {}};
    for (StateNumber v = 0; v < 5; ++v)
        for (std::size_t label = 0; label < 10; ++label)
            EXPECT_EQ(graph.label(v, label), std::ranges::count(expected[v], label) == 1) << v << ' ' << label;
    EXPECT_GT(graph.bytes(), none.bytes());
}

TEST(MemoryGraph, AStateIsDiscoveredByTheFirstEdgeToIt) {
    const MemoryGraph graph = graph_of(diamond());
    EXPECT_FALSE(graph.discovery(0)) << "it is initial";
    const std::pair<StateNumber, std::uint64_t> expected[] = {{0, 0}, {0, 1}, {1, 0}, {2, 2}};
    for (StateNumber v = 1; v < 5; ++v) {
        const std::optional<MemoryGraph::Discovery> found = graph.discovery(v);
        ASSERT_TRUE(found);
        EXPECT_EQ(std::pair(found->source, found->position), expected[v - 1]) << v;
    }
}

TEST(MemoryGraph, StatesThatWereNotExpandedHaveNumbersAndNoEdges) {
    const MemoryGraph graph = graph_of(diamond(), 0, 1);
    EXPECT_FALSE(graph.is_complete());
    EXPECT_EQ(graph.expanded_count(), 1U);
    EXPECT_EQ(graph.state_count(), 3U);
    EXPECT_EQ(graph.edge_count(), 2U);
    EXPECT_TRUE(row_of(graph, 2).empty());
    const SuccessorView<std::uint32_t> view(graph);
    EXPECT_EQ(view.node_count(), 3U);
    auto cursor = view.successors(2);
    SuccessorView<std::uint32_t>::Edge edge{};
    EXPECT_FALSE(view.next(cursor, edge));
}

TEST(MemoryGraph, BlocksOfRowsAreTheRowsInBothDirections) {
    std::mt19937_64 random(4);
    for (int run = 0; run < 50; ++run) {
        const SampleGraph sample = random_sample(random, random_shape(random));
        GraphBuilder builder;
        play(sample, builder, 1 + static_cast<unsigned>(random() % 2), random, kNoLimit);
        Collected forward;
        builder.graph().read_forward([&](const RowBlock& block) { forward(block); });
        ASSERT_EQ(forward.rows, sample.rows);
        ASSERT_TRUE(std::ranges::is_sorted(forward.firsts));
        Collected backward;
        builder.graph().read_backward([&](const RowBlock& block) { backward(block); });
        ASSERT_EQ(backward.rows, sample.rows);
        ASSERT_TRUE(std::ranges::is_sorted(backward.firsts, std::ranges::greater{}));
    }
}

TEST(SuccessorView, HasTheComponentsOfTheSameGraphInArrays) {
    std::mt19937_64 random(8);
    for (int run = 0; run < 100; ++run) {
        SampleShape shape = random_shape(random);
        shape.marks = true;
        const SampleGraph sample = random_sample(random, shape);
        GraphBuilder builder;
        play(sample, builder, 1, random, kNoLimit);
        const support::RowGraph rows(sample.rows, [](const SampleEdge& edge) { return edge.target; });
        const SuccessorView<std::uint32_t> view(builder.graph());
        const SuccessorView<std::uint64_t> wide(builder.graph());
        const support::ComponentNumbers<std::uint32_t> expected = support::component_numbers(rows);
        ASSERT_EQ(support::component_numbers(view).of, expected.of);
        const std::vector<std::uint64_t> of = support::component_numbers(wide).of;
        ASSERT_TRUE(std::ranges::equal(of, expected.of));
        // With a filter by marks.
        const auto keep_row = [](std::uint32_t, const auto& edge) { return edge.entry->marks != 2; };
        const auto keep = [](std::uint32_t, const auto& edge) { return edge.marks != 2; };
        ASSERT_EQ(support::component_numbers(view, keep).of, support::component_numbers(rows, keep_row).of);
    }
}

}  // namespace
}  // namespace tideline::graph
