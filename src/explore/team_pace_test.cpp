#include "explore/team_pace.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

using std::chrono::milliseconds;

// A machine on which a thread that works gets a share of a processor; a round takes as long as its slowest part.
struct Machine {
    double together = 1;  // per thread
    double alone = 1;

    static constexpr std::size_t kThreads = 2;
    TeamPace::Clock::time_point now{};
    TeamPace pace{kThreads, now};
    TeamPace::Duration worked_alone{};

    // A round in which each thread needs `work` of processor time.
    void round(TeamPace::Duration work) {
        using Float = std::chrono::duration<double, TeamPace::Duration::period>;
        const auto elapsed = [](TeamPace::Duration processor, double share) {
            return std::chrono::duration_cast<TeamPace::Duration>(Float(processor) / share);
        };
        const TeamPace::Reading begin{now, {}};
        if (pace.works_alone()) {
            const TeamPace::Duration processor = work * kThreads;
            now += elapsed(processor, alone);
            worked_alone += now - begin.now;
            pace.end_round_alone(begin, {now, processor});
        } else {
            now += elapsed(work, together);
            for (std::size_t i = 0; i < kThreads; ++i) pace.end_part(i, begin, {now, work});
            pace.end_round(now);
        }
        pace.start_round(now);
    }
    // The share of the time in which one thread did all parts.
    double share_alone(TeamPace::Duration duration, TeamPace::Duration work = milliseconds(1)) {
        const TeamPace::Clock::time_point begin = now;
        worked_alone = {};
        while (now - begin < duration) round(work);
        return static_cast<double>(worked_alone.count()) / static_cast<double>((now - begin).count());
    }
};

TEST(TeamPace, AllThreadsWorkWhereEachHasAProcessor) {
    Machine machine;
    EXPECT_EQ(machine.share_alone(milliseconds(5000)), 0);
    // A little is always lost.
    machine.together = 0.95;
    EXPECT_EQ(machine.share_alone(milliseconds(5000)), 0);
}

TEST(TeamPace, OneThreadWorksWhereTheyWaitForEachOther) {
    // Beside a busy process: half the time of each part is spent waiting for a processor, and one thread would have
    // one.
    Machine machine{.together = 0.5, .alone = 1};
    EXPECT_GT(machine.share_alone(milliseconds(5000)), 0.9);
}

TEST(TeamPace, AllThreadsWorkWhereThatGetsALargerShare) {
    // Beside many other processes.
    Machine machine{.together = 0.25, .alone = 0.3};
    EXPECT_LT(machine.share_alone(milliseconds(5000)), 0.1);
}

TEST(TeamPace, FollowsTheLoad) {
    Machine machine{.together = 0.5, .alone = 1};
    EXPECT_GT(machine.share_alone(milliseconds(5000)), 0.9);
    machine.together = 1;
    machine.share_alone(milliseconds(2500));
    EXPECT_LT(machine.share_alone(milliseconds(3000)), 0.1);
    machine.together = 0.4;
    machine.share_alone(milliseconds(500));
    EXPECT_GT(machine.share_alone(milliseconds(5000)), 0.9);
}

TEST(TeamPace, RoundsMayBeLongerThanAWindow) {
    Machine machine{.together = 0.5, .alone = 1};
    EXPECT_GT(machine.share_alone(milliseconds(20000), milliseconds(100)), 0.6);
}

TEST(TeamPace, TheClockOfAThreadRuns) {
    const TeamPace::Reading begin = TeamPace::read();
    volatile unsigned sink = 0;
    while (TeamPace::read().now - begin.now < milliseconds(20)) sink = sink + 1;
    const TeamPace::Reading end = TeamPace::read();
    EXPECT_GT(end.processor - begin.processor, TeamPace::Duration::zero());
    EXPECT_LE(end.processor - begin.processor, end.now - begin.now + milliseconds(1));
}

}  // namespace
}  // namespace tideline::explore
