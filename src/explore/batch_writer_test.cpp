#include "explore/batch_writer.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "explore/ledger_states.hpp"
#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using sample::shape;
using successor::Key;
using successor::Word;

class BatchWriterTest : public ::testing::Test {
protected:
    void open(OpenLayers& queue, Key key, Word count) {
        for (Word i = 0; i < count; ++i, ++next_state_) queue.insert(key, open_state(next_state_, 3));
    }
    // The states of a batch in the ledger.
    std::vector<Word> states_of(std::uint64_t id) {
        std::vector<Word> states;
        LedgerStates(*sample_.writer, packings_, 1).for_each_open(id, [&](const OpenState& state) {
            states.push_back(*state.state);
        });
        return states;
    }
    std::map<Key, std::vector<Word>> mixed_states_of(std::uint64_t id) {
        std::map<Key, std::vector<Word>> states;
        LedgerStates(*sample_.writer, packings_, 1).for_each_mixed(id, [&](Key key, const OpenState& state) {
            states[key].push_back(*state.state);
        });
        return states;
    }
    [[nodiscard]] std::uint64_t spilled() const { return figures_.spilled(); }

    sample::SampleLedger sample_;
    LedgerPackings packings_{*sample_.writer, *sample_.system};
    SweepFigures figures_;
    CheckpointEstimate estimate_{0};
    BatchWriter writer_{*sample_.writer, figures_, estimate_};
    OpenLayers queue_{shape(), false};
    SavedBatches saved_;
    Word next_state_ = 0;
};

TEST_F(BatchWriterTest, SavesEveryOpenStateOnce) {
    open(queue_, 5, 3);
    open(queue_, 6, 2);
    writer_.save(queue_, 0, saved_);
    EXPECT_EQ(saved_.batch_count(), 2U);
    EXPECT_EQ(saved_.spilled_records(*sample_.writer), 0U) << "they are in memory too";
    EXPECT_EQ(states_of(0), (std::vector<Word>{0, 1, 2}));
    writer_.save(queue_, 0, saved_);
    EXPECT_EQ(saved_.batch_count(), 2U) << "nothing is new";
    open(queue_, 5, 1);
    writer_.save(queue_, 0, saved_);
    EXPECT_EQ(saved_.batch_count(), 3U);
    EXPECT_EQ(states_of(2), (std::vector<Word>{5}));
    EXPECT_EQ(queue_.size(), 6U);
    EXPECT_EQ(spilled(), 0U);
}

TEST_F(BatchWriterTest, ALargeLayerIsSpilledInBatchesOfItsOwn) {
    open(queue_, 5, 5000);
    open(queue_, 4, 10);
    writer_.spill(queue_, 7, saved_, {.least = 100});
    EXPECT_EQ(queue_.size(), 10U);
    EXPECT_EQ(spilled(), 5000U);
    EXPECT_EQ(saved_.spilled_states(5, *sample_.writer), 5000U);
    EXPECT_EQ(saved_.batch_count(), 2U) << "4096 states at a time";
    EXPECT_EQ(sample_.writer->waiting().at(0).pass, 7U);
    EXPECT_EQ(states_of(0).size() + states_of(1).size(), 5000U);
}

TEST_F(BatchWriterTest, WhatWasSavedBeforeIsNotWrittenAgainWhenItIsSpilled) {
    open(queue_, 5, 2000);
    writer_.save(queue_, 0, saved_);
    open(queue_, 5, 10);
    writer_.spill(queue_, 0, saved_, {});
    EXPECT_EQ(spilled(), 10U);
    EXPECT_EQ(saved_.spilled_records(*sample_.writer), 2010U);
}

TEST_F(BatchWriterTest, SmallLayersAreSpilledTogetherUnderTheirLeastKey) {
    for (const Key key : {1, 2, 3}) open(queue_, key, 4);
    writer_.spill(queue_, 0, saved_, {});
    EXPECT_TRUE(queue_.empty());
    EXPECT_EQ(spilled(), 12U);
    EXPECT_EQ(saved_.first_key(), Key{1});
    const std::uint64_t id = saved_.take_mixed(1).value();
    EXPECT_EQ(sample_.writer->waiting().at(id).pass, kMixedBatch);
    EXPECT_EQ(mixed_states_of(id),
              (std::map<Key, std::vector<Word>>{{1, {0, 1, 2, 3}}, {2, {4, 5, 6, 7}}, {3, {8, 9, 10, 11}}}));
    EXPECT_TRUE(saved_.empty());
}

TEST_F(BatchWriterTest, AMixedBatchIsWrittenWhenItIsFull) {
    for (Key key = 0; key < 5; ++key) open(queue_, key, 600);
    writer_.spill(queue_, 0, saved_, {});
    EXPECT_EQ(saved_.batch_count(), 3U) << "two layers each, and the one that is left";
    EXPECT_EQ(saved_.first_key(), Key{0});
}

TEST_F(BatchWriterTest, LayersAreSpilledFromTheLargestKeyOnUntilEnoughIsFree) {
    for (Key key = 0; key < 6; ++key) open(queue_, key, 10);
    // 24 bytes per state, and one per layer.
    EXPECT_EQ(writer_.spill(queue_, 0, saved_, {.kept_layers = 1, .bytes = 242}), 482U);
    EXPECT_EQ(queue_.layer_count(), 4U);
    EXPECT_FALSE(queue_.contains(4));
    EXPECT_EQ(writer_.spill(queue_, 0, saved_, {.kept_layers = 1}), 3 * 241U);
    EXPECT_TRUE(queue_.contains(0));
    EXPECT_EQ(writer_.spill(queue_, 0, saved_, {.kept_layers = 1}), 0U) << "there is nothing left";
}

TEST_F(BatchWriterTest, OnlyLayersOfTheSizesThatAreWantedAreSpilled) {
    open(queue_, 1, 5);
    open(queue_, 2, 50);
    open(queue_, 3, 500);
    writer_.spill(queue_, 0, saved_, {.least = 10, .below = 100});
    EXPECT_TRUE(queue_.contains(1) && queue_.contains(3));
    EXPECT_FALSE(queue_.contains(2));
}

TEST(BatchWriter, StatesWithNumbersKeepTheirIdsInBatchesOfTheirOwn) {
    sample::SampleLedger sample(Recorded::edges);
    const LedgerPackings packings(*sample.writer, *sample.system);
    SweepFigures figures;
    CheckpointEstimate estimate(0);
    BatchWriter writer(*sample.writer, figures, estimate);
    OpenLayers queue(shape(true), false);
    SavedBatches saved;
    for (Word state = 0; state < 6; ++state) queue.insert(state / 3, open_state(state, 0, 70 + state));
    writer.spill(queue, 0, saved, {});
    EXPECT_EQ(saved.batch_count(), 2U) << "small layers do not share a batch";
    std::vector<std::uint64_t> ids;
    LedgerStates(*sample.writer, packings, 1).for_each_open(0, [&](const OpenState& state) {
        ids.push_back(state.temporary);
    });
    EXPECT_EQ(ids, (std::vector<std::uint64_t>{73, 74, 75}));
}

}  // namespace
}  // namespace tideline::explore
