#include "reference/sweep.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace tideline::reference {
namespace {

using Edges = std::vector<std::vector<std::size_t>>;

TEST(ReferenceSweep, AMonotonicMeasureNeedsOneSweepAndAWindowOfStates) {
    const Edges chain = {{1}, {2}, {3}, {}};
    const SweepFigures figures = sweep(chain, {0, 1, 2, 3});
    EXPECT_EQ(figures.expanded, 4U);
    EXPECT_EQ(figures.persistent, 0U);
    EXPECT_EQ(figures.regress_edges, 0U);
    EXPECT_EQ(figures.peak, 2U);
    EXPECT_EQ(figures.sweep_peaks, (std::vector<std::uint64_t>{2}));
}

TEST(ReferenceSweep, AConstantMeasureKeepsEveryState) {
    const SweepFigures figures = sweep({{1, 2}, {0}, {1}, {0}}, {7, 7, 7, 7});
    EXPECT_EQ(figures.expanded, 3U);
    EXPECT_EQ(figures.peak, 3U);
    EXPECT_EQ(figures.visited, (std::vector<bool>{true, true, true, false}));
}

// 0 -> 1 -> 2 -> 0, progress 0, 1, 2: the edge back makes 0 persistent, although it has been visited; the second sweep
// goes round again and finds 0 in memory.
TEST(ReferenceSweep, ARegressEdgeCostsAnotherSweep) {
    const SweepFigures figures = sweep({{1}, {2}, {0}}, {0, 1, 2});
    EXPECT_EQ(figures.expanded, 6U);
    EXPECT_EQ(figures.persistent, 1U);
    EXPECT_EQ(figures.regress_edges, 2U);
    EXPECT_EQ(figures.sweep_expanded, (std::vector<std::uint64_t>{3, 3}));
    EXPECT_EQ(figures.sweep_peaks, (std::vector<std::uint64_t>{2, 3}));
}

TEST(ReferenceSweep, DistanceCountsRegressEdgesAlone) {
    // 0 (5) -> 1 (3) -> 2 (1); 0 -> 3 (9) -> 2; 4 cannot be reached.
    const Edges edges = {{1, 3}, {2}, {}, {2}, {0}};
    const std::vector<std::uint64_t> distance = regress_distance(edges, {5, 3, 1, 9, 0});
    EXPECT_EQ(distance, (std::vector<std::uint64_t>{0, 1, 1, 0, std::numeric_limits<std::uint64_t>::max()}));
}

}  // namespace
}  // namespace tideline::reference
