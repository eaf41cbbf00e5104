#include "explore/exact_sweep_partition.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::shape;
using successor::Key;
using successor::Word;

struct Step {
    Word to;
    Key key;
};

// A partition that has everything, with the current layer of key 5 entered.
class ExactSweepPartitionTest : public ::testing::TestWithParam<bool> {
protected:
    ExactSweepPartitionTest() {
        mode_.is_numbered = GetParam();
        partition_.insert_initial(&initial_, hash_of(initial_), 5);
        partition_.enter({5, 0});
        partition_.wake_all();
    }
    static std::uint64_t hash_of(Word state) { return successor::hash_state(&state, 1); }

    // Inserts the successors of the state of number 10; which of them are new.
    std::vector<std::uint32_t> insert(const std::vector<Step>& steps) {
        successor::SuccessorBatch batch(1, 64);
        batch.restart(0);
        for (const Step& step : steps) {
            *batch.next_state() = step.to;
            batch.push(3, 0, model::FaultKind::none, step.key);
        }
        batch.complete_source();
        batch.compute_hashes();
        batch.set_first_number(10);
        std::vector<std::uint32_t> discovered;
        const auto pick = [](std::size_t i) { return i; };
        partition_.insert_successors(batch, batch.size(), pick, discovered);
        numbers_.assign(batch.size(), 0);
        if (GetParam()) partition_.give_numbers(pick, numbers_);
        return discovered;
    }
    std::vector<Word> take() {
        std::vector<Word> states(64);
        successor::SleepSet asleep[64];
        states.resize(partition_.pop_batch(states.data(), asleep, states.size()));
        return states;
    }

    const Word initial_ = 100;
    SweepMode mode_;
    OpenLayers this_pass_{shape(GetParam()), false};
    OpenLayers next_pass_{shape(GetParam()), true};
    ExactSweepPartition partition_{shape(GetParam()), mode_, this_pass_, next_pass_, nullptr, TemporaryIds(0, 1)};
    std::vector<std::uint64_t> numbers_;
};

TEST_P(ExactSweepPartitionTest, ASuccessorWaitsWhereItsKeyBelongs) {
    EXPECT_EQ(insert({{101, 5}, {102, 7}, {103, 2}, {104, 7}, {101, 5}, {100, 5}}),
              (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(partition_.current().open.size(), 2U) << "the initial state and 101";
    EXPECT_EQ(this_pass_.count(7), 2U);
    EXPECT_EQ(next_pass_.count(2), 1U);
    EXPECT_EQ(this_pass_.size() + next_pass_.size(), 3U);
    EXPECT_TRUE(this_pass_.is_consistent() && next_pass_.is_consistent());
    EXPECT_EQ(partition_.regress_edges(), 1U);
    EXPECT_TRUE(insert({{102, 7}, {103, 2}}).empty()) << "they are open already";
    EXPECT_EQ(partition_.regress_edges(), 2U) << "repeats count";
}

TEST_P(ExactSweepPartitionTest, TakesOpenStatesOldestFirstWithWhereTheyWereDiscovered) {
    insert({{101, 5}});
    EXPECT_EQ(take(), (std::vector<Word>{100, 101}));
    EXPECT_EQ(partition_.taken().parents, (std::vector<std::uint64_t>{store::RecordLog::kNoParent, 10}));
    EXPECT_EQ(partition_.taken().transitions, (std::vector<std::uint32_t>{0, 3}));
    EXPECT_EQ(partition_.taken().bytes, (std::vector<std::uint8_t>{100, 0, 101, 0}));
    EXPECT_TRUE(take().empty());
    EXPECT_TRUE(insert({{100, 5}}).empty()) << "a state that was taken is visited";
}

TEST_P(ExactSweepPartitionTest, TheNextLayerIsTheOneThatWaitedInThisPass) {
    insert({{102, 7}, {103, 7}});
    partition_.leave();
    partition_.enter({7, 0});
    EXPECT_TRUE(this_pass_.empty());
    EXPECT_EQ(take(), (std::vector<Word>{102, 103}));
    insert({{104, 6}});
    EXPECT_EQ(next_pass_.count(6), 1U) << "now behind the sweep line";
}

TEST_P(ExactSweepPartitionTest, AStateOfAnotherSliceWaitsInThisPass) {
    mode_.split_bits = 1;
    std::vector<Step> steps;
    std::uint64_t in_slice = 0;
    for (Word state = 200; state < 240; ++state) {
        steps.push_back({state, 5});
        in_slice += mode_.slice_of(hash_of(state)) == 0 ? 1 : 0;
    }
    insert(steps);
    EXPECT_EQ(partition_.current().open.size(), 1 + in_slice);
    EXPECT_EQ(this_pass_.count(5), 40 - in_slice);
    partition_.leave();
    partition_.enter({5, 1});
    EXPECT_EQ(partition_.current().open.size(), 40 - in_slice);
    EXPECT_TRUE(this_pass_.empty());
    partition_.leave_slice();
    insert({{300, 5}});
    EXPECT_EQ(this_pass_.count(5), 1U) << "no slice is current";
}

TEST_P(ExactSweepPartitionTest, ByLevelEverySuccessorWaitsForTheNextPass) {
    mode_.by_level = true;
    insert({{101, 5}, {102, 7}});
    EXPECT_EQ(next_pass_.count(0), 2U);
    EXPECT_TRUE(this_pass_.empty());
}

INSTANTIATE_TEST_SUITE_P(PlainAndNumbered, ExactSweepPartitionTest, ::testing::Bool());

using NumberedPartitionTest = ExactSweepPartitionTest;
TEST_P(NumberedPartitionTest, EverySuccessorHasANumber) {
    insert({{101, 5}, {102, 7}, {100, 5}});
    EXPECT_EQ(numbers_, (std::vector<std::uint64_t>{1 | ledger::kTemporaryId, 2 | ledger::kTemporaryId,
                                                    0 | ledger::kTemporaryId}));
    EXPECT_EQ(partition_.temporary_ids().next(), 3U);
}
INSTANTIATE_TEST_SUITE_P(Numbered, NumberedPartitionTest, ::testing::Values(true));

using StreamedPartitionTest = ExactSweepPartitionTest;
TEST_P(StreamedPartitionTest, WhatMayHaveBeenVisitedWaitsWhereTheLayerIsStreamed) {
    mode_.streams = true;
    mode_.visited.reset(64);
    mode_.visited.add(hash_of(101));
    mode_.visited.add(hash_of(100));
    insert({{101, 5}, {100, 5}});
    EXPECT_EQ(partition_.current().open.size(), 1U) << "100 is in the current layer, 101 may have been visited";
    EXPECT_EQ(this_pass_.count(5), 1U);
    mode_.defers = true;
    partition_.forget_layers();
    mode_.visited.add(hash_of(102));
    insert({{102, 5}});
    EXPECT_EQ(next_pass_.count(5), 1U);
}
INSTANTIATE_TEST_SUITE_P(Plain, StreamedPartitionTest, ::testing::Values(false));

}  // namespace
}  // namespace tideline::explore
