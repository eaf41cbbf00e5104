#include "support/components.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

namespace tideline::support {
namespace {

// A graph as arrays, with a mark per edge that filters look at.
template <class Node>
struct Arrays {
    std::vector<std::uint64_t> offsets{0};
    std::vector<Node> targets;
    std::vector<bool> kept;

    void end_row() { offsets.push_back(targets.size()); }
    void add(Node target, bool is_kept = true) {
        targets.push_back(target);
        kept.push_back(is_kept);
    }
    [[nodiscard]] ArrayGraph<Node> graph() const { return {offsets, targets}; }
    [[nodiscard]] std::size_t size() const { return offsets.size() - 1; }
};

template <class Node>
Arrays<Node> arrays_of(const std::vector<std::vector<Node>>& rows) {
    Arrays<Node> result;
    for (const std::vector<Node>& row : rows) {
        for (const Node target : row) result.add(target);
        result.end_row();
    }
    return result;
}

using Small = Arrays<std::uint32_t>;

Small random_graph(std::mt19937& random, std::size_t nodes, double degree) {
    Small result;
    std::poisson_distribution<unsigned> edges(degree);
    for (std::size_t v = 0; v < nodes; ++v) {
        for (unsigned i = edges(random); i > 0; --i)
            result.add(static_cast<std::uint32_t>(random() % nodes), random() % 4 != 0);
        result.end_row();
    }
    return result;
}

// What the definition says: reach[v][w], by paths of any length, 0 included.
std::vector<std::vector<bool>> reachability(const Small& graph, bool filtered) {
    const std::size_t n = graph.size();
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
    for (std::size_t v = 0; v < n; ++v) {
        std::vector<std::size_t> open{v};
        reach[v][v] = true;
        while (!open.empty()) {
            const std::size_t u = open.back();
            open.pop_back();
            for (std::uint64_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
                if (filtered && !graph.kept[e]) continue;
                if (reach[v][graph.targets[e]]) continue;
                reach[v][graph.targets[e]] = true;
                open.push_back(graph.targets[e]);
            }
        }
    }
    return reach;
}

// Delivers the successors of an adjacency list by value, without looking ahead: what a decoded graph does.
class ListGraph {
public:
    using Node = std::uint64_t;
    struct Edge {
        Node target;
    };
    struct Cursor {
        const std::vector<Node>* row;
        std::size_t next;
    };
    explicit ListGraph(std::vector<std::vector<Node>> rows) : rows_(std::move(rows)) {}
    [[nodiscard]] std::uint64_t node_count() const { return rows_.size(); }
    [[nodiscard]] Cursor successors(Node node) const { return {&rows_[node], 0}; }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.next == cursor.row->size()) return false;
        edge = {(*cursor.row)[cursor.next++]};
        return true;
    }

private:
    std::vector<std::vector<Node>> rows_;
};

TEST(Components, AGraphWithoutNodesHasNone) {
    const Small none;
    EXPECT_EQ(component_numbers(none.graph()).count, 0U);
    EXPECT_TRUE(component_numbers(none.graph()).of.empty());
}

TEST(Components, ComeInReverseTopologicalOrder) {
    // 0 -> {1, 2} -> 3 -> {4}, with a self-loop on 4 and none on 3.
    const Small graph = arrays_of<std::uint32_t>({{1}, {2}, {1, 3}, {4}, {4}});
    const ComponentNumbers<std::uint32_t> found = component_numbers(graph.graph());
    EXPECT_EQ(found.count, 4U);
    EXPECT_EQ(found.of, (std::vector<std::uint32_t>{3, 2, 2, 1, 0}));
}

TEST(Components, NodesThatNoRootReachesHaveNoNumber) {
    const Small graph = arrays_of<std::uint32_t>({{1}, {0}, {0}, {2, 3}});
    const ComponentNumbers<std::uint32_t> found =
        component_numbers_from(graph.graph(), std::vector<std::uint32_t>{1, 0}, KeepAllEdges{});
    constexpr std::uint32_t none = ComponentSearch<ArrayGraph<std::uint32_t>>::kNone;
    EXPECT_EQ(found.count, 1U);
    EXPECT_EQ(found.of, (std::vector<std::uint32_t>{0, 0, none, none}));
}

TEST(Components, EdgesThatTheFilterDropsDoNotCount) {
    const Small graph = arrays_of<std::uint32_t>({{1}, {2}, {0}});
    const auto none_to_0 = [](std::uint32_t, const auto& edge) { return edge.target != 0; };
    EXPECT_EQ(component_numbers(graph.graph()).count, 1U);
    EXPECT_EQ(component_numbers(graph.graph(), none_to_0).of, (std::vector<std::uint32_t>{2, 1, 0}));
    const auto none_from_0 = [](std::uint32_t source, const auto&) { return source != 0; };
    EXPECT_EQ(component_numbers(graph.graph(), none_from_0).of, (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(Components, AreThoseOfTheDefinitionOnRandomGraphs) {
    std::mt19937 random(7);
    for (int run = 0; run < 3000; ++run) {
        const Small graph = random_graph(random, 1 + random() % 24, 0.3 + 0.1 * static_cast<double>(random() % 25));
        const bool filtered = run % 2 == 1;
        const auto keep = [&](std::uint32_t, const auto& edge) { return !filtered || graph.kept[edge.number]; };
        const std::vector<std::vector<bool>> reach = reachability(graph, filtered);
        const ComponentNumbers<std::uint32_t> found = component_numbers(graph.graph(), keep);
        std::set<std::uint32_t> numbers;
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            numbers.insert(found.of[v]);
            for (std::uint32_t w = 0; w < graph.size(); ++w) {
                ASSERT_EQ(found.of[v] == found.of[w], reach[v][w] && reach[w][v]) << run << ": " << v << ", " << w;
                if (reach[v][w]) {
                    ASSERT_GE(found.of[v], found.of[w]) << run << ": " << v << " reaches " << w;
                }
            }
        }
        ASSERT_EQ(numbers.size(), found.count);
        ASSERT_EQ(*numbers.rbegin(), found.count - 1);
        // From some roots: what they reach has the same components, the rest has none.
        const std::vector<std::uint32_t> roots{static_cast<std::uint32_t>(random() % graph.size()),
                                               static_cast<std::uint32_t>(random() % graph.size())};
        const ComponentNumbers<std::uint32_t> partly = component_numbers_from(graph.graph(), roots, keep);
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            const bool is_reached = reach[roots[0]][v] || reach[roots[1]][v];
            ASSERT_EQ(partly.of[v] != ComponentSearch<ArrayGraph<std::uint32_t>>::kNone, is_reached);
            for (std::uint32_t w = 0; is_reached && w < graph.size(); ++w)
                if (reach[v][w]) {
                    ASSERT_EQ(partly.of[v] == partly.of[w], found.of[v] == found.of[w]);
                }
        }
    }
}

TEST(Components, AreDeliveredAsTheyAreComplete) {
    std::mt19937 random(11);
    for (int run = 0; run < 500; ++run) {
        const Small graph = random_graph(random, 1 + random() % 60, 1.5);
        const ComponentNumbers<std::uint32_t> found = component_numbers(graph.graph());
        std::uint32_t next = 0;
        std::size_t delivered = 0;
        EXPECT_TRUE(for_each_component(graph.graph(), KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
            ASSERT_FALSE(members.empty());
            for (const std::uint32_t v : members) ASSERT_EQ(found.of[v], next);
            ++next;
            delivered += members.size();
        }));
        ASSERT_EQ(next, found.count);
        ASSERT_EQ(delivered, graph.size());
    }
}

TEST(Components, AVisitorCanEndTheSearchWhichCanThenBeRestarted) {
    const Small graph = arrays_of<std::uint32_t>({{1}, {2, 0}, {3}, {2}, {4}});
    const ArrayGraph<std::uint32_t> view = graph.graph();
    ComponentSearch search(view);
    std::size_t calls = 0;
    const auto once = [&](std::span<const std::uint32_t>) { return ++calls < 1; };
    EXPECT_FALSE(search.search_from(0, KeepAllEdges{}, once));
    EXPECT_EQ(calls, 1U);
    EXPECT_EQ(search.count(), 1U);
    search.restart();
    const auto always = [&](std::span<const std::uint32_t>) { return true; };
    EXPECT_TRUE(search.search_from(0, KeepAllEdges{}, always));
    EXPECT_EQ(search.count(), 2U);
    EXPECT_FALSE(search.is_reached(4));
    EXPECT_TRUE(search.search_from(4, KeepAllEdges{}, always));
    EXPECT_EQ(search.number(4), 2U);
    EXPECT_EQ(search.take_numbers(), (std::vector<std::uint32_t>{1, 1, 0, 0, 2}));
}

TEST(Components, CursorsWithoutLookingAheadAndNumbersOf64BitsGiveTheSame) {
    std::mt19937 random(13);
    for (int run = 0; run < 300; ++run) {
        const Small graph = random_graph(random, 1 + random() % 200, 1.8);
        std::vector<std::vector<std::uint64_t>> rows(graph.size());
        for (std::size_t v = 0; v < graph.size(); ++v)
            rows[v].assign(graph.targets.begin() + static_cast<std::ptrdiff_t>(graph.offsets[v]),
                           graph.targets.begin() + static_cast<std::ptrdiff_t>(graph.offsets[v + 1]));
        const ComponentNumbers<std::uint32_t> narrow = component_numbers(graph.graph());
        const ComponentNumbers<std::uint64_t> wide = component_numbers(ListGraph(rows));
        const RowGraph by_rows(rows, [](std::uint64_t target) { return target; });
        ASSERT_EQ(component_numbers(by_rows).of, narrow.of);
        ASSERT_EQ(std::uint64_t{narrow.count}, wide.count);
        ASSERT_TRUE(std::equal(narrow.of.begin(), narrow.of.end(), wide.of.begin(), wide.of.end()));
    }
}

// As deep as there are nodes: a path forward, the same closed to a circle, and a path of pairs.
TEST(Components, PathsOfTenMillionNodesAreNoTrouble) {
    constexpr std::uint32_t n = 10'000'000;
    std::vector<std::uint64_t> offsets(n + 1);
    std::iota(offsets.begin(), offsets.end(), std::uint64_t{0});
    std::vector<std::uint32_t> targets(n);
    for (std::uint32_t v = 0; v < n; ++v) targets[v] = v + 1 < n ? v + 1 : v;
    const ArrayGraph<std::uint32_t> graph(offsets, targets);
    const ComponentNumbers<std::uint32_t> path = component_numbers(graph);
    ASSERT_EQ(path.count, n);
    for (std::uint32_t v = 0; v < n; ++v) ASSERT_EQ(path.of[v], n - 1 - v);
    targets[n - 1] = 0;
    const ComponentNumbers<std::uint32_t> circle = component_numbers(graph);
    ASSERT_EQ(circle.count, 1U);
    ASSERT_EQ(circle.of[n / 2], 0U);
}

}  // namespace
}  // namespace tideline::support
