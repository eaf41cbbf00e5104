#include "explore/searched_system.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

TEST(SearchedSystem, IsRepackedSoThatTheValueFitsThatStoppedTheExpander) {
    const auto narrow = sample::Heap{.states = 7, .narrow = true}.system();
    const support::Budget unlimited;
    SearchLimits limits(unlimited, false);
    const std::unique_ptr<successor::Expander> expander = narrow->search_expander();
    successor::SuccessorBatch batch(narrow->state_words(), 16);
    const std::vector<successor::Word> initial = narrow->initial_states().front();
    successor::Cursor cursor;
    batch.restart(0);
    ASSERT_EQ(expander->expand(initial.data(), 1, cursor, batch), successor::Expansion::needs_repacking);
    const std::shared_ptr<const successor::System> wider = repacked(*narrow, *expander, limits);
    ASSERT_TRUE(wider);
    std::vector<successor::Word> state(wider->state_words());
    wider->repacking (*narrow)(initial.data(), state.data());
    EXPECT_EQ(wider->decode(state.data()), narrow->decode(initial.data()));
    successor::SuccessorBatch more(wider->state_words(), 16);
    successor::Cursor again;
    more.restart(0);
    (void)wider->search_expander()->expand(state.data(), 1, again, more);
    ASSERT_GE(more.size(), 1U);
    EXPECT_EQ(wider->decode(more.state(0))[0], 1);
}

TEST(SearchedSystem, ItsFiguresArePartOfTheStatistics) {
    const auto system = sample::Heap{}.system();
    const support::Budget unlimited;
    const SearchLimits limits(unlimited, false);
    Statistics statistics;
    statistics.state_bytes = 999;
    statistics.seconds = -1;
    count_system(statistics, *system, limits);
    EXPECT_EQ(statistics.state_bytes, system->state_bytes());
    EXPECT_EQ(statistics.compile_seconds, system->compile_seconds());
    EXPECT_GE(statistics.seconds, 0);
}

}  // namespace
}  // namespace tideline::explore
