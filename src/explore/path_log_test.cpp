#include "explore/path_log.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(PathLog, LeadsBackToAnInitialStateFromEveryState) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        std::mt19937_64 random(seed);
        const std::uint64_t roots = seed % 4 == 0 ? 1 + random() % 5 : 1;
        PathLog log(roots);
        std::vector<PathLog::Path> ways;
        for (std::uint64_t root = 0; root < roots; ++root) ways.push_back({root, {}});
        // Some states have very many successors: indices of several digits.
        const std::uint64_t most = seed % 3 == 0 ? 5 : seed % 3 == 1 ? 400 : 3000000;
        for (std::size_t source = 0; source < ways.size() && ways.size() < 400; ++source) {
            std::uint64_t index = 0;
            for (std::uint64_t n = random() % 4; n > 0; --n) {
                index += random() % most;
                log.discovered(index);
                ways.push_back(ways[source]);
                ways.back().steps.push_back(index++);
            }
            // Also in the middle of a state's successors.
            ASSERT_EQ(log.path_to(ways.size() - 1), ways.back());
            log.expanded();
        }
        for (std::size_t number = 0; number < ways.size(); ++number) ASSERT_EQ(log.path_to(number), ways[number]);
    }
}

}  // namespace
}  // namespace tideline::explore
