#include "explore/depth_first.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using Words = std::vector<successor::Word>;

class DepthFirstTest : public ::testing::Test {
protected:
    [[nodiscard]] Words pop() {
        Words state(1);
        state.resize(walk_.partition(0).pop_batch(state.data(), nullptr, 1));
        return state;
    }
    // Successors of the state that was entered last.
    void insert(const Words& states) {
        successor::SuccessorBatch batch(1, 16);
        batch.restart(0);
        for (const successor::Word state : states) {
            *batch.next_state() = state;
            batch.push(0, 0, model::FaultKind::none);
        }
        batch.compute_hashes();
        std::vector<std::uint32_t> discovered;
        walk_.partition(0).insert_successors(batch, batch.size(), [](std::size_t j) { return j; }, discovered);
        walk_.partition(0).expanded();
    }
    [[nodiscard]] Words path() { return walk_.partition(0).path(); }

    std::shared_ptr<const successor::System> system_ = sample::Heap{}.system();
    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    DepthFirst walk_{WalkSetup{*system_, unlimited_, 1, nullptr}};
};

TEST_F(DepthFirstTest, EntersTheFirstSuccessorFirstAndGoesBack) {
    const successor::Word zero = 0;
    walk_.partition(0).insert_initial(&zero, successor::hash_state(&zero, 1), 0);
    ASSERT_TRUE(walk_.advance(Owner(1)));
    EXPECT_EQ(pop(), (Words{0}));
    insert({1, 2});
    EXPECT_EQ(pop(), (Words{1}));
    insert({3, 0, 2});
    EXPECT_EQ(pop(), (Words{3}));
    EXPECT_EQ(path(), (Words{0, 1, 3}));
    insert({});
    EXPECT_EQ(pop(), (Words{2})) << "a successor of 1 before that of 0";
    EXPECT_EQ(path(), (Words{0, 1, 2}));
    insert({});
    EXPECT_TRUE(pop().empty()) << "2 has been entered, so it is passed over";
    EXPECT_FALSE(walk_.advance(Owner(1)));
    Statistics statistics;
    walk_.count(statistics);
    EXPECT_EQ(statistics.states, 4U);
    EXPECT_EQ(statistics.depth, 3U);
    EXPECT_EQ(statistics.waiting, 0U);
}

}  // namespace
}  // namespace tideline::explore
