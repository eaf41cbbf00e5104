#include "explore/saved_batches.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using successor::Key;

class SavedBatchesTest : public ::testing::Test {
protected:
    // A batch of this many states in the ledger.
    std::uint64_t batch(Key key, std::uint64_t count) {
        const std::vector<std::uint8_t> bytes(2 * count);
        const std::vector<std::uint64_t> parents(count);
        const std::vector<std::uint32_t> transitions(count);
        return sample_.writer->append_waiting(key, 0, {count, bytes, parents, transitions, {}});
    }
    [[nodiscard]] const ledger::LedgerWriter& ledger() const { return *sample_.writer; }

    sample::SampleLedger sample_;
    SavedBatches saved_;
};

TEST_F(SavedBatchesTest, CountWhatIsOnDiskOnly) {
    saved_.add(4, {batch(4, 10), true});
    saved_.add(4, {batch(4, 20), false});
    saved_.add(2, {batch(2, 5), true});
    EXPECT_EQ(saved_.first_key(), Key{2});
    EXPECT_EQ(saved_.batch_count(), 3U);
    EXPECT_EQ(saved_.spilled_records(ledger()), 20U);
    EXPECT_EQ(saved_.spilled_states(4, ledger()), 20U);
    saved_.mark_spilled(4);
    EXPECT_EQ(saved_.spilled_records(ledger()), 30U);
    EXPECT_EQ(saved_.spilled_states(2, ledger()), 0U);
    saved_.add_mixed(1, batch(1, 7));
    EXPECT_EQ(saved_.first_key(), Key{1});
    EXPECT_EQ(saved_.spilled_records(ledger()), 37U);
    EXPECT_EQ(saved_.spilled_states(1, ledger()), 0U)
        << "what a mixed batch has of a layer is not known before it is read";
}

TEST_F(SavedBatchesTest, WhatWasSavedGoesWhenItsLayerIsNotInMemoryAnyMore) {
    const std::uint64_t superseded = batch(4, 10);
    const std::uint64_t spilled = batch(4, 3);
    const std::uint64_t alone = batch(6, 2);
    saved_.add(2, {batch(2, 5), true});
    saved_.add(4, std::vector<SavedBatch>{{superseded, true}, {spilled, false}});
    saved_.add(6, {alone, true});
    saved_.add_mixed(3, batch(3, 12));
    std::vector<std::uint64_t> dropped;
    saved_.remove_superseded([](Key key) { return key == 2; }, [&](std::uint64_t id) { dropped.push_back(id); });
    EXPECT_EQ(dropped, (std::vector{superseded, alone})) << "what was spilled is needed, and so is a layer in memory";
    EXPECT_EQ(saved_.batch_count(), 3U);
    EXPECT_EQ(saved_.spilled_states(4, ledger()), 3U);
    EXPECT_EQ(saved_.spilled_records(ledger()), 15U);
}

TEST_F(SavedBatchesTest, ASpilledBatchIsReadOncePerSliceAndThenBelongsToTheCurrentLayer) {
    const std::uint64_t spilled = batch(4, 10);
    const std::uint64_t in_memory = batch(4, 3);
    saved_.add(4, std::vector<SavedBatch>{{spilled, false}, {in_memory, true}});
    std::vector<SavedBatch> current;
    std::vector<std::uint64_t> read;
    const auto note = [&](std::uint64_t id) { read.push_back(id); };
    saved_.take_slice(4, 0, 0b11, current, note);
    EXPECT_EQ(read, std::vector{spilled}) << "the other one is in memory";
    EXPECT_TRUE(current.empty()) << "slice 1 is left";
    saved_.take_slice(4, 0, 0b11, current, note);
    EXPECT_EQ(read.size(), 1U) << "slice 0 has been read";
    saved_.take_slice(4, 1, 0b11, current, note);
    EXPECT_EQ(read.size(), 2U);
    EXPECT_EQ(current.size(), 2U);
    EXPECT_TRUE(saved_.empty());
    saved_.take_slice(4, 0, 0b11, current, note);
    EXPECT_EQ(current.size(), 2U);
}

TEST_F(SavedBatchesTest, AreReadAgainWhereTheLayerIsSplitFiner) {
    saved_.add(4, {batch(4, 10), false});
    std::vector<SavedBatch> current;
    std::uint64_t reads = 0;
    const auto note = [&](std::uint64_t) { ++reads; };
    saved_.take_slice(4, 0, 0b11, current, note);
    saved_.restart_slices(4);
    for (std::uint32_t slice = 0; slice < 4; ++slice) saved_.take_slice(4, slice, 0b1111, current, note);
    EXPECT_EQ(reads, 5U);
    EXPECT_EQ(current.size(), 1U);
}

TEST_F(SavedBatchesTest, AMixedBatchIsTakenAtItsLeastKey) {
    const std::uint64_t first = batch(3, 7);
    const std::uint64_t second = batch(3, 8);
    saved_.add_mixed(3, first);
    saved_.add_mixed(3, second);
    saved_.add_mixed(5, batch(5, 9));
    EXPECT_EQ(saved_.take_mixed(5), std::nullopt) << "another one comes first";
    EXPECT_EQ(saved_.take_mixed(3), first);
    EXPECT_EQ(saved_.take_mixed(3), second);
    EXPECT_EQ(saved_.take_mixed(3), std::nullopt);
    EXPECT_EQ(saved_.spilled_records(ledger()), 9U);
}

TEST_F(SavedBatchesTest, MoveFromOnePassToTheOther) {
    SavedBatches later;
    saved_.add(4, {batch(4, 10), false});
    saved_.add(6, {batch(6, 20), false});
    later.add(4, {batch(4, 1), false});
    later.add_mixed(2, batch(2, 5));
    saved_.move_layer(4, later);
    EXPECT_EQ(saved_.spilled_records(ledger()), 20U);
    EXPECT_EQ(later.spilled_states(4, ledger()), 11U);
    saved_.take_over(later);
    EXPECT_TRUE(later.empty());
    EXPECT_EQ(later.spilled_records(ledger()), 0U);
    EXPECT_EQ(saved_.batch_count(), 4U);
    EXPECT_EQ(saved_.spilled_records(ledger()), 36U);
}

TEST_F(SavedBatchesTest, AreLiveUntilTheLedgerDropsThem) {
    const std::uint64_t id = batch(4, 10);
    const std::uint64_t mixed = batch(5, 10);
    saved_.add(4, {id, false});
    saved_.add_mixed(5, mixed);
    EXPECT_TRUE(saved_.are_live(ledger()));
    sample_.writer->drop_waiting(mixed);
    EXPECT_FALSE(saved_.are_live(ledger()));
}

}  // namespace
}  // namespace tideline::explore
