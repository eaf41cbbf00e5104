#include "explore/sweep_layer.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using sample::open_states;
using sample::shape;
using successor::Word;

using States = std::vector<std::pair<std::uint16_t, std::uint64_t>>;

TEST(SweepLayer, OpensAStateOnce) {
    SweepLayer layer(shape());
    const Word state = 9;
    EXPECT_TRUE(layer.insert(open_state(state, 1)));
    EXPECT_FALSE(layer.insert(open_state(state, 2)));
    EXPECT_EQ(open_states(layer), (States{{9, 1}}));
    EXPECT_EQ(layer.size(), 1U);
}

TEST(SweepLayer, KnowsUpToWhereItIsSaved) {
    SweepLayer layer(shape());
    const Word states[] = {1, 2, 3};
    layer.insert_saved(open_state(states[0]));
    EXPECT_FALSE(layer.has_unsaved());
    layer.insert(open_state(states[1]));
    EXPECT_TRUE(layer.has_unsaved());
    layer.insert_saved(open_state(states[2]));
    EXPECT_EQ(layer.saved_end, 1U) << "one before it is not on disk";
}

TEST(SweepLayer, GivesASliceItsOpenStatesAndKeepsTheOthers) {
    for (const bool is_numbered : {false, true}) {
        SweepLayer layer(shape(is_numbered));
        SweepLayer slice(shape(is_numbered));
        const auto is_in_slice = [](std::uint64_t hash) { return (hash >> 32U) % 2 == 0; };
        for (Word state = 0; state < 100; ++state) layer.insert_saved(open_state(state, state + 1, state + 500));
        const Word twice = 42;
        if (is_numbered) layer.insert(open_state(twice, 0, 999));
        layer.move_slice(shape(is_numbered), slice, is_in_slice);
        EXPECT_GT(slice.open.size(), 20U);
        EXPECT_EQ(slice.open.size() + layer.open.size(), 100U);
        for (const auto& [layer_of, is_slice] : {std::pair(&layer, false), std::pair(&slice, true)}) {
            EXPECT_EQ(layer_of->size(), layer_of->open.size());
            std::uint64_t position = 0;
            for (const auto& [number, parent] : open_states(*layer_of)) {
                const Word state = number;
                EXPECT_EQ(is_in_slice(successor::hash_state(&state, 1)), is_slice);
                EXPECT_EQ(parent, state + 1);
                if (is_numbered) {
                    EXPECT_EQ(layer_of->temporary_at(position++), state + 500);
                }
            }
        }
        EXPECT_EQ(layer.saved_end, 0U);
        if (!is_numbered) continue;
        const bool is_alias_in_slice = is_in_slice(successor::hash_state(&twice, 1));
        EXPECT_EQ(slice.numbers->aliases.size(), is_alias_in_slice ? 1U : 0U);
        EXPECT_EQ(layer.numbers->aliases.size(), is_alias_in_slice ? 0U : 1U);
    }
}

TEST(SweepLayer, ClosesWhatHasBeenVisitedAndKeepsTheOrderOfTheOthers) {
    SweepLayer layer(shape());
    store::StateTable visited(1, 2, sample::kUnlimited);
    for (Word state = 0; state < 10; ++state) {
        layer.insert_saved(open_state(state, state));
        if (state % 3 == 0) visited.insert(&state, successor::hash_state(&state, 1));
    }
    layer.remove_visited(shape(), visited);
    EXPECT_EQ(open_states(layer), (States{{1, 1}, {2, 2}, {4, 4}, {5, 5}, {7, 7}, {8, 8}}));
    EXPECT_EQ(layer.size(), 10U) << "a closed state is still in the set";
    EXPECT_EQ(layer.saved_end, 0U);
}

TEST(SweepLayer, ClosesWhatHasAFinalNumber) {
    SweepLayer layer(shape(true));
    for (Word state = 0; state < 4; ++state) layer.insert(open_state(state, state, 50 + state));
    IdFixups fixups;
    layer.numbers->resolve(layer.numbers->positions[2], 7, fixups);
    layer.remove_resolved(shape(true));
    EXPECT_EQ(open_states(layer), (States{{0, 0}, {1, 1}, {3, 3}}));
    EXPECT_EQ(layer.temporary_at(2), 53U);
}

TEST(SweepLayer, SeesAnOpenStateOfAnotherLayer) {
    for (const bool is_numbered : {false, true}) {
        SweepLayer one(shape(is_numbered));
        SweepLayer other(shape(is_numbered));
        const Word states[] = {1, 2};
        one.insert(open_state(states[0]));
        other.insert(open_state(states[1]));
        EXPECT_FALSE(one.has_open_state_of(other));
        one.insert(open_state(states[1]));
        EXPECT_TRUE(one.has_open_state_of(other));
    }
}

}  // namespace
}  // namespace tideline::explore
