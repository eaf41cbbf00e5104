#include "explore/open_layers.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using sample::shape;
using successor::Key;
using successor::Word;

OpenLayers queue_of(const std::vector<std::pair<Key, std::uint64_t>>& layers, bool is_next_pass = false) {
    OpenLayers queue(shape(), is_next_pass);
    Word state = 0;
    for (const auto& [key, count] : layers)
        for (std::uint64_t i = 0; i < count; ++i, ++state) queue.insert(key, open_state(state));
    return queue;
}

TEST(OpenLayers, CountsItsOpenStates) {
    OpenLayers queue = queue_of({{3, 5}, {1, 2}});
    EXPECT_EQ(queue.size(), 7U);
    EXPECT_EQ(queue.layer_count(), 2U);
    EXPECT_EQ(queue.first_key(), 1U);
    EXPECT_EQ(queue.count(3), 5U);
    EXPECT_EQ(queue.count(2), 0U);
    const Word again = 0;
    EXPECT_FALSE(queue.insert(3, open_state(again))) << "it is open already";
    EXPECT_EQ(queue.size(), 7U);
    EXPECT_TRUE(queue.is_consistent());
    queue.add(1);
    EXPECT_FALSE(queue.is_consistent()) << "a state was counted that no layer has";
}

TEST(OpenLayers, ALayerThatIsTakenIsNotInTheQueueAnyMore) {
    OpenLayers queue = queue_of({{3, 5}, {1, 2}});
    SweepLayer current(shape());
    queue.take(2, current);
    EXPECT_EQ(current.open.size(), 0U);
    queue.take(3, current);
    EXPECT_EQ(current.open.size(), 5U);
    EXPECT_EQ(queue.size(), 2U);
    EXPECT_FALSE(queue.contains(3));
    EXPECT_TRUE(queue.is_consistent());
}

TEST(OpenLayers, TheSlicesOfALayerAreTakenOneByOne) {
    OpenLayers queue = queue_of({{3, 100}});
    std::uint64_t taken = 0;
    for (std::uint64_t slice = 0; slice < 4; ++slice) {
        EXPECT_TRUE(queue.contains(3));
        SweepLayer current(shape());
        queue.take_slice(3, current, [slice](std::uint64_t hash) { return (hash >> 32U) % 4 == slice; });
        taken += current.open.size();
        EXPECT_EQ(queue.size(), 100 - taken);
        EXPECT_TRUE(queue.is_consistent());
    }
    EXPECT_TRUE(queue.empty());
}

TEST(OpenLayers, ALayerMovesToTheNextPassAndBack) {
    OpenLayers this_pass = queue_of({{3, 5}, {1, 2}});
    OpenLayers next_pass = queue_of({{0, 1}}, true);
    this_pass.move_layer(3, next_pass);
    this_pass.move_layer(9, next_pass);
    EXPECT_EQ(this_pass.size(), 2U);
    EXPECT_EQ(next_pass.size(), 6U);
    EXPECT_TRUE(next_pass.find(3)->in_next_pass);
    EXPECT_TRUE(this_pass.is_consistent());
    EXPECT_TRUE(next_pass.is_consistent());
    this_pass.take_over(next_pass);
    EXPECT_TRUE(next_pass.empty());
    EXPECT_EQ(next_pass.size(), 0U);
    EXPECT_EQ(this_pass.size(), 8U);
    EXPECT_EQ(this_pass.first_key(), 0U);
    EXPECT_FALSE(this_pass.find(3)->in_next_pass);
    EXPECT_TRUE(this_pass.is_consistent());
}

TEST(OpenLayers, AreRemovedFromTheLargestKeyOn) {
    OpenLayers queue = queue_of({{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}});
    std::vector<Key> visited;
    queue.remove_from_last(1, [&](Key key, const SweepLayer&) {
        visited.push_back(key);
        return key == 4 ? OpenLayers::Removal::keep : OpenLayers::Removal::remove;
    });
    EXPECT_EQ(visited, (std::vector<Key>{5, 4, 3, 2})) << "the first one is kept";
    EXPECT_EQ(queue.size(), 2U);
    EXPECT_TRUE(queue.contains(1) && queue.contains(4));
    queue.remove_from_last(0, [](Key, const SweepLayer&) { return OpenLayers::Removal::stop; });
    EXPECT_EQ(queue.size(), 2U);
    EXPECT_TRUE(queue.is_consistent());
}

TEST(OpenLayers, TheFirstLayersAreThoseThatHaveFewStatesTogether) {
    const OpenLayers queue = queue_of({{1, 10}, {2, 20}, {3, 30}});
    EXPECT_EQ(queue.first_layers_below(10), 0U);
    EXPECT_EQ(queue.first_layers_below(11), 1U);
    EXPECT_EQ(queue.first_layers_below(31), 2U);
    EXPECT_EQ(queue.first_layers_below(1000), 3U);
}

}  // namespace
}  // namespace tideline::explore
