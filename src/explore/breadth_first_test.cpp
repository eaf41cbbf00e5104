#include "explore/breadth_first.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using Values = std::vector<model::Value>;

// One partition of the walk, driven by hand; states are numbers in a word. walk_contract_test.cpp drives all walks by
// random calls.
template <class States>
class BreadthFirstTest : public ::testing::Test {
protected:
    void initial(successor::Word n) { walk_.partition(0).insert_initial(&n, successor::hash_state(&n, 1), 0); }
    [[nodiscard]] Values pop(std::size_t most) {
        std::vector<successor::Word> states(most);
        states.resize(walk_.partition(0).pop_batch(states.data(), nullptr, most));
        return {states.begin(), states.end()};
    }
    [[nodiscard]] std::vector<std::uint32_t> insert(const Values& values) {
        successor::SuccessorBatch batch(1, 64);
        batch.restart(0);
        for (const model::Value value : values) {
            *batch.next_state() = static_cast<successor::Word>(value);
            batch.push(0, 0, model::FaultKind::none);
        }
        batch.compute_hashes();
        std::vector<std::uint32_t> discovered;
        walk_.partition(0).insert_successors(batch, batch.size(), [](std::size_t j) { return j; }, discovered);
        return discovered;
    }

    std::shared_ptr<const successor::System> system_ = sample::Heap{}.system();
    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    BreadthFirst<States> walk_{WalkSetup{*system_, unlimited_, 1, nullptr}};
};

using Kinds = ::testing::Types<PlainVisitedStates, NumberedVisitedStates, CompressedVisitedStates>;
TYPED_TEST_SUITE(BreadthFirstTest, Kinds);

TYPED_TEST(BreadthFirstTest, GivesALevelBeforeTheNextAndEveryStateOnce) {
    this->initial(0);
    this->initial(9);
    EXPECT_TRUE(this->pop(4).empty()) << "there is no level before advance()";
    ASSERT_TRUE(this->walk_.advance(Owner(1)));
    EXPECT_EQ(this->walk_.ready(), 2U);
    EXPECT_EQ(this->pop(1), (Values{0}));
    EXPECT_EQ(this->insert({1, 9, 2, 1}), (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(this->pop(4), (Values{9})) << "1 and 2 belong to the next level";
    EXPECT_EQ(this->insert({2, 3, 0}), (std::vector<std::uint32_t>{1}));
    EXPECT_TRUE(this->pop(4).empty());
    ASSERT_TRUE(this->walk_.advance(Owner(1)));
    EXPECT_EQ(this->pop(4), (Values{1, 2, 3}));
    EXPECT_FALSE(this->walk_.advance(Owner(1)));
    Statistics statistics;
    this->walk_.count(statistics);
    EXPECT_EQ(statistics.states, 5U);
    EXPECT_EQ(statistics.waiting, 0U);
    EXPECT_EQ(statistics.depth, 2U);
}

}  // namespace
}  // namespace tideline::explore
