// What a search returns, and what it answers while it runs.
#include "explore/driver.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "explore/depth_first.hpp"
#include "explore/joint_breadth_first.hpp"
#include "explore/sample_search.hpp"
#include "explore/sweep.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;

template <Walk W, class... ForWalk>
SearchResult drive(const Heap& heap, SearchObserver& observer, const SearchSettings& settings = {},
                   unsigned threads = 1, ForWalk&&... for_walk) {
    ThreadTeam team(threads);
    return Driver<W>(heap.system(), settings, observer, team, std::forward<ForWalk>(for_walk)...).run();
}

TEST(Driver, ReturnsTheFiguresOfACompleteSearch) {
    sample::NotingObserver observer;
    const SearchResult result = drive<Breadth>({.states = 15}, observer);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.reason, support::StopReason::none);
    EXPECT_EQ(result.statistics.states, 15U);
    EXPECT_EQ(result.statistics.transitions, 14U);
    EXPECT_FALSE(result.forgets);
    EXPECT_FALSE(result.resumable) << "it has no ledger";
    EXPECT_FALSE(result.continues_with);
}

TEST(Driver, PathsOutliveASearchInOneThreadThatKeepsThem) {
    sample::NotingObserver observer;
    const SearchResult result = drive<Breadth>({.states = 15}, observer);
    ASSERT_TRUE(result.paths);
    for (const auto& event : observer.events) {
        if (event.kind != 'd') continue;
        const std::optional<PackedPath> path = result.paths->path_to(event.number, support::Budget());
        ASSERT_TRUE(path);
        EXPECT_EQ(result.system->decode(path->state(path->size() - 1)).front(), event.n);
    }
    SearchSettings settings;
    settings.paths = false;
    EXPECT_FALSE(drive<Breadth>({.states = 15}, observer, settings).paths);
    EXPECT_FALSE(drive<JointBreadthFirst>({.states = 15}, observer, {}, 2).paths);
}

// Asks for the current path at every deadlock.
struct Follower final : SearchObserver {
    bool deadlock(SearchView& search, const StateRef& found) override {
        const std::optional<PackedPath> path = search.current_path(support::Budget());
        std::vector<model::Value> values;
        for (std::size_t i = 0; path && i < path->size(); ++i)
            values.push_back(search.system().decode(path->state(i)).front());
        if (path) {
            EXPECT_EQ(values.back(), search.system().decode(found.state).front());
        }
        paths.push_back(values);
        return true;
    }
    std::vector<std::vector<model::Value>> paths;
};

TEST(Driver, OnlyADepthFirstSearchKnowsThePathThatItIsOn) {
    Follower depth;
    (void)drive<DepthFirst>({.states = 7}, depth);
    EXPECT_EQ(depth.paths, (std::vector<std::vector<model::Value>>{{0, 1, 3}, {0, 1, 4}, {0, 2, 5}, {0, 2, 6}}));
    Follower breadth;
    (void)drive<Breadth>({.states = 7}, breadth);
    EXPECT_EQ(breadth.paths, std::vector<std::vector<model::Value>>(4));
}

TEST(Driver, AnObserverEndsItBeforeTheFirstStateIsExpanded) {
    sample::NotingObserver observer;
    observer.stop_after = 1;
    const SearchResult result = drive<Breadth>({.states = 15}, observer);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.reason, support::StopReason::violation);
    EXPECT_EQ(result.statistics.expanded, 0U);
    EXPECT_EQ(observer.events.size(), 1U);
}

TEST(Driver, ASweepForgetsAndABasicOneEndsAtAStepBack) {
    sample::NotingObserver observer;
    const SearchResult forward = drive<Sweep>({.states = 15}, observer, {}, 1, true);
    EXPECT_TRUE(forward.complete);
    EXPECT_TRUE(forward.forgets);
    EXPECT_EQ(forward.statistics.sweep_details.size(), 1U);
    const SearchResult backward = drive<Sweep>({.states = 15, .backwards = true}, observer, {}, 1, true);
    EXPECT_EQ(backward.reason, support::StopReason::against_order);
    ASSERT_TRUE(backward.offending);
    EXPECT_EQ(backward.system->decode(backward.offending->from.data()).front(), 0);
}

TEST(Driver, ASinkIsFinishedWhateverEndsTheSearch) {
    struct Sink final : EdgeSink {
        [[nodiscard]] EdgeNeed need() const override { return EdgeNeed::nothing; }
        void begin(const EdgeStreamInfo& info) override { initial.assign(info.initial.begin(), info.initial.end()); }
        void batch(unsigned /*thread*/, const EdgeBatch& /*batch*/) override { ADD_FAILURE() << "it needs nothing"; }
        bool end_layer(const LayerEnd& layer) override {
            states.push_back(layer.states);
            return states.size() < most;
        }
        void finish(support::StopReason reason) override { reasons.push_back(reason); }
        std::size_t most = SIZE_MAX;
        std::vector<StateNumber> initial;
        std::vector<std::uint64_t> states;
        std::vector<support::StopReason> reasons;
    };
    SearchObserver nobody;
    SearchSettings settings;
    Sink whole;
    settings.edges = &whole;
    EXPECT_TRUE(drive<Breadth>({.states = 15}, nobody, settings).complete);
    EXPECT_EQ(whole.initial, (std::vector<StateNumber>{0}));
    EXPECT_EQ(whole.states, (std::vector<std::uint64_t>{3, 7, 15, 15})) << "discovered when a level ends";
    EXPECT_EQ(whole.reasons, (std::vector{support::StopReason::none}));
    Sink two;
    two.most = 2;
    settings.edges = &two;
    EXPECT_EQ(drive<Breadth>({.states = 15}, nobody, settings).reason, support::StopReason::violation);
    EXPECT_EQ(two.reasons, (std::vector{support::StopReason::violation}));
    struct Thrower final : SearchObserver {
        bool deadlock(SearchView& /*search*/, const StateRef& /*found*/) override { throw std::runtime_error("seen"); }
    } thrower;
    Sink broken;
    settings.edges = &broken;
    EXPECT_THROW((void)drive<Breadth>({.states = 15}, thrower, settings), std::runtime_error);
    EXPECT_EQ(broken.reasons, (std::vector{support::StopReason::interrupted}));
}

}  // namespace
}  // namespace tideline::explore
