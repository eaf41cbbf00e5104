#include "explore/rounds.hpp"

#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "explore/joint_breadth_first.hpp"
#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;
using Events = std::vector<sample::NotingObserver::Event>;

// The rounds of a search whose settings are made before.
template <Walk W>
struct SampleRounds {
    SampleRounds(const Heap& heap, unsigned threads, SearchSettings settings = {})
        : sample(heap.system(), threads), team(threads) {
        sample.settings = std::move(settings);
        const std::vector<std::vector<successor::Word>> initial = sample.core.system->initial_states();
        const std::uint64_t hash = successor::hash_state(initial[0].data(), initial[0].size());
        sample.insert_initial(0, sample.core.owner(hash));
        begun = reporter.report_initial(initial) && rounds.advance();
    }
    void run() {
        rounds.run(team);
        sample.core.update_statistics();
    }
    [[nodiscard]] std::set<model::Value> discovered() const {
        std::set<model::Value> states;
        for (const auto& event : sample.observer.events)
            if (event.kind == 'd') {
                EXPECT_TRUE(states.insert(event.n).second) << event.n << " is discovered once";
            }
        return states;
    }

    sample::SampleCore<W> sample;
    EventReporter<W> reporter{sample.core, false};
    NoRecorder recorder;
    Rounds<W> rounds{sample.core, reporter, recorder, 0};
    ThreadTeam team;
    bool begun = false;
};

template <class W>
class RoundsTest : public ::testing::Test {};
using Walks = ::testing::Types<Breadth, JointBreadthFirst>;
TYPED_TEST_SUITE(RoundsTest, Walks);

TYPED_TEST(RoundsTest, GoOnUntilTheWalkIsComplete) {
    std::set<model::Value> all;
    for (model::Value n = 0; n < 63; ++n) all.insert(n);
    for (const unsigned threads : {1U, 2U, 3U}) {
        SCOPED_TRACE(threads);
        SampleRounds<TypeParam> search(Heap{.states = 63}, threads, {.alone_below = 0});
        ASSERT_TRUE(search.begun);
        search.run();
        const Statistics& figures = search.sample.core.statistics;
        EXPECT_EQ(search.discovered(), all);
        EXPECT_EQ(figures.states, 63U);
        EXPECT_EQ(figures.expanded, 63U);
        EXPECT_EQ(figures.transitions, 62U);
        EXPECT_EQ(figures.deadlocks, 32U);
        EXPECT_EQ(figures.depth, 6U);
        EXPECT_TRUE(search.sample.core.control.finished());
        EXPECT_EQ(search.sample.core.reason, support::StopReason::none);
    }
}

TYPED_TEST(RoundsTest, AnObserverThatHasSeenEnoughEndsThem) {
    for (const unsigned threads : {1U, 2U}) {
        SampleRounds<TypeParam> search(Heap{.states = 63}, threads, {.alone_below = 0});
        ASSERT_TRUE(search.begun);
        search.sample.observer.stop_after = 5;
        search.run();
        EXPECT_EQ(search.sample.core.reason, support::StopReason::violation);
        EXPECT_LT(search.sample.core.statistics.expanded, 63U);
    }
}

TYPED_TEST(RoundsTest, FieldsAreWidenedOnTheWayAndNothingIsLost) {
    for (const unsigned threads : {1U, 2U}) {
        SampleRounds<TypeParam> search(Heap{.states = 63, .narrow = true}, threads, {.alone_below = 0});
        const auto before = search.sample.core.system;
        ASSERT_TRUE(search.begun);
        search.run();
        EXPECT_NE(search.sample.core.system, before);
        EXPECT_EQ(search.discovered().size(), 63U);
        EXPECT_EQ(search.sample.core.statistics.expanded, 63U) << "every state is expanded once";
        EXPECT_EQ(search.sample.core.statistics.transitions, 62U);
    }
}

// What an observer is given that asks nothing.
struct View final : SearchView {
    explicit View(const successor::System& searched) : system_(searched) {}
    [[nodiscard]] const successor::System& system() const override { return system_; }
    [[nodiscard]] std::optional<PackedPath> current_path(const support::Budget& /*budget*/) override { return {}; }
    [[nodiscard]] const Statistics& statistics() const override { return statistics_; }

private:
    const successor::System& system_;
    Statistics statistics_;
};

TYPED_TEST(RoundsTest, AnErrorOfTheObserverEndsThemAndIsThrownAgain) {
    struct Thrower final : SearchObserver {
        bool deadlock(SearchView& /*search*/, const StateRef& /*found*/) override { throw std::runtime_error("seen"); }
    } thrower;
    for (const unsigned threads : {1U, 2U}) {
        SearchSettings settings{.alone_below = 0};
        const std::shared_ptr<const successor::System> system = Heap{}.system();
        SearchCore<TypeParam> core(system, settings, thrower, threads, 0, false);
        View view(*system);
        core.view = &view;
        EventReporter<TypeParam> reporter(core, false);
        NoRecorder recorder;
        Rounds<TypeParam> rounds(core, reporter, recorder, 0);
        ThreadTeam team(threads);
        const std::vector<successor::Word> initial = system->initial_states().front();
        const std::uint64_t hash = successor::hash_state(initial.data(), initial.size());
        core.walk.partition(core.owner(hash)).insert_initial(initial.data(), hash, 0);
        ASSERT_TRUE(rounds.advance());
        EXPECT_THROW(rounds.run(team), std::runtime_error);
    }
}

TEST(Rounds, WhereThereIsLittleToDoOneThreadDoesTheSameAsAll) {
    Events events[2];
    for (const std::size_t i : {0U, 1U}) {
        SampleRounds<Breadth> search(Heap{.states = 63, .faulty = 5}, 2,
                                     {.alone_below = i == 0 ? 0 : std::uint64_t{1} << 40U});
        ASSERT_TRUE(search.begun);
        search.run();
        events[i] = search.sample.observer.events;
    }
    EXPECT_EQ(events[0], events[1]) << "what a search with several threads does depends on their number only";
}

}  // namespace
}  // namespace tideline::explore
