#include "explore/barrier.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(Barrier, TheLastThreadActsAloneAndAllSeeWhatItDid) {
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        Barrier barrier(threads);
        std::vector<int> made(threads);
        int sum = 0;  // written by one thread at a time
        std::atomic<int> wrong = 0;
        const auto work = [&](unsigned i) {
            for (int round = 1; round <= 200; ++round) {
                made[i] = round;
                barrier.arrive([&] {
                    sum = 0;
                    for (const int each : made) sum += each;
                });
                if (sum != round * static_cast<int>(threads)) ++wrong;
                barrier.arrive();
            }
        };
        {
            std::vector<std::jthread> others;
            for (unsigned i = 1; i < threads; ++i) others.emplace_back(work, i);
            work(0);
        }
        EXPECT_EQ(wrong, 0);
    }
}

TEST(Barrier, TellsWhetherSomebodyWaits) {
    Barrier barrier(2);
    EXPECT_FALSE(barrier.has_waiters());
    std::jthread other([&] { barrier.arrive(); });
    while (!barrier.has_waiters()) std::this_thread::yield();
    barrier.arrive();
    other.join();
    EXPECT_FALSE(barrier.has_waiters());
}

}  // namespace
}  // namespace tideline::explore
