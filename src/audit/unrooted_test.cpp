#include "audit/unrooted.hpp"

#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "audit/error.hpp"

namespace tideline::audit {
namespace {

const auto kNoTick = [] {};

// Random graphs; with little memory steps are read several times.
TEST(Unrooted, FindsWhatCannotBeReached) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 40; ++round) {
        const std::uint64_t states = 50 + random() % 3000;
        const std::uint64_t bytes = Unrooted::bytes(states);
        Unrooted unrooted(states, round % 2 == 0 ? bytes + 2048 : bytes + (std::uint64_t{1} << 20U),
                          testing::TempDir());
        std::vector<bool> has_no_parent(states);
        for (std::uint64_t n = 1; n < states; ++n) {
            has_no_parent[n] = random() % 4 != 0;
            if (has_no_parent[n]) unrooted.add_state(n);
        }
        unrooted.add_initial(0);
        std::vector<std::vector<std::uint64_t>> successors(states);
        for (std::uint64_t i = 0; i < states * 2; ++i) {
            const std::uint64_t source = random() % states;
            const std::uint64_t target = random() % states;
            if (!has_no_parent[target]) continue;
            unrooted.add_step(source, target);
            if (source == 0 || has_no_parent[source]) successors[source].push_back(target);
        }
        std::set<std::uint64_t> reached{0};
        std::vector<std::uint64_t> open{0};
        while (!open.empty()) {
            const std::uint64_t state = open.back();
            open.pop_back();
            for (const std::uint64_t target : successors[state])
                if (reached.insert(target).second) open.push_back(target);
        }
        Tally expected;
        for (std::uint64_t n = 1; n < states; ++n)
            if (has_no_parent[n] && !reached.contains(n)) expected.add(n);
        const Tally found = unrooted.decide(kNoTick);
        EXPECT_EQ(found.count, expected.count);
        EXPECT_EQ(found.first, expected.first);
    }
}

TEST(Unrooted, AStateThatHasAParentIsNoProof) {
    // 0 -> nothing; 1 and 2 reach each other, and 2 is said to be a child of 1.
    Unrooted unrooted(3, 1 << 20, testing::TempDir());
    unrooted.add_initial(0);
    unrooted.add_state(1);
    unrooted.add_step(2, 1);
    const Tally found = unrooted.decide(kNoTick);
    EXPECT_EQ(found.count, 1U);
    EXPECT_EQ(found.first, 1U);
}

TEST(Unrooted, NeedsTwoBitsPerState) {
    EXPECT_THROW(Unrooted(std::uint64_t{1} << 24U, 1 << 20, testing::TempDir()), AuditError);
}

}  // namespace
}  // namespace tideline::audit
