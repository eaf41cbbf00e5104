#include "store/layers.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace tideline {
namespace {

using Part = Layers::Part;

class LayersTest : public testing::Test {
protected:
    StateId insert(LayerId layer, Part part, Word state) {
        StateTable& table = layers_.table(layer, part);
        EXPECT_TRUE(table.reserve(1));
        bool fresh = false;
        return Layers::number(layer, part, table.insert(&state, hash_state(&state, 1), fresh));
    }
    [[nodiscard]] Word read(StateId number) const {
        Word state = ~Word{0};
        layers_.read(number, &state);
        return state;
    }

    Layers layers_{1, 8, [](std::uint64_t) { return true; }};
};

TEST_F(LayersTest, AKeyHasOneLayerUntilItIsDropped) {
    const Key large = (Key{5} << 64U) + 7;
    const LayerId a = layers_.at(large);
    const LayerId b = layers_.at(7);
    EXPECT_NE(a, b);
    EXPECT_EQ(layers_.at(large), a);
    EXPECT_EQ(layers_.find(large)->key, large);
    EXPECT_EQ(layers_.find(Key{5} << 64U), nullptr);
    insert(a, Part::current, 1);
    insert(a, Part::current, 2);
    EXPECT_EQ(layers_[a].size(), 2U);
    EXPECT_EQ(layers_.drop_current(a), 2U);
    EXPECT_EQ(layers_.find(large), nullptr);
    EXPECT_NE(layers_.find(7), nullptr);
}

TEST_F(LayersTest, StatesAreReadByTheirNumbers) {
    std::vector<std::pair<StateId, Word>> expected;
    for (Word key = 0; key < 50; ++key) {
        const LayerId id = layers_.at(key);
        for (Word i = 0; i < key; ++i) {
            expected.emplace_back(insert(id, Part::current, key * 1000 + i), key * 1000 + i);
            expected.emplace_back(insert(id, Part::persistent, key * 1000 + 500 + i), key * 1000 + 500 + i);
        }
    }
    for (const auto& [number, state] : expected) EXPECT_EQ(read(number), state);
}

TEST_F(LayersTest, PersistentStatesStayWhenTheLayerIsDropped) {
    const LayerId id = layers_.at(3);
    insert(id, Part::current, 1);
    const StateId kept = insert(id, Part::persistent, 2);
    EXPECT_EQ(layers_.drop_current(id), 1U);
    EXPECT_EQ(layers_.at(3), id);
    EXPECT_EQ(read(kept), 2U);
    EXPECT_EQ(layers_[id].size(), 1U);
    insert(id, Part::current, 9);
    EXPECT_EQ(layers_.drop_current(id), 1U) << "the part that is dropped begins anew";
}

TEST_F(LayersTest, RepackingCarriesBothPartsOfAllLayersOver) {
    std::vector<std::pair<StateId, Word>> expected;
    for (Word key = 0; key < 20; ++key) {
        const LayerId id = layers_.at(key);
        for (Word i = 0; i < 100; ++i) {
            expected.emplace_back(insert(id, Part::current, key * 1000 + i), key * 1000 + i);
            if (key % 3 == 0) expected.emplace_back(insert(id, Part::persistent, key * 1000 + 500 + i), key * 1000 + 500 + i);
        }
    }
    layers_.drop_current(layers_.at(6));
    layers_.drop_current(layers_.at(7));
    ASSERT_TRUE(layers_.repack(2, 12, [](const Word* from, Word* to) {
        to[0] = from[0] + 1;
        to[1] = 77;
    }));
    for (const auto& [number, state] : expected) {
        const Word key = state / 1000;
        if (key == 7 || (key == 6 && state % 1000 < 500)) continue;
        Word words[2];
        layers_.read(number, words);
        EXPECT_EQ(words[0], state + 1);
        EXPECT_EQ(words[1], 77U);
    }
    // Tables that are made from now on have the new packing too.
    StateTable& table = layers_.table(layers_.at(100), Part::current);
    EXPECT_EQ(table.state_bytes(), 12U);
}

TEST_F(LayersTest, WhereRepackingIsNotPermittedItSaysSo) {
    bool permitted = true;
    Layers layers(1, 8, [&](std::uint64_t) { return permitted; });
    StateTable& table = layers.table(layers.at(0), Part::current);
    for (Word state = 0; state < 50000; ++state) {
        bool fresh = false;
        ASSERT_TRUE(table.reserve(1));
        table.insert(&state, hash_state(&state, 1), fresh);
    }
    permitted = false;
    EXPECT_FALSE(layers.repack(2, 16, [](const Word* from, Word* to) { to[0] = to[1] = from[0]; }));
}

TEST_F(LayersTest, ManyTinyLayersAreMadeAndDroppedQuickly) {
    const auto start = std::chrono::steady_clock::now();
    LayerId highest = 0;
    for (Key key = 0; key < 200000; ++key) {
        const LayerId id = layers_.at(key);
        highest = std::max(highest, id);
        insert(id, Part::current, static_cast<Word>(key));
        if (key >= 3) layers_.drop_current(layers_.at(key - 3));
    }
    EXPECT_LT(highest, 5U) << "places of dropped layers are used again";
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace tideline
