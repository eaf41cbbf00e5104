#include "explore/reported_events.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

using Kind = ReportedEvent::Kind;

TEST(ReportedEvents, EventsOfSeveralStatesAreOneThatCameSeveralTimes) {
    ReportedEvents events;
    events.add(Kind::deadlock, 7, 0, model::FaultKind::none);
    events.add(Kind::label, 8, 2, model::FaultKind::none);
    events.add(Kind::deadlock, 9, 0, model::FaultKind::none);
    events.add(Kind::label, 9, 3, model::FaultKind::none);
    ASSERT_EQ(events.all().size(), 3U);
    EXPECT_EQ(events.all()[0].number, 7U) << "the first state";
    EXPECT_EQ(events.all()[0].times, 2U);
    EXPECT_EQ(events.all()[1].what, 2U);
    EXPECT_EQ(events.all()[2].what, 3U);
    EXPECT_EQ(events.all()[2].times, 1U);
}

TEST(ReportedEvents, FaultsOfOneTransitionDifferByTheirKind) {
    ReportedEvents events;
    events.add(Kind::fault, 1, 5, model::FaultKind::range);
    events.add(Kind::fault, 1, 5, model::FaultKind::index);
    events.add(Kind::fault, 2, 5, model::FaultKind::range);
    ASSERT_EQ(events.all().size(), 2U);
    EXPECT_EQ(events.all()[0].times, 2U);
}

TEST(ReportedEvents, ThoseOfAResumedSearchAreCountedFurther) {
    ReportedEvents before;
    before.add(Kind::deadlock, 7, 0, model::FaultKind::none);
    ReportedEvents after(before.all());
    after.add(Kind::deadlock, 8, 0, model::FaultKind::none);
    ASSERT_EQ(after.all().size(), 1U);
    EXPECT_EQ(after.all()[0].times, 2U);
    EXPECT_EQ(after.all()[0].number, 7U);
}

}  // namespace
}  // namespace tideline::explore
