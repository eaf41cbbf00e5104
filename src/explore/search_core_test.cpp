#include "explore/search_core.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;

TEST(SearchCore, TheFirstReasonStaysButAnAnswerIsMoreThanALimit) {
    sample::SampleCore<Breadth> sample(Heap{}.system());
    EXPECT_FALSE(sample.core.stop(support::StopReason::time));
    EXPECT_TRUE(sample.core.control.finished());
    EXPECT_FALSE(sample.core.stop(support::StopReason::memory));
    EXPECT_EQ(sample.core.reason, support::StopReason::time);
    EXPECT_FALSE(sample.core.stop(support::StopReason::violation));
    EXPECT_EQ(sample.core.reason, support::StopReason::violation);
    EXPECT_FALSE(sample.core.stop(support::StopReason::states));
    EXPECT_EQ(sample.core.reason, support::StopReason::violation);
}

TEST(SearchCore, AddsUpWhatItsThreadsCount) {
    sample::SampleCore<Breadth> sample(Heap{}.system(), 2);
    sample.insert_initial(0, 0);
    sample.insert_initial(1, 1);
    std::uint64_t factor = 1;
    for (const auto& worker : sample.core.workers) {
        worker->expanded = 5 * factor;
        worker->transitions = 7 * factor;
        worker->deadlock_count = 2 * factor;
        factor = 100;
    }
    sample.core.seconds_before = 1000;
    sample.core.update_statistics();
    const Statistics& statistics = sample.core.statistics;
    EXPECT_EQ(statistics.states, 2U);
    EXPECT_EQ(statistics.expanded, 505U);
    EXPECT_EQ(statistics.transitions, 707U);
    EXPECT_EQ(statistics.deadlocks, 202U);
    EXPECT_EQ(statistics.threads, 2U);
    EXPECT_EQ(statistics.state_bytes, sample.core.system->state_bytes());
    EXPECT_GE(statistics.seconds, 1000) << "of the search that is resumed";
    sample.core.update_statistics();
    EXPECT_EQ(sample.core.statistics.expanded, 505U) << "they are not added again";
}

TEST(SearchCore, SeveralThreadsSendWhatTheyMakeUnlessTheirTablesAreShared) {
    EXPECT_TRUE(sample::SampleCore<Breadth>(Heap{}.system(), 1).core.inserts_at_once());
    EXPECT_FALSE(sample::SampleCore<Breadth>(Heap{}.system(), 2).core.inserts_at_once());
}

}  // namespace
}  // namespace tideline::explore
