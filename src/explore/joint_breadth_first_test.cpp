// Two threads' partitions, driven by hand; walk_contract_test.cpp drives all walks by random calls, search_test.cpp
// with threads.
#include "explore/joint_breadth_first.hpp"

#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using Values = std::vector<model::Value>;

template <class W>
class JointBreadthFirstTest : public ::testing::Test {
protected:
    void initial(std::size_t partition, successor::Word n) {
        walk_.partition(partition).insert_initial(&n, successor::hash_state(&n, 1), 0);
    }
    [[nodiscard]] Values pop(std::size_t partition, std::size_t most) {
        std::vector<successor::Word> states(most);
        states.resize(walk_.partition(partition).pop_batch(states.data(), nullptr, most));
        return {states.begin(), states.end()};
    }
    // The values that are new.
    Values insert(std::size_t partition, const Values& values) {
        successor::SuccessorBatch batch(1, 64);
        batch.restart(0);
        for (const model::Value value : values) {
            *batch.next_state() = static_cast<successor::Word>(value);
            batch.push(0, 0, model::FaultKind::none);
        }
        batch.compute_hashes();
        std::vector<std::uint32_t> discovered;
        const auto pick = [](std::size_t j) { return j; };
        walk_.partition(partition).insert_successors(batch, batch.size(), pick, discovered);
        EXPECT_TRUE(std::ranges::is_sorted(discovered));
        if constexpr (requires { walk_.initial_numbers(); }) {
            numbers_.assign(batch.size(), ~StateNumber{0});
            walk_.partition(partition).give_numbers(pick, numbers_);
        }
        Values result;
        for (const std::uint32_t i : discovered) result.push_back(values[i]);
        return result;
    }
    [[nodiscard]] bool advance() { return walk_.advance(Owner(2)); }

    std::shared_ptr<const successor::System> system_ = sample::Heap{}.system();
    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    W walk_{WalkSetup{*system_, unlimited_, 2, nullptr}};
    std::vector<StateNumber> numbers_;  // of the values that were inserted last
};

using Kinds = ::testing::Types<JointBreadthFirst, NumberedJointBreadthFirst>;
TYPED_TEST_SUITE(JointBreadthFirstTest, Kinds);

TYPED_TEST(JointBreadthFirstTest, WhatOneThreadHasInsertedIsNotNewForAnother) {
    this->initial(0, 0);
    ASSERT_TRUE(this->advance());
    EXPECT_EQ(this->insert(0, {1, 2, 1, 0}), (Values{1, 2}));
    EXPECT_EQ(this->insert(1, {2, 3, 0, 3}), (Values{3}));
    EXPECT_EQ(this->walk_.states(), 4U);
}

TYPED_TEST(JointBreadthFirstTest, AThreadWithoutStatesPopsThoseOfAnother) {
    this->initial(0, 0);
    this->initial(0, 9);
    EXPECT_TRUE(this->pop(1, 4).empty()) << "there is no level before advance()";
    ASSERT_TRUE(this->advance());
    EXPECT_EQ(this->walk_.ready(), 2U);
    std::multiset<model::Value> popped;
    for (std::size_t i = 0; i < 4; ++i)
        for (const model::Value n : this->pop(1, 1)) popped.insert(n);
    EXPECT_EQ(popped, (std::multiset<model::Value>{0, 9}));
    EXPECT_EQ(this->walk_.ready(), 0U);
}

TYPED_TEST(JointBreadthFirstTest, ALevelEndsForAllThreadsTogether) {
    this->initial(0, 0);
    ASSERT_TRUE(this->advance());
    EXPECT_EQ(this->pop(0, 4), (Values{0}));
    (void)this->insert(0, {1, 2});
    EXPECT_TRUE(this->pop(0, 4).empty());
    EXPECT_TRUE(this->pop(1, 4).empty()) << "1 and 2 belong to the next level";
    ASSERT_TRUE(this->advance());
    std::multiset<model::Value> level;
    while (true) {
        const Values popped = this->pop(level.size() % 2, 1);
        if (popped.empty()) break;
        level.insert(popped.begin(), popped.end());
    }
    EXPECT_EQ(level, (std::multiset<model::Value>{1, 2}));
    EXPECT_FALSE(this->advance());
    Statistics statistics;
    this->walk_.count(statistics);
    EXPECT_EQ(statistics.states, 3U);
    EXPECT_EQ(statistics.depth, 2U);
    EXPECT_EQ(statistics.waiting, 0U);
}

TYPED_TEST(JointBreadthFirstTest, DeferredSuccessorsAreThereWhenTheRoundEnds) {
    this->initial(0, 0);
    ASSERT_TRUE(this->advance());
    std::multiset<model::Value> found;
    for (const std::size_t i : {0U, 1U}) {
        this->walk_.partition(i).allow_deferral(true);
        for (model::Value first = 1; first < 50; first += 7) {
            const Values discovered = this->insert(i, {first, first + 1, first + 2, first + 3});
            found.insert(discovered.begin(), discovered.end());
        }
    }
    for (const std::size_t i : {0U, 1U}) this->walk_.partition(i).flush_deferred();
    EXPECT_EQ(this->walk_.states(), 1U + 4 * 7);
    EXPECT_EQ(found.size(), 4U * 7) << "nobody else has the tables: nothing had to wait";
}

TYPED_TEST(JointBreadthFirstTest, AllStatesAndTheOpenOnesCanBeTakenAway) {
    this->initial(0, 0);
    ASSERT_TRUE(this->advance());
    (void)this->pop(1, 1);
    (void)this->insert(0, {1, 2});
    (void)this->insert(1, {3});
    std::set<successor::Word> visited;
    this->walk_.for_each_state([&](const successor::Word* state) { visited.insert(*state); });
    EXPECT_EQ(visited, (std::set<successor::Word>{0, 1, 2, 3}));
    std::multiset<successor::Word> open;
    std::map<StateNumber, successor::Word> numbered;
    this->walk_.take_open([&](const successor::Word* state, StateNumber number = 0) {
        open.insert(*state);
        numbered[number] = *state;
    });
    EXPECT_EQ(open, (std::multiset<successor::Word>{1, 2, 3}));
    std::multiset<successor::Word> all;
    EXPECT_TRUE(this->walk_.take_all([&](const successor::Word* state, StateNumber number = 0) {
        all.insert(*state);
        if (const auto found = numbered.find(number); found != numbered.end() && numbered.size() > 1) {
            EXPECT_EQ(found->second, *state) << "a number names one state";
        }
        return true;
    }));
    EXPECT_EQ(all, (std::multiset<successor::Word>{0, 1, 2, 3}));
    EXPECT_EQ(this->walk_.states(), 4U) << "they are counted still";
}

using NumberedJointBreadthFirstTest = JointBreadthFirstTest<NumberedJointBreadthFirst>;
TEST_F(NumberedJointBreadthFirstTest, AStateHasOneNumberWhoeverFindsIt) {
    initial(0, 0);
    initial(0, 30);
    ASSERT_EQ(walk_.initial_numbers().size(), 2U);
    std::map<model::Value, StateNumber> known{{0, walk_.initial_numbers()[0]}, {30, walk_.initial_numbers()[1]}};
    ASSERT_TRUE(advance());
    for (const std::size_t i : {0U, 1U, 0U}) {
        const Values values{0, 1, 30, 2, 1, static_cast<model::Value>(5 + i)};
        (void)insert(i, values);
        for (std::size_t j = 0; j < values.size(); ++j) {
            EXPECT_EQ(known.try_emplace(values[j], numbers_[j]).first->second, numbers_[j]) << values[j];
            EXPECT_LT(numbers_[j], walk_.number_bound());
        }
    }
    std::set<StateNumber> different;
    for (const auto& [value, number] : known) different.insert(number);
    EXPECT_EQ(different.size(), known.size());
    const Values popped = pop(0, 1);
    ASSERT_EQ(walk_.partition(0).popped_numbers().size(), 1U);
    EXPECT_EQ(walk_.partition(0).popped_numbers()[0], known.at(popped.front()));
}

}  // namespace
}  // namespace tideline::explore
