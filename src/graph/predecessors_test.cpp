#include "graph/predecessors.hpp"

#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "graph/sample_stream.hpp"

namespace tideline::graph {
namespace {

TEST(Predecessors, AreTheSourcesOfTheEdgesToAState) {
    std::mt19937_64 random(1);
    for (int run = 0; run < 200; ++run) {
        const SampleGraph sample = random_sample(
            random, {.states = 1 + random() % 150, .degree = 0.5 + 0.5 * static_cast<double>(random() % 6)});
        GraphBuilder builder;
        play(sample, builder, 1 + static_cast<unsigned>(random() % 2), random, kNoLimit);
        std::vector<std::vector<std::uint32_t>> expected(sample.rows.size());
        for (std::uint32_t v = 0; v < sample.rows.size(); ++v)
            for (const SampleEdge& edge : sample.rows[v]) expected[edge.target].push_back(v);
        const Predecessors<std::uint32_t> narrow(builder.graph());
        const Predecessors<std::uint64_t> wide(builder.graph());
        for (StateNumber v = 0; v < expected.size(); ++v) {
            ASSERT_TRUE(std::ranges::equal(narrow.of(v), expected[v])) << v;
            ASSERT_TRUE(std::ranges::equal(wide.of(v), expected[v])) << v;
        }
    }
}

TEST(Predecessors, OfAGraphThatIsNotCompleteAreThoseThatWereExpanded) {
    std::mt19937_64 random(2);
    const SampleGraph sample = random_sample(random, {.states = 500, .degree = 2});
    ASSERT_GT(sample.levels.size(), 5U);
    GraphBuilder builder;
    play(sample, builder, 1, random, kNoLimit, 4);
    const MemoryGraph& graph = builder.graph();
    ASSERT_LT(graph.expanded_count(), graph.state_count());
    const Predecessors<std::uint32_t> predecessors(graph);
    for (StateNumber v = graph.initial_states().size(); v < graph.state_count(); ++v) {
        ASSERT_FALSE(predecessors.of(v).empty()) << v;
        for (const std::uint32_t source : predecessors.of(v)) ASSERT_LT(source, graph.expanded_count());
    }
}

TEST(Predecessors, AreRefusedWithoutMemory) {
    std::mt19937_64 random(3);
    const SampleGraph sample = random_sample(random, {.states = 500, .degree = 2});
    GraphBuilder builder;
    play(sample, builder, 1, random, kNoLimit);
    std::uint64_t asked = 0;
    const store::MemoryBudget none = [&](std::uint64_t bytes) {
        asked = bytes;
        return false;
    };
    EXPECT_THROW(Predecessors<std::uint32_t>(builder.graph(), &none), std::bad_alloc);
    EXPECT_GE(asked, builder.graph().edge_count() * sizeof(std::uint32_t));
}

}  // namespace
}  // namespace tideline::graph
