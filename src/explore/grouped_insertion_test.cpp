#include "explore/grouped_insertion.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

struct Layer {
    std::uint32_t group = 0;
    char name = ' ';
};
using Entries = std::vector<std::uint32_t>;

TEST(GroupedInsertion, GivesEveryLayerItsEntriesInTheOrderOfTheBatch) {
    Layer a{0, 'a'};
    Layer b{0, 'b'};
    Layer c{0, 'c'};
    GroupedInsertion<Layer> grouped;
    for (int round = 0; round < 2; ++round) {  // numbers of groups from before mean nothing
        grouped.start(8);
        grouped.add(0, b);
        grouped.add(2, a);
        grouped.add(3, b);
        grouped.add(6, c);
        grouped.add(7, a);
        std::vector<std::pair<char, Entries>> inserted;
        std::vector<std::pair<char, Entries>> found;
        grouped.run(
            [&](const Layer& layer, std::span<const std::uint32_t> entries, Entries& is_new) {
                inserted.emplace_back(layer.name, Entries(entries.begin(), entries.end()));
                if (layer.name != 'c') is_new.push_back(entries.back());
            },
            [&](const Layer& layer, std::span<const std::uint32_t> entries) {
                found.emplace_back(layer.name, Entries(entries.begin(), entries.end()));
            });
        EXPECT_EQ(inserted, (std::vector<std::pair<char, Entries>>{{'b', {0, 3}}, {'a', {2, 7}}, {'c', {6}}}));
        EXPECT_EQ(found, (std::vector<std::pair<char, Entries>>{{'b', {3}}, {'a', {7}}})) << "c has nothing new";
    }
}

TEST(GroupedInsertion, FewAndManyEntriesAreInsertedAlike) {
    const store::MemoryBudget unlimited = [](std::uint64_t) { return true; };
    successor::SuccessorBatch batch(1, 64);
    batch.restart(0);
    for (successor::Word n = 0; n < 64; ++n) {
        *batch.next_state() = n % 20;  // so that states come more than once
        batch.push(0, 0, model::FaultKind::none);
    }
    batch.compute_hashes();
    GroupedInsertion<Layer> grouped;
    store::StateTable table(1, 2, unlimited);
    Entries found;
    grouped.insert_all(table, batch, Entries{3, 23, 5}, found);
    EXPECT_EQ(found, (Entries{3, 5}));
    found.clear();
    grouped.insert_all(table, batch, Entries{3, 4, 24, 5, 6, 44, 7}, found);
    EXPECT_EQ(found, (Entries{4, 6, 7}));
    EXPECT_EQ(table.size(), 5U);
}

}  // namespace
}  // namespace tideline::explore
