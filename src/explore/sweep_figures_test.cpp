#include "explore/sweep_figures.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

Statistics statistics_of(const SweepFigures& figures) {
    Statistics statistics;
    figures.write_to(statistics);
    return statistics;
}

TEST(SweepFigures, KeepsPeaksOfTheSearchAndOfEveryPass) {
    SweepFigures figures;
    figures.note_states(10, 5);
    figures.note_states(8, 9);
    figures.end_pass(30);
    figures.begin_pass();
    figures.note_states(3, 1);
    figures.end_pass(42);
    EXPECT_EQ(figures.passes(), (std::vector<SweepCount>{{17, 30}, {4, 12}}));
    EXPECT_EQ(statistics_of(figures).peak_states, 17U);
    EXPECT_EQ(statistics_of(figures).widest_layer, 10U);
}

TEST(SweepFigures, APassThatGoesOnIsCountedAgain) {
    SweepFigures figures;
    figures.end_pass(30);
    figures.end_pass(31);
    EXPECT_EQ(figures.passes().back().expanded, 31U);
}

TEST(SweepFigures, ALevelThatIsEnteredTwiceCountsOnce) {
    SweepFigures figures;
    figures.count_level(0);
    figures.count_level(0);
    figures.count_level(1);
    EXPECT_EQ(statistics_of(figures).depth, 2U);
}

TEST(SweepFigures, AResumedSearchCountsOn) {
    SavedSearch saved;
    saved.passes = {{17, 30}, {4, 12}};
    saved.statistics.peak_states = 17;
    saved.statistics.reread = 100;
    saved.statistics.spilled = 10;
    saved.statistics.depth = 3;
    saved.statistics.regress_edges = 6;
    SweepFigures figures(saved);
    figures.set_counted_level(2);
    figures.count_level(2);
    figures.add_reread(1);
    figures.add_spilled(2);
    figures.note_states(5, 0);
    EXPECT_EQ(statistics_of(figures).reread, 101U);
    EXPECT_EQ(statistics_of(figures).spilled, 12U);
    EXPECT_EQ(statistics_of(figures).depth, 3U) << "the checkpoint has counted the level";
    EXPECT_EQ(statistics_of(figures).peak_states, 17U);
    EXPECT_EQ(figures.passes().back().peak_states, 5U);
    EXPECT_EQ(figures.regress_edges_before(), 6U);
}

}  // namespace
}  // namespace tideline::explore
