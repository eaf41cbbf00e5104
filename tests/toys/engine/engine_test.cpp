// A walk that only keeps the contract has everything that a search has: limits, repacking, observers, traces.
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "explore/driver.hpp"
#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "tests/toys/engine/textbook_breadth_first.hpp"

namespace tideline::toys {
namespace {

using namespace model::examples;

class FirstDeadlock final : public explore::SearchObserver {
public:
    [[nodiscard]] bool wants_deadlocks() const override { return true; }
    bool deadlock(explore::SearchView& /*search*/, const explore::StateRef& found) override {
        number_ = found.number;
        return false;
    }
    [[nodiscard]] std::optional<std::uint64_t> number() const { return number_; }

private:
    std::optional<std::uint64_t> number_;
};

explore::SearchResult toy_search(std::shared_ptr<const successor::System> system, explore::SearchSettings settings,
                                 explore::SearchObserver& observer) {
    settings.sleep = false;
    explore::ThreadTeam team(1, settings.start_thread);
    return explore::Driver<TextbookBreadthFirst>(std::move(system), settings, observer, team).run();
}

std::shared_ptr<const successor::System> counters(model::Value limit, bool narrow) {
    auto model = std::make_shared<const model::Model>(two_counters(limit));
    // Fields that are too narrow make the search repack what it has.
    const std::vector<model::Range> seen{{0, 1}, {0, 2}};
    return successor::make_interpreted_system(
        model, {}, narrow ? successor::Layout::observed(*model, seen) : successor::Layout::declared(*model));
}

TEST(ToyEngine, CountsWhatTheProgramsOwnCounts) {
    explore::SearchObserver nobody;
    const explore::SearchResult own =
        explore::search(counters(30, false), explore::WalkOrder::breadth_first, {}, nobody);
    for (const bool narrow : {false, true}) {
        const explore::SearchResult toy = toy_search(counters(30, narrow), {}, nobody);
        EXPECT_TRUE(toy.complete);
        EXPECT_EQ(toy.statistics.states, 31U * 31U);
        EXPECT_EQ(toy.statistics.states, own.statistics.states);
        EXPECT_EQ(toy.statistics.transitions, own.statistics.transitions);
        EXPECT_EQ(toy.statistics.deadlocks, own.statistics.deadlocks);
        EXPECT_EQ(toy.statistics.depth, own.statistics.depth);
    }
}

TEST(ToyEngine, KeepsLimits) {
    explore::SearchObserver nobody;
    explore::SearchSettings settings;
    settings.states = 100;
    const explore::SearchResult toy = toy_search(counters(300, false), settings, nobody);
    EXPECT_FALSE(toy.complete);
    EXPECT_EQ(toy.reason, support::StopReason::states);
    EXPECT_LT(toy.statistics.states, 301U * 301U);
}

TEST(ToyEngine, HasShortestPaths) {
    FirstDeadlock observer;
    const explore::SearchResult toy = toy_search(counters(5, false), {}, observer);
    EXPECT_EQ(toy.reason, support::StopReason::violation);
    ASSERT_TRUE(observer.number() && toy.paths);
    const auto path = toy.paths->path_to(*observer.number(), {});
    ASSERT_TRUE(path);
    EXPECT_EQ(path->size(), 11U);
}

}  // namespace
}  // namespace tideline::toys
