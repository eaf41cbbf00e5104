#include "explore/ledger_states.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using successor::Word;

TEST(LedgerStates, VisitsTheStatesOfAnExtentWithTheirHashesAndNumbers) {
    const sample::SampleLedger sample;
    const LedgerPackings packings(*sample.writer, *sample.system);
    std::vector<std::uint16_t> numbers;
    for (std::uint16_t i = 0; i < 150; ++i) numbers.push_back(static_cast<std::uint16_t>(1000 + 3 * i));
    sample.append(1, 0, {5, 6, 7});
    sample.append(2, 0, numbers);
    LedgerStates states(*sample.writer, packings, 1);
    std::uint64_t prefetched = 0;
    std::uint64_t next = 0;
    states.for_each_visited(
        sample.writer->extents_of(2).at(0), [&](std::uint64_t) { ++prefetched; },
        [&](const Word* state, std::uint64_t hash, std::uint64_t number) {
            EXPECT_GT(prefetched, next);
            EXPECT_EQ(*state, numbers.at(next));
            EXPECT_EQ(hash, successor::hash_state(state, 1));
            EXPECT_EQ(number, 3 + next);
            ++next;
        });
    EXPECT_EQ(next, 150U);
    EXPECT_EQ(prefetched, 150U);
}

TEST(LedgerStates, VisitsTheStatesOfABatchWithWhereTheyWereDiscovered) {
    const sample::SampleLedger sample;
    const LedgerPackings packings(*sample.writer, *sample.system);
    const std::vector<std::uint8_t> bytes{1, 0, 2, 1};
    const std::vector<std::uint64_t> parents{40, 41};
    const std::vector<std::uint32_t> transitions{8, 9};
    const std::uint64_t id = sample.writer->append_waiting(3, 0, {2, bytes, parents, transitions, {}});
    std::vector<std::vector<std::uint64_t>> states;
    LedgerStates(*sample.writer, packings, 1).for_each_open(id, [&](const OpenState& state) {
        EXPECT_EQ(state.hash, successor::hash_state(state.state, 1));
        states.push_back({*state.state, state.parent, state.transition});
    });
    EXPECT_EQ(states, (std::vector<std::vector<std::uint64_t>>{{1, 40, 8}, {258, 41, 9}}));
}

}  // namespace
}  // namespace tideline::explore
