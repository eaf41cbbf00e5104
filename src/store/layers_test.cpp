#include "store/layers.hpp"

#include <set>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

class LayersTest : public testing::Test {
protected:
    static void insert(StateTable& table, successor::Word value) {
        const successor::Word state[1] = {value};
        table.insert(state, successor::hash_state(state, 1));
    }
    static std::set<successor::Word> values(const StateTable& table) {
        std::set<successor::Word> result;
        table.for_each([&](const successor::Word* state) { result.insert(state[0]); });
        return result;
    }

    MemoryBudget always_ = [](std::uint64_t) { return true; };
    Layers layers_{1, 8, always_};
};

TEST_F(LayersTest, AKeyHasOneLayerHoweverManyThereAre) {
    std::vector<Layer*> made;
    for (successor::Key key = 0; key < 1000; ++key) made.push_back(&layers_.at(key << 70U));
    EXPECT_EQ(std::set<Layer*>(made.begin(), made.end()).size(), made.size());
    for (successor::Key key = 0; key < 1000; ++key) {
        EXPECT_EQ(&layers_.at(key << 70U), made[static_cast<std::size_t>(key)]);
        EXPECT_EQ(made[static_cast<std::size_t>(key)]->key, key << 70U);
    }
}

TEST_F(LayersTest, DroppingALayerLeavesNothingOfIt) {
    insert(layers_.at(5).current, 1);
    insert(layers_.at(5).current, 2);
    insert(layers_.at(6).current, 3);
    EXPECT_EQ(layers_.drop_current(layers_.at(5)), 2U);
    EXPECT_EQ(layers_.at(5).size(), 0U) << "a new one";
    EXPECT_EQ(values(layers_.at(6).current), (std::set<successor::Word>{3}));
}

TEST_F(LayersTest, PersistentStatesStay) {
    Layer& layer = layers_.at(5);
    insert(layer.current, 1);
    insert(layers_.persistent(layer).states, 2);
    EXPECT_EQ(layer.size(), 2U);
    EXPECT_EQ(layers_.drop_current(layer), 1U);
    EXPECT_EQ(&layers_.at(5), &layer);
    EXPECT_EQ(values(layers_.persistent(layer).states), (std::set<successor::Word>{2}));
    EXPECT_EQ(layer.current.size(), 0U);
}

TEST_F(LayersTest, AllPartsAreCarriedOverToAnotherPacking) {
    Layer& layer = layers_.at(1);
    insert(layer.current, 10);
    insert(layers_.persistent(layer).states, 20);
    const successor::Word root[1] = {20};
    layers_.persistent(layer).roots.push(layer.persistent->states, root);
    layer.pending.fill(layer.current);
    layers_.repack(2, 16, [](const successor::Word* from, successor::Word* to) {
        to[0] = from[0] + 1;
        to[1] = 7;
    });
    EXPECT_EQ(values(layer.current), (std::set<successor::Word>{11}));
    EXPECT_EQ(values(layer.persistent->states), (std::set<successor::Word>{21}));
    successor::Word state[2];
    ASSERT_EQ(layer.pending.take(layer.current, state, 5), 1U);
    EXPECT_EQ(state[0], 11U);
    ASSERT_EQ(layer.persistent->roots.take(layer.persistent->states, state, 5), 1U);
    EXPECT_EQ(state[0], 21U);
    EXPECT_EQ(layers_.at(2).current.state_words(), 2U) << "new layers have the new packing";
}

}  // namespace
}  // namespace tideline::store
