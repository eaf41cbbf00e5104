#include "explore/logged_paths.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Heap;

// The log of a breadth-first search through the heap.
PathLog heap_log() {
    PathLog log(1);
    for (int n = 0; n < 3; ++n) {
        log.discovered(0);
        log.discovered(1);
        log.expanded();
    }
    for (int n = 3; n < 7; ++n) log.expanded();
    return log;
}

TEST(LoggedPaths, FollowTheStepsThatTheLogNames) {
    const auto system = Heap{.states = 7}.system();
    LoggedPaths paths(system, heap_log(), false);
    const support::Budget unlimited;
    const std::optional<PackedPath> path = paths.path_to(5, unlimited);
    ASSERT_TRUE(path);
    ASSERT_EQ(path->size(), 3U);
    std::vector<model::Value> values;
    for (std::size_t i = 0; i < path->size(); ++i) values.push_back(system->decode(path->state(i))[0]);
    EXPECT_EQ(values, (std::vector<model::Value>{0, 2, 5}));
    EXPECT_EQ(path->transitions, (std::vector<model::TransitionId>{1, 0}));
    EXPECT_EQ(paths.path_to(0, unlimited)->size(), 1U);
    EXPECT_EQ(paths.system(), system);
}

TEST(LoggedPaths, ASleepingStepIsNotCounted) {
    // Two counters commute: from (0, 0) both steps; after x was counted, the step of x may sleep or not.
    const model::Model model = model::examples::two_counters(3);
    const auto system = successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                                           successor::Layout::declared(model));
    const std::vector<successor::Word> initial = system->initial_states().front();
    EXPECT_EQ(step_at(*system, initial.data(), 0, 1).transition, 1U);
    if (system->commuting() == nullptr) GTEST_SKIP() << "nothing sleeps in this system";
    const successor::SleepSet first = system->commuting()->class_of(0);
    ASSERT_NE(first, 0U);
    EXPECT_EQ(step_at(*system, initial.data(), first, 0).transition, 1U) << "the first one sleeps";
}

}  // namespace
}  // namespace tideline::explore
