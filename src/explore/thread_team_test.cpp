#include "explore/thread_team.hpp"

#include <atomic>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

// Starts as many threads as allowed, then none.
StartThread at_most(unsigned allowed) {
    return [left = std::make_shared<unsigned>(allowed)](const std::function<void()>& part) {
        if (*left == 0) throw std::system_error(EAGAIN, std::generic_category());
        --*left;
        return std::thread(part);
    };
}

TEST(ThreadTeam, EveryThreadDoesItsPart) {
    for (const unsigned wanted : {1U, 2U, 7U}) {
        ThreadTeam team(wanted);
        ASSERT_EQ(team.size(), wanted);
        EXPECT_EQ(team.refused(), 0U);
        std::mutex mutex;
        std::set<unsigned> done;
        team.run([&](unsigned i) {
            const std::lock_guard lock(mutex);
            done.insert(i);
        });
        EXPECT_EQ(done.size(), wanted);
        EXPECT_EQ(*done.rbegin(), wanted - 1);
    }
}

TEST(ThreadTeam, GoesOnWithHalfOfThoseThatStarted) {
    for (const unsigned allowed : {0U, 1U, 2U, 5U, 9U}) {
        ThreadTeam team(16, at_most(allowed));
        EXPECT_EQ(team.size(), std::max(1U, (allowed + 1) / 2));
        EXPECT_EQ(team.refused(), 16 - team.size());
        const unsigned size = team.size();
        std::atomic<unsigned> done = 0;
        team.run([&](unsigned) { ++done; });
        EXPECT_EQ(done, size);
    }
}

TEST(ThreadTeam, MayGoWithoutHavingWorked) { const ThreadTeam team(4); }

// Used to wait for ever at the first round, for threads that did not exist.
TEST(ThreadTeam, ASearchGoesOnWithTheThreadsThatItHas) {
    const model::Model model = two_counters(60);
    const auto system = [&] {
        return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                                  successor::Layout::declared(model));
    };
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        for (const unsigned allowed : {0U, 1U, 3U, 6U}) {
            SearchObserver nothing;
            SearchSettings settings;
            settings.threads = 8;
            settings.alone_below = 0;
            settings.start_thread = at_most(allowed);
            const SearchResult result = search(system(), order, settings, nothing);
            EXPECT_TRUE(result.complete);
            EXPECT_EQ(result.statistics.states, 61U * 61U);
            EXPECT_EQ(result.statistics.threads, std::max(1U, (allowed + 1) / 2));
            EXPECT_EQ(result.statistics.threads_refused, 8 - result.statistics.threads);
        }
    }
}

}  // namespace
}  // namespace tideline::explore
