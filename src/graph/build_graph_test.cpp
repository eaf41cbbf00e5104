// Graphs of real systems against a naive search, for every number of threads.
#include "graph/build_graph.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "automata/check_automaton.hpp"
#include "automata/lettered_graph.hpp"
#include "automata/system_product.hpp"
#include "graph/graph_paths.hpp"
#include "graph/naive_graph.hpp"
#include "graph/predecessors.hpp"
#include "input/load.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

void expect_rows(const MemoryGraph& graph, const NaiveGraph& expected) {
    std::size_t faulty = 0;
    std::size_t faulty_labels = 0;
    for (StateNumber v = 0; v < graph.expanded_count(); ++v) {
        std::vector<NaiveGraph::Edge> row;
        MemoryGraph::Cursor cursor = graph.successors(v);
        for (MemoryGraph::Edge edge; graph.next(cursor, edge);)
            row.push_back({edge.target, edge.transition, edge.marks});
        ASSERT_EQ(row, expected.rows[v]) << v;
        for (const model::TransitionId transition : expected.faulty[v]) {
            ASSERT_LT(faulty, graph.faulty_steps().size());
            ASSERT_EQ(graph.faulty_steps()[faulty].source, v);
            ASSERT_EQ(graph.faulty_steps()[faulty++].transition, transition);
        }
        ASSERT_EQ(graph.is_deadlock(v), expected.rows[v].empty() && expected.faulty[v].empty());
        for (std::uint32_t i = 0; i < expected.labels[v].size(); ++i) {
            const auto& [value, fault] = expected.labels[v][i];
            ASSERT_EQ(graph.label(v, i), value);
            if (fault == model::FaultKind::none) continue;
            ASSERT_LT(faulty_labels, graph.faulty_labels().size());
            const MemoryGraph::FaultyLabel& label = graph.faulty_labels()[faulty_labels++];
            ASSERT_EQ(label.state, v);
            ASSERT_EQ(label.label, i);
            ASSERT_EQ(label.fault, fault);
        }
    }
    ASSERT_EQ(faulty, graph.faulty_steps().size());
    ASSERT_EQ(faulty_labels, graph.faulty_labels().size());
}

void expect_whole(const MemoryGraph& graph, const NaiveGraph& expected) {
    ASSERT_TRUE(graph.is_complete());
    ASSERT_EQ(graph.state_count(), expected.states.size());
    ASSERT_EQ(graph.expanded_count(), expected.states.size());
    ASSERT_EQ(graph.initial_states().size(), expected.initial);
    std::uint64_t edges = 0;
    for (const auto& row : expected.rows) edges += row.size();
    ASSERT_EQ(graph.edge_count(), edges);
    expect_rows(graph, expected);
}

// Paths to some states lead there, are shortest, and consist of the states that they should.
void expect_paths(const BuiltGraph& built, const NaiveGraph& expected) {
    const support::Budget unlimited;
    const std::uint64_t step = 1 + built.graph.state_count() / 50;
    for (StateNumber v = 0; v < built.graph.state_count(); v += step) {
        const GraphPath path = path_to(built.graph, v);
        ASSERT_EQ(path.states.back(), v);
        ASSERT_LT(path.states.front(), expected.initial);
        const auto level = std::ranges::upper_bound(built.graph.levels(), v) - built.graph.levels().begin() - 1;
        ASSERT_EQ(path.edges.size(), static_cast<std::size_t>(level)) << "a shortest path";
        const std::optional<explore::PackedPath> packed = replay(path, built.graph, built.system, unlimited);
        ASSERT_TRUE(packed);
        ASSERT_EQ(packed->size(), path.states.size());
        for (std::size_t i = 0; i < packed->size(); ++i)
            ASSERT_EQ(built.system->decode(packed->state(i)), expected.states[path.states[i]]);
        for (std::size_t i = 0; i < path.edges.size(); ++i) {
            const MemoryGraph::Edge edge = edge_at(built.graph, path.states[i], path.edges[i]);
            ASSERT_EQ(edge.target, path.states[i + 1]);
            ASSERT_EQ(edge.transition, packed->transitions[i]);
            ASSERT_EQ(position_of_edge(built.graph, path.states[i], path.states[i + 1], [](auto&) { return true; }),
                      path.edges[i]);
        }
    }
}

explore::SearchSettings with_threads(unsigned threads) {
    explore::SearchSettings settings;
    settings.threads = threads;
    settings.alone_below = threads % 2 == 0 ? 0 : 16;
    return settings;
}

void expect_graph_of(const std::shared_ptr<const successor::System>& system,
                     const std::shared_ptr<const successor::System>& wide, std::size_t labels) {
    const NaiveGraph expected = naive_graph(*wide, labels);
    for (const unsigned threads : {1U, 2U, 3U}) {
        SCOPED_TRACE(threads);
        const BuiltGraph built = build_graph(system, with_threads(threads), {.labels = labels});
        ASSERT_TRUE(built.complete);
        ASSERT_EQ(built.reason, support::StopReason::none);
        ASSERT_EQ(built.statistics.states, expected.states.size());
        ASSERT_EQ(built.graph.levels().size(), built.statistics.depth + 1);
        ASSERT_NO_FATAL_FAILURE(expect_whole(built.graph, expected));
        ASSERT_NO_FATAL_FAILURE(expect_paths(built, expected));
    }
}

std::shared_ptr<const successor::System> interpreted(const std::shared_ptr<const model::Model>& model, bool narrow,
                                                     std::vector<model::Expression> labels = {}) {
    std::vector<model::Range> seen;
    for (model::SlotId slot = 0; slot < model->slot_count(); ++slot) {
        model::Range range{model->initial_state(0)[slot], model->initial_state(0)[slot]};
        for (std::size_t i = 1; i < model->initial_count(); ++i) {
            range.low = std::min(range.low, model->initial_state(i)[slot]);
            range.high = std::max(range.high, model->initial_state(i)[slot]);
        }
        seen.push_back(range);
    }
    return successor::make_interpreted_system(
        model, std::move(labels),
        narrow ? successor::Layout::observed(*model, seen) : successor::Layout::declared(*model));
}

TEST(BuildGraph, OfModelsIsTheSameForEveryNumberOfThreads) {
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::directory_iterator("tests/models")) {
        if (entry.path().extension() != ".dve") continue;
        SCOPED_TRACE(entry.path().string());
        const support::Result<input::LoadedModel> loaded = input::load_model(entry.path().string(), {});
        ASSERT_TRUE(loaded);
        const BuiltGraph small = build_graph(interpreted(loaded->model, false), {.states = 20000});
        if (!small.complete) continue;
        ++models;
        for (const bool narrow : {false, true})
            ASSERT_NO_FATAL_FAILURE(
                expect_graph_of(interpreted(loaded->model, narrow), interpreted(loaded->model, false), 0));
    }
    EXPECT_GE(models, 15U);
}

// 1 / (x - 3) > 0: cannot be evaluated where x is 3.
TEST(BuildGraph, HasTheLabelsThatCannotBeEvaluated) {
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(5));
    using model::Expression;
    const Expression quotient =
        Expression::binary(model::Op::divide, model::examples::number(1),
                           Expression::binary(model::Op::subtract, model->read(0), model::examples::number(3)));
    std::vector<Expression> labels(10,
                                   Expression::binary(model::Op::equal, model->read(1), model::examples::number(2)));
    labels[7] = Expression::binary(model::Op::less, model::examples::number(0), quotient);
    const BuiltGraph built = build_graph(interpreted(model, false, labels), {}, {.labels = 10});
    EXPECT_EQ(built.graph.faulty_labels().size(), 6U);
    for (const bool narrow : {false, true})
        expect_graph_of(interpreted(model, narrow, labels), interpreted(model, false, labels), 10);
    expect_graph_of(interpreted(model, false, labels), interpreted(model, false, labels), 3);
}

TEST(BuildGraph, OfProductsHasTheMarksAndAllInitialStates) {
    logic::RandomEngine random(7);
    for (int run = 0; run < 60; ++run) {
        automata::examples::LetteredGraph graph = automata::examples::random_lettered_graph(random, 60);
        for (std::size_t i = 1; i < graph.edges.size() && i < 4; ++i) graph.initials.push_back(i);
        automata::Labels labels;
        const automata::Automaton automaton = automata::random_automaton(labels, random, 4, 2);
        const auto model = std::make_shared<const model::Model>(graph.walked_model());
        const auto product = [&](bool narrow) {
            return automata::make_product(interpreted(model, narrow, graph.atoms(*model)), automaton, {});
        };
        ASSERT_NO_FATAL_FAILURE(expect_graph_of(product(run % 2 == 1), product(false), 0)) << run;
    }
}

TEST(BuildGraph, CanBeLookedAtAfterEveryLevelAndEnded) {
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(60));
    const auto system = interpreted(model, true);
    const NaiveGraph expected = naive_graph(*interpreted(model, false), 0);
    for (const unsigned threads : {1U, 2U, 3U}) {
        std::uint64_t levels = 0;
        GraphSettings wanted;
        wanted.level_added = [&](const MemoryGraph& graph) {
            ++levels;
            EXPECT_EQ(graph.levels().size(), levels + 1);
            EXPECT_EQ(graph.expanded_count(), graph.levels().back());
            EXPECT_FALSE(graph.is_complete());
            if (levels % 10 == 0) expect_rows(graph, expected);
            return levels < 50;
        };
        const BuiltGraph built = build_graph(system, with_threads(threads), wanted);
        EXPECT_FALSE(built.complete);
        EXPECT_EQ(built.reason, support::StopReason::violation);
        EXPECT_EQ(levels, 50U);
        EXPECT_EQ(built.graph.expanded_count(), 50U * 51U / 2U);
        expect_rows(built.graph, expected);
        expect_paths(built, expected);
    }
}

TEST(BuildGraph, IsLookedAtWheneverItHasDoubled) {
    const auto system = interpreted(std::make_shared<const model::Model>(model::examples::two_counters(200)), false);
    std::vector<std::uint64_t> sizes;
    GraphSettings wanted;
    wanted.level_added = WhenDoubled(
        [&](const MemoryGraph& graph) {
            sizes.push_back(graph.expanded_count() + graph.edge_count());
            return true;
        },
        100);
    const BuiltGraph built = build_graph(system, {}, wanted);
    ASSERT_TRUE(built.complete);
    ASSERT_GE(sizes.size(), 6U);
    EXPECT_GE(sizes.front(), 100U);
    for (std::size_t i = 1; i < sizes.size(); ++i) EXPECT_GE(sizes[i], 2 * sizes[i - 1]);
    EXPECT_GT(2 * sizes.back(), built.graph.expanded_count() + built.graph.edge_count());
}

TEST(BuildGraph, StopsWithReasonMemoryWhereTheLimitDoesNotSuffice) {
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(3000));
    const auto system = interpreted(model, false);
    for (const unsigned threads : {1U, 2U}) {
        const support::Budget budget({.memory = std::uint64_t{24} << 20U});
        explore::SearchSettings settings = with_threads(threads);
        settings.budget = &budget;
        const BuiltGraph built = build_graph(system, settings);
        ASSERT_FALSE(built.complete);
        ASSERT_EQ(built.reason, support::StopReason::memory);
        ASSERT_GT(built.graph.expanded_count(), 1000U);
        ASSERT_LT(built.graph.expanded_count(), 3001U * 3001U);
        // What is there is right: a state's successors count one of the two up.
        for (StateNumber v = 0; v < built.graph.expanded_count(); ++v) {
            MemoryGraph::Cursor cursor = built.graph.successors(v);
            std::uint64_t degree = 0;
            for (MemoryGraph::Edge edge; built.graph.next(cursor, edge); ++degree)
                ASSERT_LT(edge.target, built.graph.state_count());
            ASSERT_TRUE(degree >= 1 && degree <= 2);
        }
        const GraphPath path = path_to(built.graph, built.graph.state_count() - 1);
        EXPECT_TRUE(replay(path, built.graph, built.system, {}));
    }
}

TEST(BuildGraph, ALookThatHasNoMemoryEndsItWithReasonMemory) {
    const auto system = interpreted(std::make_shared<const model::Model>(model::examples::two_counters(100)), false);
    for (const unsigned threads : {1U, 2U}) {
        GraphSettings wanted;
        wanted.level_added = [](const MemoryGraph& graph) {
            if (graph.expanded_count() > 1000) throw std::bad_alloc();
            return true;
        };
        const BuiltGraph built = build_graph(system, with_threads(threads), wanted);
        EXPECT_EQ(built.reason, support::StopReason::memory);
        EXPECT_FALSE(built.graph.is_complete());
        EXPECT_GT(built.graph.expanded_count(), 1000U);
    }
}

}  // namespace
}  // namespace tideline::graph
