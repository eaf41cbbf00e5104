#include "explore/sweep_repacking.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using successor::Key;
using successor::Word;

std::size_t owner(std::uint64_t hash) { return hash & 1U; }
using Repacking = SweepRepacking<std::size_t (*)(std::uint64_t)>;

// Two partitions; states become one more, in three bytes.
class SweepRepackingTest : public ::testing::TestWithParam<bool> {
protected:
    static constexpr std::size_t kWiderBytes = 3;
    static std::uint64_t hash_of(Word state) { return successor::hash_state(&state, 1); }

    [[nodiscard]] SweepLayer layer_of(Word first, Word end) const {
        SweepLayer layer(from_);
        for (Word state = first; state < end; ++state) layer.insert_saved(open_state(state, state + 5, state + 1000));
        return layer;
    }
    // The open states of a layer as they are packed now, with their parents; they must be where their hashes belong.
    static std::vector<Word> open_in(const SweepLayer& layer, std::size_t partition, bool has_numbers) {
        std::vector<Word> states;
        std::uint64_t position = layer.open.begin();
        layer.open.for_each_from(0, [&](const store::RecordLog::Record& record) {
            Word state = 0;
            std::memcpy(&state, record.state, kWiderBytes);
            EXPECT_EQ(owner(hash_of(state)), partition);
            EXPECT_EQ(record.parent, state - 1 + 5);
            if (has_numbers) {
                EXPECT_EQ(layer.temporary_at(position++), state - 1 + 1000);
            }
            states.push_back(state);
        });
        return states;
    }
    static std::vector<Word> all_from(Word first, Word end) {
        std::vector<Word> states;
        for (Word state = first; state < end; ++state) states.push_back(state);
        return states;
    }

    StateShape from_ = sample::shape(GetParam());
    StateShape to_{1, kWiderBytes, &sample::kUnlimited, GetParam()};
    successor::Repacking translate_ = [](const Word* from, Word* to) { *to = *from + 1; };
    Repacking repacking_{from_, to_, 2, translate_, owner};
    IdFixups fixups_;
};

TEST_P(SweepRepackingTest, OpenStatesWaitInTheirQueueInTheOtherPacking) {
    repacking_.carry_open(layer_of(0, 30), 7, repacking_.next_pass(), fixups_);
    EXPECT_TRUE(repacking_.this_pass().empty());
    EXPECT_TRUE(repacking_.next_pass().are_sizes_consistent());
    std::vector<Word> states;
    for (std::size_t i = 0; i < 2; ++i) {
        const SweepLayer* layer = repacking_.next_pass().open(i).find(7);
        ASSERT_NE(layer, nullptr);
        EXPECT_EQ(layer->saved_end, 0U) << "what is on disk is packed in the old way";
        for (const Word state : open_in(*layer, i, GetParam())) states.push_back(state);
    }
    std::sort(states.begin(), states.end());
    EXPECT_EQ(states, all_from(1, 31));
}

TEST_P(SweepRepackingTest, TheCurrentLayerKeepsItsVisitedStatesAndNumbers) {
    SweepLayer layer = layer_of(0, 30);
    for (int i = 0; i < 10; ++i) layer.open.pop();
    if (GetParam())
        for (LayerNumbers::Position i = 0; i < 10; ++i) layer.numbers->resolve(i, i, fixups_);
    repacking_.carry_current_states(layer);
    repacking_.carry_current_open(layer);
    std::vector<Word> states;
    for (std::size_t i = 0; i < 2; ++i)
        for (const Word state : open_in(repacking_.current(i), i, false)) states.push_back(state);
    std::sort(states.begin(), states.end());
    EXPECT_EQ(states, all_from(11, 31));
    EXPECT_EQ(repacking_.current(0).size() + repacking_.current(1).size(), 30U);
    for (Word state = 1; state < 31 && GetParam(); ++state) {
        const LayerNumbers& numbers = *repacking_.current(owner(hash_of(state))).numbers;
        const LayerNumbers::Position position = numbers.table.find(&state, hash_of(state)).value();
        EXPECT_EQ(numbers.is_temporary(position), state >= 11);
        EXPECT_EQ(numbers.temporary(position), state >= 11 ? state - 1 + 1000 : state - 1);
    }
}

INSTANTIATE_TEST_SUITE_P(PlainAndNumbered, SweepRepackingTest, ::testing::Bool());

using RepackedAliasTest = SweepRepackingTest;
TEST_P(RepackedAliasTest, AnAliasFollowsItsState) {
    SweepLayer layer = layer_of(0, 2);
    const Word states[] = {0, 1};
    layer.insert(open_state(states[0], 0, 2000));
    layer.insert(open_state(states[1], 0, 2001));
    IdFixups earlier;
    layer.numbers->resolve(0, 77, earlier);
    layer.open.pop();
    repacking_.carry_open(layer, 7, repacking_.this_pass(), fixups_);
    const Word repacked = 2;
    const SweepLayer* carried = repacking_.this_pass().open(owner(hash_of(repacked))).find(7);
    ASSERT_NE(carried, nullptr);
    ASSERT_EQ(carried->numbers->aliases.size(), 1U);
    EXPECT_EQ(carried->numbers->aliases[0].temporary, 2001U);
    EXPECT_FALSE(fixups_.empty()) << "the other one's state has its final number";
}
INSTANTIATE_TEST_SUITE_P(Numbered, RepackedAliasTest, ::testing::Values(true));

}  // namespace
}  // namespace tideline::explore
