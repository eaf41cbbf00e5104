#include "graph/graph_builder.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "graph/sample_stream.hpp"

namespace tideline::graph {
namespace {

void expect_equal(const MemoryGraph& graph, const SampleGraph& expected) {
    ASSERT_TRUE(graph.is_complete());
    ASSERT_EQ(graph.state_count(), expected.rows.size());
    ASSERT_EQ(graph.expanded_count(), expected.rows.size());
    ASSERT_TRUE(std::ranges::equal(graph.initial_states(), expected.initial));
    ASSERT_TRUE(std::ranges::equal(graph.levels(), expected.levels));
    std::uint64_t edges = 0;
    for (StateNumber v = 0; v < expected.rows.size(); ++v) {
        ASSERT_EQ(row_of(graph, v), expected.rows[v]) << v;
        for (std::size_t i = 0; i < 11; ++i) ASSERT_EQ(graph.label(v, i), ((expected.labels[v] >> i) & 1U) != 0);
        const bool is_faulty = std::ranges::binary_search(expected.faulty, v);
        ASSERT_EQ(graph.has_faulty_step(v), is_faulty) << v;
        ASSERT_EQ(graph.is_deadlock(v), expected.rows[v].empty() && !is_faulty);
        edges += expected.rows[v].size();
    }
    ASSERT_EQ(graph.edge_count(), edges);
}

TEST(GraphBuilder, TheGraphOfOneThreadIsWhatWasDelivered) {
    std::mt19937_64 random(1);
    for (int run = 0; run < 400; ++run) {
        const SampleGraph sample = random_sample(random, random_shape(random));
        GraphBuilder builder(11);
        play(sample, builder, 1, random, kNoLimit);
        ASSERT_NO_FATAL_FAILURE(expect_equal(builder.graph(), sample)) << run;
    }
}

TEST(GraphBuilder, TheGraphOfSeveralThreadsIsThatOfOne) {
    std::mt19937_64 random(2);
    for (int run = 0; run < 400; ++run) {
        const SampleGraph sample = random_sample(random, random_shape(random));
        GraphBuilder builder(11);
        play(sample, builder, 2 + static_cast<unsigned>(random() % 4), random, kNoLimit);
        ASSERT_NO_FATAL_FAILURE(expect_equal(builder.graph(), sample)) << run;
    }
}

// Numbered by one thread and encoded by another.
TEST(GraphBuilder, TheGraphOfLargeLevelsIsThatOfOneThread) {
    std::mt19937_64 random(12);
    for (const std::uint32_t transitions : {40U, 2'000'000'000U})
        for (const bool marks : {false, true}) {
            const SampleGraph sample =
                random_sample(random, {.states = 40'000, .degree = 5, .transitions = transitions, .marks = marks});
            std::uint64_t largest = 0;
            for (std::size_t i = 0; i + 1 < sample.levels.size(); ++i)
                largest = std::max(largest, 5 * (sample.levels[i + 1] - sample.levels[i]));
            ASSERT_GE(largest, std::uint64_t{1} << 16U) << "edges of a level";
            GraphBuilder builder(11);
            play(sample, builder, 3, random, kNoLimit);
            ASSERT_NO_FATAL_FAILURE(expect_equal(builder.graph(), sample)) << transitions;
        }
}

TEST(GraphBuilder, ALargeLevelThatMemoryDoesNotSufficeForLeavesTheLevelsBefore) {
    std::mt19937_64 random(13);
    const SampleGraph sample = random_sample(random, {.states = 40'000, .degree = 5});
    for (const std::uint64_t limit : {200'000U, 300'000U, 400'000U, 500'000U}) {
        std::atomic<std::uint64_t> reserved = 0;
        const store::MemoryBudget budget = [&](std::uint64_t bytes) { return (reserved += bytes) <= limit; };
        GraphBuilder builder;
        ASSERT_THROW(play(sample, builder, 2, random, budget), std::bad_alloc) << limit;
        builder.finish(support::StopReason::memory);
        const MemoryGraph& graph = builder.graph();
        ASSERT_FALSE(graph.is_complete());
        for (StateNumber v = 0; v < graph.expanded_count(); ++v) ASSERT_EQ(row_of(graph, v), sample.rows[v]);
    }
}

TEST(GraphBuilder, LongRowsAndManyNewStatesOfARowAreKept) {
    // State 0 has edges to 5000 new states and back to itself; every tenth of these leads to 40 others.
    SampleGraph star;
    star.rows.resize(5001);
    for (std::uint64_t v = 1; v <= 5000; ++v) {
        star.rows[0].push_back({v, static_cast<model::TransitionId>(v % 300), v % 7});
        if (v % 3 == 0) star.rows[0].push_back({0, 9, 0});
        if (v % 10 == 0)
            for (std::uint64_t i = 0; i < 40; ++i) star.rows[v].push_back({(v * 31 + i * 977) % 5001, 3, 0});
    }
    star.initial = {0};
    star.labels.assign(5001, 5);
    const SampleGraph sample = canonical(star);
    std::mt19937_64 random(3);
    for (unsigned threads = 1; threads <= 3; ++threads) {
        GraphBuilder builder(11);
        play(sample, builder, threads, random, kNoLimit);
        ASSERT_NO_FATAL_FAILURE(expect_equal(builder.graph(), sample));
    }
}

TEST(GraphBuilder, ASearchThatEndsEarlyLeavesWholeLevels) {
    std::mt19937_64 random(5);
    for (int run = 0; run < 100; ++run) {
        const SampleGraph sample = random_sample(random, {.states = 300, .degree = 1.5});
        for (unsigned threads = 1; threads <= 2; ++threads) {
            GraphBuilder builder;
            const std::size_t levels = 1 + random() % sample.levels.size();
            play(sample, builder, threads, random, kNoLimit, levels);
            const MemoryGraph& graph = builder.graph();
            const std::size_t played = std::min(levels, sample.levels.size() - 1);
            ASSERT_EQ(graph.is_complete(), played + 1 == sample.levels.size());
            ASSERT_EQ(graph.expanded_count(), sample.levels[played]);
            for (StateNumber v = 0; v < graph.expanded_count(); ++v) ASSERT_EQ(row_of(graph, v), sample.rows[v]);
            for (StateNumber v = graph.expanded_count(); v < graph.state_count(); ++v)
                ASSERT_TRUE(row_of(graph, v).empty());
        }
    }
}

// A sink that ends the search when the graph has `most` states, as one that looks for components would.
class Impatient : public GraphBuilder {
public:
    explicit Impatient(std::uint64_t most) : most_(most) {}

protected:
    bool level_added() override {
        std::uint64_t edges = 0;
        graph().read_forward([&](const RowBlock& block) { edges += block.targets.size(); });
        EXPECT_EQ(edges, graph().edge_count());
        return graph().state_count() < most_;
    }

private:
    std::uint64_t most_;
};

TEST(GraphBuilder, TheGraphCanBeReadAfterEveryLevelAndEndTheSearch) {
    std::mt19937_64 random(6);
    const SampleGraph sample = random_sample(random, {.states = 3000, .degree = 2});
    ASSERT_GT(sample.rows.size(), 1000U);
    for (unsigned threads = 1; threads <= 2; ++threads) {
        Impatient builder(1000);
        play(sample, builder, threads, random, kNoLimit);
        EXPECT_FALSE(builder.graph().is_complete());
        EXPECT_GE(builder.graph().state_count(), 1000U);
        EXPECT_LT(builder.graph().expanded_count(), sample.rows.size());
    }
}

TEST(GraphBuilder, WithoutMemoryItThrowsAndWhatIsThereCanBeRead) {
    std::mt19937_64 random(7);
    const SampleGraph sample = random_sample(random, {.states = 20000, .degree = 4});
    for (unsigned threads = 1; threads <= 2; ++threads) {
        for (int left = 0; left < 12; ++left) {
            int asked = 0;
            const store::MemoryBudget some = [&](std::uint64_t) { return asked++ < left; };
            GraphBuilder builder(11);
            ASSERT_THROW(play(sample, builder, threads, random, some), std::bad_alloc);
            builder.finish(support::StopReason::memory);
            const MemoryGraph& graph = builder.graph();
            ASSERT_FALSE(graph.is_complete());
            ASSERT_LT(graph.expanded_count(), sample.rows.size());
            for (StateNumber v = 0; v < graph.expanded_count(); ++v) ASSERT_EQ(row_of(graph, v), sample.rows[v]);
        }
    }
}

}  // namespace
}  // namespace tideline::graph
