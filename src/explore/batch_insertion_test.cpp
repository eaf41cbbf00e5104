#include "explore/batch_insertion.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

// States of 2, 8, 12 and 40 bytes: tables with and without tails, and of records.
class BatchInsertionTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BatchInsertionTest, FindsWhatIsNewAsASetDoesWhileTheTableGrows) {
    const std::size_t bytes = GetParam();
    const std::size_t words = (bytes + 7) / 8;
    const store::MemoryBudget unlimited = [](std::uint64_t) { return true; };
    store::StateTable table(words, bytes, unlimited);
    BatchInsertion insertion;
    successor::SuccessorBatch batch(words, 512);
    std::set<std::uint64_t> known;
    std::mt19937_64 random(bytes);
    for (int round = 0; round < 60; ++round) {
        batch.restart(0);
        std::vector<std::uint64_t> values;
        for (std::size_t left = 1 + random() % 512; left > 0; --left) {
            values.push_back(random() % 12000);
            successor::Word* const state = batch.next_state();
            std::fill_n(state, words, 0);
            state[0] = values.back();
            if (bytes > 8) state[1] = values.back() * 7 % 1000;
            batch.push(0, 0, model::FaultKind::none);
        }
        batch.compute_hashes();
        // Every other entry, as with faults in between.
        const auto pick = [](std::size_t j) { return 2 * j; };
        const std::size_t count = (batch.size() + 1) / 2;
        std::vector<std::uint32_t> expected;
        for (std::size_t j = 0; j < count; ++j)
            if (known.insert(values[pick(j)]).second) expected.push_back(static_cast<std::uint32_t>(pick(j)));
        std::vector<std::uint32_t> discovered;
        insertion.insert(table, batch, count, pick, discovered);
        ASSERT_EQ(discovered, expected);
        ASSERT_EQ(table.size(), known.size());
    }
    EXPECT_GT(known.size(), 4000U);
}

INSTANTIATE_TEST_SUITE_P(OfBytes, BatchInsertionTest, ::testing::Values(2, 8, 12, 40));

}  // namespace
}  // namespace tideline::explore
