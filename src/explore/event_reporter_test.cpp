#include "explore/event_reporter.hpp"

#include <gtest/gtest.h>

#include "explore/batch_inserter.hpp"
#include "explore/batch_producer.hpp"
#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;
using Values = std::vector<model::Value>;
using Events = std::vector<sample::NotingObserver::Event>;

// Rounds by hand.
class EventReporterTest : public ::testing::Test {
protected:
    bool begin() {
        sample_.insert_initial(0, 0);
        return reporter_.report_initial(sample_.core.system->initial_states()) &&
               sample_.core.walk.advance(sample_.core.owner);
    }
    bool round() {
        Worker<Breadth>& worker = *sample_.core.workers[0];
        if (sample_.core.walk.ready() == 0 && !sample_.core.walk.advance(sample_.core.owner)) return false;
        BatchProducer<Breadth>(sample_.core, 0).produce(worker);
        BatchInserter<Breadth>(sample_.core).insert_all(worker);
        return reporter_.report_round();
    }
    [[nodiscard]] Events& events() { return sample_.observer.events; }

    sample::SampleCore<Breadth> sample_{Heap{.states = 7, .faulty = 2}.system()};
    EventReporter<Breadth> reporter_{sample_.core, true};
};

TEST_F(EventReporterTest, NumbersNewStatesInTheOrderOfTheirDiscovery) {
    sample_.observer.watched = {0};
    ASSERT_TRUE(begin());
    EXPECT_EQ(events(), (Events{{'d', 0, 0}}));
    events().clear();
    ASSERT_TRUE(round());
    EXPECT_EQ(events(), (Events{{'d', 1, 1}, {'d', 2, 2}, {'l', 1, 1}})) << "1 is odd";
    events().clear();
    ASSERT_TRUE(round());
    EXPECT_EQ(events().front().kind, 'f') << "the faulty step of 2 comes first";
    EXPECT_EQ(events().front().n, 2);
    EXPECT_EQ(events()[1], (Events::value_type{'d', 3, 3}));
    events().clear();
    ASSERT_TRUE(round());
    Values deadlocks;
    for (const auto& event : events())
        if (event.kind == 'x') deadlocks.push_back(event.n);
    EXPECT_EQ(deadlocks, (Values{3, 4, 5, 6}));
    EXPECT_FALSE(round()) << "the walk is complete";
}

TEST_F(EventReporterTest, AnObserverThatHasSeenEnoughStopsTheSearch) {
    sample_.observer.stop_after = 3;
    ASSERT_TRUE(begin());
    EXPECT_FALSE(round());
    EXPECT_EQ(sample_.core.reason, support::StopReason::violation);
    EXPECT_TRUE(sample_.core.control.finished());
    EXPECT_EQ(events().size(), 3U);
}

TEST_F(EventReporterTest, LogsWhatPathsAreFoundBy) {
    ASSERT_TRUE(begin());
    while (round()) continue;
    const support::Budget unlimited;
    const std::optional<PathLog::Path> path = reporter_.log().path_to(5, unlimited);
    ASSERT_TRUE(path);
    EXPECT_EQ(path->root, 0U);
    EXPECT_EQ(path->steps, (std::vector<std::uint64_t>{1, 0})) << "0 to 2 by its second step, and to 5 by its first";
}

TEST_F(EventReporterTest, ReportsAgainWhatAResumedSearchHadReported) {
    ASSERT_TRUE(begin());
    events().clear();
    const std::vector<ReportedEvent> before{{ReportedEvent::Kind::deadlock, 4, 0, model::FaultKind::none, 2},
                                            {ReportedEvent::Kind::fault, 2, 2, model::FaultKind::range, 1}};
    const auto state_of = [](std::uint64_t number) { return std::vector<successor::Word>{number}; };
    EXPECT_TRUE(reporter_.report_again(before, state_of));
    EXPECT_EQ(events(), (Events{{'x', 4, 4}, {'x', 4, 4}, {'f', 2, 2}}));
    EXPECT_EQ(reporter_.events().all().size(), 2U);
    sample_.observer.stop_after = 0;
    EXPECT_FALSE(reporter_.report_again(before, state_of));
}

}  // namespace
}  // namespace tideline::explore
