#include "explore/path_log.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tideline {
namespace {

TEST(PathLog, LeadsBackToTheInitialStateFromEveryState) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::mt19937_64 random(seed);
        PathLog log;
        std::vector<std::vector<std::uint64_t>> ways{{}};
        // Some states have very many successors: places of several digits.
        const std::uint64_t most = seed % 3 == 0 ? 5 : seed % 3 == 1 ? 400 : 3000000;
        for (std::size_t source = 0; source < ways.size() && ways.size() < 400; ++source) {
            std::uint64_t place = 0;
            for (std::uint64_t n = random() % 4; n > 0; --n) {
                place += random() % most;
                log.discovered(place);
                ways.push_back(ways[source]);
                ways.back().push_back(place++);
            }
            // Also in the middle of a state's successors.
            ASSERT_EQ(log.way_to(ways.size() - 1), ways.back());
            log.expanded();
        }
        for (std::size_t number = 0; number < ways.size(); ++number) ASSERT_EQ(log.way_to(number), ways[number]);
    }
}

}  // namespace
}  // namespace tideline
