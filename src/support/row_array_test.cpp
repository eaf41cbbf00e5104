#include "support/row_array.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tideline::support {
namespace {

struct Arrays {
    std::vector<std::uint32_t> offsets{0};
    std::vector<std::uint32_t> targets;
};

Arrays random_graph(std::mt19937& random, std::uint32_t nodes, unsigned most) {
    Arrays graph;
    for (std::uint32_t v = 0; v < nodes; ++v) {
        for (unsigned i = random() % (most + 1); i > 0; --i)
            graph.targets.push_back(static_cast<std::uint32_t>(random() % nodes));
        graph.offsets.push_back(static_cast<std::uint32_t>(graph.targets.size()));
    }
    return graph;
}

TEST(RowArray, HasTheEdgesOfTheGraph) {
    std::mt19937 random(1);
    for (int round = 0; round < 100; ++round) {
        const Arrays arrays = random_graph(random, 1 + random() % 30, 4);
        const ArrayGraph<std::uint32_t, std::uint32_t> graph(arrays.offsets, arrays.targets);
        const RowArray rows(graph);
        ASSERT_EQ(rows.size(), graph.node_count());
        for (std::uint32_t v = 0; v < graph.node_count(); ++v) {
            auto expected = graph.successors(v);
            auto cursor = rows.successors(rows.node(v));
            ArrayGraph<std::uint32_t, std::uint32_t>::Edge edge{};
            RowArray::Edge found{};
            while (graph.next(expected, edge)) {
                ASSERT_TRUE(rows.next(cursor, found));
                ASSERT_EQ(found.target, rows.node(edge.target));
            }
            ASSERT_FALSE(rows.next(cursor, found));
        }
    }
}

TEST(RowArray, HasTheComponentsOfTheGraph) {
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        const Arrays arrays = random_graph(random, 1 + random() % 200, 1 + random() % 4);
        const ArrayGraph<std::uint32_t, std::uint32_t> graph(arrays.offsets, arrays.targets);
        const RowArray rows(graph);
        for (int again = 0; again < 2; ++again) {
            const ComponentNumbers<std::uint32_t> expected = component_numbers(graph);
            const ComponentNumbers<std::uint32_t> found = component_numbers(rows);
            ASSERT_EQ(found.count, expected.count);
            ASSERT_EQ(found.of, expected.of);
        }
        // With a filter on targets.
        const std::uint32_t avoided = arrays.offsets.size() > 2 ? 1 : 0;
        const auto keep = [&](std::uint32_t, const auto& edge) { return edge.target != avoided; };
        const auto keep_row = [&](std::uint32_t, const RowArray::Edge& edge) {
            return edge.target != rows.node(avoided);
        };
        ASSERT_EQ(component_numbers(rows, keep_row).of, component_numbers(graph, keep).of);
    }
}

}  // namespace
}  // namespace tideline::support
